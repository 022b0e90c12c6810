/** The lines of a draft, and the actions on all of them. */
import { useMemo, useRef } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import { DraftLine } from "./draft-line.tsx";
import { draftFacts } from "./draft-state.ts";
import type { Named } from "./draft-stored.ts";
import type { DraftSums, ProductFacts } from "./draft-sums.ts";
import {
  type TypedDraft,
  type TypedLine,
  withLine,
  withLineMoved,
  withoutLine,
} from "./draft-typed.ts";
import { Unbilled } from "./draft-unbilled.tsx";
import type { Draft } from "./use-draft.ts";

interface Props extends Pick<Draft, "state" | "dispatch"> {
  readonly people: readonly Named[];
  readonly sums: DraftSums;
  readonly faults: DraftSums["faults"];
  readonly is_locked: boolean;
}

export function DraftLines({ state, dispatch, people, sums, faults, is_locked }: Props) {
  const { words: all } = useReader();
  const words = all.draft;
  const { typed, stored, person } = state;
  const { products } = draftFacts(state);
  const news = useRef(0);
  const change = (next: (draft: TypedDraft) => TypedDraft) =>
    dispatch({ kind: "type", change: next });
  // The same object during the editor's life, so that an unchanged line is not rendered again.
  const acts = useMemo(
    () => ({
      set: (key: string, next: Partial<TypedLine>) => change((draft) => withLine(draft, key, next)),
      remove: (key: string) => change((draft) => withoutLine(draft, key)),
      move: (key: string, by: number) => change((draft) => withLineMoved(draft, key, by)),
      found: (product: ProductFacts) => dispatch({ kind: "find", product }),
      id: stored.id,
      today: stored.facts.today,
    }),
    [],
  );
  function add(): void {
    news.current += 1;
    const key = `new ${Date.now()} ${news.current}`;
    // A person who sees only drafts with lines of their own starts as an assignee of each new line.
    const whose = stored.own_months === null ? [] : [person];
    change((draft) => ({ ...draft, lines: [...draft.lines, newLine(key, whose)] }));
    requestAnimationFrame(() => document.getElementById(`product-${key}`)?.focus());
  }
  return (
    <fieldset class="lines" disabled={is_locked}>
      {typed.lines.length === 0 && <p class="pad quiet">{words.no_lines}</p>}
      <ol>
        {typed.lines.map((line, index) => (
          <DraftLine
            key={line.key}
            line={line}
            index={index}
            net={sums.nets[index] ?? null}
            product={products.find(({ id }) => id === line.product_id)}
            worked={line.id === null ? undefined : stored.facts.worked[line.id]}
            faults={faultsOf(faults, index)}
            people={people}
            currency={stored.facts.currency}
            acts={acts}
          />
        ))}
      </ol>
      <div class="add">
        <button type="button" class="button bare small" onClick={add}>
          {words.add}
        </button>
        {stored.own_months === null && <Unbilled state={state} dispatch={dispatch} />}
      </div>
    </fieldset>
  );
}

/** Returns the faults of one line, by field. They are JSON text, so that equal faults compare as equal. */
function faultsOf(faults: DraftSums["faults"], index: number): string {
  const at = `lines[${index}].`;
  const own = [...faults].filter(([field]) => field.startsWith(at));
  return own.length === 0
    ? ""
    : JSON.stringify(own.map(([field, refusal]) => [field.slice(at.length), refusal]));
}

function newLine(key: string, whose: readonly string[]): TypedLine {
  return {
    key,
    id: null,
    product_id: "",
    text: "",
    method: "on_issue",
    price: "",
    other_price: null,
    discount: "",
    service_from: "",
    service_to: "",
    budget: "",
    assignees: whose.map((user_id) => ({ user_id, share: "", rate: null })),
  };
}
