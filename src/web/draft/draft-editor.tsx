/**
 * The editor of a draft. Beside the fields are the totals, the months in which the draft is
 * earned, and the document as it is stored.
 */
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { Warnings } from "../parts/facts.tsx";
import { Beside } from "./draft-beside.tsx";
import { DraftHead } from "./draft-head.tsx";
import { DraftKeeper, type Editing } from "./draft-keeper.ts";
import { DraftLines } from "./draft-lines.tsx";
import { Earned, Totals } from "./draft-outcome.tsx";
import type { DraftStored, Named, SentMonth } from "./draft-stored.ts";
import { type DraftSums, type EarnedIn, type ProductFacts, sumsOf } from "./draft-sums.ts";
import type { TypedDraft } from "./draft-typed.ts";

interface Props {
  readonly stored: DraftStored;
  readonly people: readonly Named[];
  /** The user who types. */
  readonly person: string;
}

function DraftEditor({ stored: initial, people, person }: Props) {
  const { words: all, language } = useReader();
  const is_alive = useAlive();
  const [, dispatch] = useReducer<number, null>((count) => count + 1, 0);
  const found = useRef(new Map<string, ProductFacts>());
  const [keeper] = useState(() => {
    const check = (typed: TypedDraft, stored: DraftStored) =>
      checkDraft(sumsOf(typed, factsWith(stored, found.current), language), typed, stored, person);
    return new DraftKeeper(initial, person, language, check, () => dispatch(null));
  });
  useEffect(() => keeper.begin(), []);
  const { typed, stored, refused, saving, remote } = keeper.editing;
  const facts = factsWith(stored, found.current);
  const { products } = facts;
  const sums = useMemo(
    () => checkDraft(sumsOf(typed, facts, language), typed, stored, person),
    [typed, stored, products.length],
  );
  const whole = refused.get("");
  const is_locked = stored.is_being_issued || !is_alive;
  const { currency } = stored.facts;
  return (
    <div class="document editor">
      <div class="stack">
        <Bar keeper={keeper} said={is_alive ? savingWords(saving, sums, all.draft) : ""} />
        {stored.is_in_doubt && <p class="note-warn">{all.draft.in_doubt}</p>}
        {stored.is_being_issued && !stored.is_in_doubt && (
          <p class="notice">{all.draft.being_issued}</p>
        )}
        {remote !== null && <Changed keeper={keeper} />}
        <Fault text={whole === undefined ? undefined : all.refused(whole)} />
        {sums.faults.has(OWN_FIELDS) && <p class="note-warn">{all.draft.none_is_yours}</p>}
        <DraftHead keeper={keeper} is_locked={is_locked} />
        <section class="card" aria-labelledby="lines">
          <header>
            <h2 id="lines">{all.draft.lines}</h2>
          </header>
          <DraftLines
            keeper={keeper}
            people={people}
            person={person}
            sums={sums}
            products={products}
            faults={new Map([...sums.faults, ...refused])}
            is_locked={is_locked}
            onFound={(one) => found.current.set(one.id, one)}
          />
        </section>
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
        <Warnings title={all.invoice.warnings} sentences={stored.warnings} />
        <Beside stored={stored} is_saved={saving === "saved"} />
      </aside>
    </div>
  );
}

/** The field under which the editor reports a draft that its writer could no longer see. */
const OWN_FIELDS = "lines";

/**
 * A person who does not see the whole account sees drafts that have a line of theirs. A draft
 * without such a line is not saved automatically.
 */
function checkDraft(
  sums: DraftSums,
  { lines }: TypedDraft,
  { own_months }: DraftStored,
  person: string,
): DraftSums {
  const is_seen =
    own_months === null ||
    lines.some(({ assignees }) => assignees.some(({ user_id }) => user_id === person));
  if (is_seen) return sums;
  const fault = { code: "not_allowed", message: "" } as const;
  return { ...sums, faults: new Map([...sums.faults, [OWN_FIELDS, fault]]) };
}

function earnedFrom({ month, earned }: SentMonth): EarnedIn {
  return { month, earned: BigInt(earned) };
}

/** The state of saving, and the links that lead away. They wait until everything is stored. */
function Bar({ keeper, said }: { keeper: DraftKeeper; said: string }) {
  const { words } = useReader();
  const { id } = keeper.editing.stored;
  const issue = `/invoices/${id}/issue`;

  async function goIssue(event: Event): Promise<void> {
    event.preventDefault();
    if (await keeper.flush()) location.assign(issue);
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey)) return;
      if (event.key === "Enter") void goIssue(event);
      if (event.key === "s") {
        event.preventDefault();
        void keeper.flush();
      }
      if (event.key === "z" && !event.shiftKey && keeper.can_undo) {
        event.preventDefault();
        keeper.undo();
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <div class="row">
      <span class="pill warn">{words.invoice.draft}</span>
      <span class="small quiet" role="status">
        {said}
      </span>
      <span class="grow" />
      {keeper.can_undo && (
        <button type="button" class="button bare small" onClick={keeper.undo}>
          {words.draft.undo}
        </button>
      )}
      <a class="button" href={`/invoices/${id}/pdf`}>
        {words.draft.pdf}
      </a>
      <a class="button main" href={issue} onClick={goIssue}>
        {words.draft.issue}
      </a>
    </div>
  );
}

/** Adds the products that were chosen since the draft was stored. */
function factsWith(
  { facts }: DraftStored,
  found: ReadonlyMap<string, ProductFacts>,
): DraftStored["facts"] {
  const stored = new Set(facts.products.map(({ id }) => id));
  const chosen = [...found.values()].filter(({ id }) => !stored.has(id));
  return { ...facts, products: [...facts.products, ...chosen] };
}

function savingWords(
  saving: Editing["saving"],
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

function Changed({ keeper }: { keeper: DraftKeeper }) {
  const { words } = useReader();
  return (
    <div class="notice bad row" role="alert">
      <span>{words.draft.changed}</span>
      <button type="button" class="button small" onClick={keeper.showRemote}>
        {words.draft.remote}
      </button>
      <button type="button" class="button small" onClick={keeper.keepMine}>
        {words.draft.mine}
      </button>
    </div>
  );
}

export const island: IslandOf<Props> = { name: "draft-editor", View: DraftEditor };
