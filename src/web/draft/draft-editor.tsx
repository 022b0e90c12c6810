/** The editor of a draft, next to the totals, the months in which it is earned, and the stored document. */
import { useEffect, useMemo } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf } from "../parts/format.ts";
import { Beside } from "./draft-beside.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftLines } from "./draft-lines.tsx";
import { Earned, Totals } from "./draft-outcome.tsx";
import { draftSums, OWN_FIELDS, savingOf } from "./draft-state.ts";
import type { DraftStored, Named, SentMonth } from "./draft-stored.ts";
import type { DraftSums, EarnedIn } from "./draft-sums.ts";
import { type Draft, useDraft } from "./use-draft.ts";

interface Props {
  readonly stored: DraftStored;
  readonly people: readonly Named[];
  /** The user who types. */
  readonly person: string;
}

function DraftEditor({ stored: initial, people, person }: Props) {
  const { words: all, language } = useReader();
  const is_alive = useAlive();
  const { state, dispatch, showRemote } = useDraft(initial, person);
  const { typed, stored, found, refused, remote } = state;
  const sums = useMemo(() => draftSums(state), [typed, stored, found]);
  const saving = savingOf(state);
  const whole = refused.get("");
  const is_locked = stored.is_being_issued || !is_alive;
  const { currency } = stored.facts;
  return (
    <div class="document editor">
      <div class="stack">
        <Bar
          id={stored.id}
          can_undo={state.undo.length > 0}
          dispatch={dispatch}
          said={is_alive ? savingWords(saving, sums, all.draft) : ""}
          total={amountOf(language, sums.totals.gross, currency)}
          currency={currency}
        />
        {stored.is_in_doubt && <p class="note-warn">{all.draft.in_doubt}</p>}
        {stored.is_being_issued && !stored.is_in_doubt && (
          <p class="notice">{all.draft.being_issued}</p>
        )}
        {remote !== null && (
          <Changed showRemote={showRemote} keepMine={() => dispatch({ kind: "keep_mine" })} />
        )}
        <Fault text={whole === undefined ? undefined : all.refused(whole)} />
        {sums.faults.has(OWN_FIELDS) && <p class="note-warn">{all.draft.none_is_yours}</p>}
        <DraftHead state={state} dispatch={dispatch} is_locked={is_locked} />
        <Card title={all.draft.lines} id="lines">
          <DraftLines
            state={state}
            dispatch={dispatch}
            people={people}
            sums={sums}
            faults={new Map([...sums.faults, ...refused])}
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
    <div class="row">
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
        <a class="button main" href={issue} onClick={goIssue}>
          {words.draft.issue}
        </a>
      </span>
    </div>
  );
}

function savingWords(
  saving: ReturnType<typeof savingOf>,
  { faults }: DraftSums,
  words: ReturnType<typeof useReader>["words"]["draft"],
): string {
  if (faults.size > 0) return words.unsaved(faults.size);
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

export const island: IslandOf<Props> = { name: "draft-editor", View: DraftEditor };
