/** The lines of a draft below their common head, and the actions on all of them. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import type { LineActs } from "./draft-acts.ts";
import { DraftLine } from "./draft-line.tsx";
import { draftFacts } from "./draft-state.ts";
import type { Named } from "./draft-stored.ts";
import { type DraftSums, monthsByMethod } from "./draft-sums.ts";
import {
  type TypedDraft,
  type TypedLine,
  withLine,
  withLineCopied,
  withLineMoved,
  withoutLine,
} from "./draft-typed.ts";
import { Unbilled } from "./draft-unbilled.tsx";
import { wakeItems } from "./late-item.tsx";
import { keyOfLine } from "./line-keys.ts";
import type { Draft } from "./use-draft.ts";
import { useLineDrag } from "./use-line-drag.ts";

interface Props extends Pick<Draft, "state" | "dispatch"> {
  readonly people: readonly Named[];
  readonly sums: DraftSums;
  readonly faults: DraftSums["faults"];
  readonly is_locked: boolean;
}

export function DraftLines({ state, dispatch, people, sums, faults, is_locked }: Props) {
  const { words: all } = useReader();
  const words = all.draft;
  const { typed, stored } = state;
  const { products, currency } = draftFacts(state);
  const { acts, add } = useLineActs({ state, dispatch });
  const { handlers, classOf } = useLineDrag((from, by) => {
    const line = typed.lines[from];
    if (line !== undefined) acts.move(line.key, by);
  });

  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current !== null) wakeItems(list.current);
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const index = typed.lines.findIndex(({ key }) => key === keyAround(target));
    const key = typed.lines[index]?.key;
    const meaning = key === undefined ? null : keyOfLine(event, placeOf(target));
    if (key === undefined || meaning === null) return;
    event.preventDefault();
    const next = typed.lines[index + 1];
    if (meaning === "copy") acts.copy(key);
    else if (meaning !== "next") acts.move(key, meaning === "up" ? -1 : 1);
    else if (next !== undefined) focusProduct(next.key);
    else add();
  }

  return (
    <fieldset class="lines" disabled={is_locked}>
      {typed.lines.length === 0 ? <p class="none quiet">{words.no_lines}</p> : <ColumnHeads />}
      <ol ref={list} {...(is_locked ? {} : { ...handlers, onKeyDown })}>
        {typed.lines.map((line, index) => (
          <DraftLine
            key={line.key}
            line={line}
            index={index}
            net={sums.nets[index] ?? null}
            price={sums.prices[index] ?? null}
            product={products.find(({ id }) => id === line.product_id)}
            worked={line.id === null ? undefined : stored.facts.worked[line.id]}
            faults={faultsOf(faults, index)}
            drag={classOf(index)}
            people={people}
            currency={currency}
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

/** Returns the actions of the lines, the same object during the editor's life, and the action that adds a line. */
function useLineActs({ state, dispatch }: Pick<Draft, "state" | "dispatch">) {
  const { language } = useReader();
  const now = useRef(state);
  now.current = state;
  const news = useRef(0);
  const newKey = () => {
    news.current += 1;
    return `new ${Date.now()} ${news.current}`;
  };
  const acts = useMemo((): LineActs => {
    const change = (next: (draft: TypedDraft) => TypedDraft) =>
      dispatch({ kind: "type", change: next });
    const { stored } = state;
    return {
      set: (key, next) => change((draft) => withLine(draft, key, next)),
      remove: (key) => change((draft) => withoutLine(draft, key)),
      move(key, by) {
        const before = document.activeElement;
        change((draft) => withLineMoved(draft, key, by));
        // An element that moves loses the focus.
        requestAnimationFrame(() => before instanceof HTMLElement && before.focus());
      },
      copy(key) {
        const copy_key = newKey();
        change((draft) => withLineCopied(draft, key, copy_key));
        focusProduct(copy_key);
      },
      left: (key, is_line) => dispatch({ kind: is_line ? "line_left" : "field_left", key }),
      choose: (key, product) => dispatch({ kind: "choose", key, product }),
      months(line, method) {
        // The dates of other people's hours are not sent to people who do not see the account.
        if (now.current.stored.own_months !== null) return null;
        return monthsByMethod(now.current.typed, line, method, draftFacts(now.current), language);
      },
      id: stored.id,
      today: stored.facts.today,
    };
  }, []);

  function add(): void {
    const key = newKey();
    // A person who sees only drafts with lines of their own starts as an assignee of each new line.
    const whose = state.stored.own_months === null ? [] : [state.person];
    dispatch({ kind: "add", line: newLine(key, whose) });
    focusProduct(key);
  }
  return { acts, add };
}

/** Shows the names of the columns once for all lines, and the keys of the fields. */
function ColumnHeads() {
  const { words: all } = useReader();
  const words = all.draft;
  return (
    <div class="line-heads" aria-hidden="true">
      <span>{words.columns}</span>
      <span class="num">{words.quantity}</span>
      <span class="num">{words.price}</span>
      <span class="num">{words.discount}</span>
      <span class="num">{words.net}</span>
    </div>
  );
}

function focusProduct(key: string): void {
  requestAnimationFrame(() => document.getElementById(`product-${key}`)?.focus());
}

function keyAround(target: HTMLElement): string | undefined {
  return target.closest<HTMLElement>("li.line")?.dataset.key;
}

/** Returns the kind of place in a line: a simple field, the handle, or something with keys of its own. */
function placeOf(target: HTMLElement): Parameters<typeof keyOfLine>[1] {
  if (target.closest(".grip > summary") !== null) return "handle";
  const is_simple =
    target instanceof HTMLInputElement &&
    target.getAttribute("role") !== "combobox" &&
    target.closest(".panel") === null;
  return is_simple ? "field" : "other";
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
