/** The editor of a draft, next to the totals, the months in which it is earned, and the stored document. */
import { useEffect, useMemo } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf } from "../parts/format.ts";
import { Beside } from "./draft-beside.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftLines } from "./draft-lines.tsx";
import { Earned, Totals } from "./draft-outcome.tsx";
import { draftSums, OWN_FIELDS, savingOf, shownFaults } from "./draft-state.ts";
import type { DraftStored, Named, SentMonth } from "./draft-stored.ts";
import type { DraftSums, EarnedIn } from "./draft-sums.ts";
import { type Draft, useDraft } from "./use-draft.ts";

interface Props {
  readonly stored: DraftStored;
  readonly people: readonly Named[];
  /** The user who types. */
  readonly person: string;
  /** A customer that was made for this draft a moment ago. */
  readonly chosen: Named | null;
}

function DraftEditor({ stored: initial, people, person, chosen }: Props) {
  const { words: all, language } = useReader();
  const is_alive = useAlive();
  const { state, dispatch, showRemote } = useDraft(initial, person, chosen);
  const { typed, stored, found, refused, remote } = state;
  const sums = useMemo(() => draftSums(state), [typed, stored, found]);
  const saving = savingOf(state);
  const shown = shownFaults(state, new Map([...sums.faults, ...refused]));
  const whole = refused.get("");
  const is_locked = stored.is_being_issued || !is_alive;
  const { currency } = stored.facts;
  return (
    <div class="document editor">
      <Bar
        id={stored.id}
        can_undo={state.undo.length > 0}
        dispatch={dispatch}
        said={is_alive ? savingWords(saving, sums.faults, state, all.draft) : ""}
        total={amountOf(language, sums.totals.gross, currency)}
        currency={currency}
      />
      <div class="stack">
        {stored.is_in_doubt && <p class="note-warn">{all.draft.in_doubt}</p>}
        {stored.is_being_issued && !stored.is_in_doubt && (
          <p class="notice">{all.draft.being_issued}</p>
        )}
        {remote !== null && (
          <Changed showRemote={showRemote} keepMine={() => dispatch({ kind: "keep_mine" })} />
        )}
        <Fault text={whole === undefined ? undefined : all.refused(whole)} />
        {sums.faults.has(OWN_FIELDS) && <p class="note-warn">{all.draft.none_is_yours}</p>}
        <DraftHead state={state} dispatch={dispatch} chosen={chosen} is_locked={is_locked} />
        <Card title={all.draft.lines} id="lines" hint={is_alive && <Keys />}>
          <DraftLines
            state={state}
            dispatch={dispatch}
            people={people}
            sums={sums}
            faults={shown}
            is_locked={is_locked}
          />
        </Card>
        <div class="under">
          <Earned
            months={stored.own_months?.map(earnedFrom) ?? sums.months}
            is_own={stored.own_months !== null}
            currency={currency}
          />
          <Totals sums={sums} currency={currency} />
        </div>
      </div>
      <aside class="stack">
        <Beside stored={stored} is_saved={saving === "saved"} />
      </aside>
    </div>
  );
}

function earnedFrom({ month, earned }: SentMonth): EarnedIn {
  return { month, earned: BigInt(earned) };
}

/** Shows the state of saving, and the links that lead away. They wait until everything is stored. */
function Bar(props: {
  id: string;
  can_undo: boolean;
  dispatch: Draft["dispatch"];
  said: string;
  /** The total with VAT, which a phone shows next to the issue. */
  total: string;
  currency: string;
}) {
  const { id, can_undo, dispatch, said, total, currency } = props;
  const { words } = useReader();
  const is_alive = useAlive();
  const issue = `/invoices/${id}/issue`;

  function goIssue(event: Event): void {
    event.preventDefault();
    dispatch({ kind: "leave", to: issue });
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey)) return;
      if (event.key === "Enter") goIssue(event);
      if (event.key === "s") {
        event.preventDefault();
        dispatch({ kind: "save" });
      }
      if (event.key === "z" && !event.shiftKey && can_undo) {
        event.preventDefault();
        dispatch({ kind: "undo" });
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [can_undo]);

  return (
    <div class="row draft-bar">
      <span class="pill warn">{words.invoice.draft}</span>
      <span class="small quiet" role="status">
        {said}
      </span>
      <span class="grow" />
      {can_undo && (
        <button type="button" class="button bare small" onClick={() => dispatch({ kind: "undo" })}>
          {words.draft.undo}
        </button>
      )}
      <a class="button" href={`/invoices/${id}/pdf`}>
        {words.draft.pdf}
      </a>
      <span class="to-issue">
        <span class="of-phone">
          <small>{words.draft.total(currency)}</small>
          <strong>{total}</strong>
        </span>
        <a
          class="button main"
          href={issue}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={goIssue}
        >
          {words.draft.issue}
          {is_alive && <kbd>{isMac() ? "⌘↵" : "Ctrl ↵"}</kbd>}
        </a>
      </span>
    </div>
  );
}

/** Shows the keys of the lines. */
function Keys() {
  const { words } = useReader();
  const { next, move, copy } = words.draft.keys;
  const command = isMac() ? ["⌥↑", "⌘D"] : ["Alt ↑", "Ctrl D"];
  return (
    <span class="line-keys">
      <kbd>↵</kbd> {next} <kbd>{command[0]}</kbd> {move} <kbd>{command[1]}</kbd> {copy}
    </span>
  );
}

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent);
}

function savingWords(
  saving: ReturnType<typeof savingOf>,
  faults: DraftSums["faults"],
  state: Draft["state"],
  words: ReturnType<typeof useReader>["words"]["draft"],
): string {
  const { size } = shownFaults(state, faults);
  if (size > 0) return words.unsaved(size);
  if (faults.size > 0) return words.unfinished;
  switch (saving) {
    case "saved":
      return words.saved;
    case "lost":
      return words.lost;
    case "refused":
    case "changed":
      return words.unsaved(1);
    default:
      return words.saving;
  }
}

function Changed({ showRemote, keepMine }: { showRemote: () => void; keepMine: () => void }) {
  const { words } = useReader();
  return (
    <div class="notice bad row" role="alert">
      <span>{words.draft.changed}</span>
      <button type="button" class="button small" onClick={showRemote}>
        {words.draft.remote}
      </button>
      <button type="button" class="button small" onClick={keepMine}>
        {words.draft.mine}
      </button>
    </div>
  );
}

export const island = islandOf<Props>({ name: "draft-editor", View: DraftEditor });
