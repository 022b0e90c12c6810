/** The state of the draft editor when a field or a line is left, and when a line is added. */
import { describe, expect, it } from "vitest";
import { TYPED_LINE, WORKSHOP } from "../../../test/support/documents/typed-line.ts";
import {
  copyOf,
  type DraftEvent,
  type DraftState,
  draftAfter,
  draftFrom,
  draftSums,
  savingOf,
  shownFaults,
} from "./draft-state.ts";
import type { DraftStored } from "./draft-stored.ts";
import { type TypedDraft, withLine } from "./draft-typed.ts";

const draft = (price: string): TypedDraft => ({
  customer_id: "customer",
  title: "Autumn",
  issue_date: "",
  auto_send: true,
  lines: [{ ...TYPED_LINE, price }],
});
const stored = (typed: TypedDraft, version = "v1") =>
  ({
    id: "draft",
    version,
    typed,
    facts: {
      currency: "DKK",
      functional_currency: "DKK",
      today: "2026-03-01",
      convention: "by_days",
      products: [WORKSHOP],
      worked: {},
      completed: {},
    },
    own_months: null,
  }) as unknown as DraftStored;

const opened = (): DraftState => draftFrom(stored(draft("100")), "person", "en");
const played = (state: DraftState, ...events: readonly DraftEvent[]): DraftState =>
  events.reduce(draftAfter, state);
const priced = (price: string): DraftEvent => ({
  kind: "type",
  change: (typed) => withLine(typed, "a", { price }),
});
const SAVE: DraftEvent = { kind: "save" };
const UNDO: DraftEvent = { kind: "undo" };
const REFUSED: DraftEvent = {
  kind: "refused",
  refused: { code: "VALIDATION_FAILED", message: "No.", field_errors: [], details: {} },
  current: null,
};

describe("a field that was left", () => {
  const leave: DraftEvent = { kind: "field_left", key: "a" };
  const prices = ({ typed }: DraftState) => typed.lines.map(({ price }) => price);

  it("shows the number that was understood, and keeps a text that cannot be read", () => {
    expect(prices(played(opened(), priced("3*18500"), leave))).toEqual(["55,500.00"]);
    expect(prices(played(opened(), priced("12x"), leave))).toEqual(["12x"]);
  });

  it("changes neither a stored draft nor the earlier texts", () => {
    const left = played(opened(), leave);
    expect([prices(left), savingOf(left), copyOf(left)]).toEqual([["100.00"], "saved", null]);
    const undone = played(opened(), priced("7"), leave, UNDO);
    expect(prices(undone)).toEqual(["100"]);
  });

  it("belongs to the save under way, which is not sent again", () => {
    const saving = played(opened(), priced("14500"), SAVE);
    const left = played(saving, leave);
    expect([prices(left), savingOf(left)]).toEqual([["14,500.00"], "saving"]);
    expect(left.sending?.sent).toBe(saving.sending?.sent);
    const answered = played(left, { kind: "done", stored: stored(draft("14500"), "v2") });
    expect([savingOf(answered), copyOf(answered)]).toEqual(["saved", null]);
  });

  it("keeps the refusal of the same number", () => {
    const state = played(opened(), priced("14500"), SAVE, REFUSED, leave);
    expect([savingOf(state), state.refused.size]).toEqual(["refused", 1]);
  });
});

describe("a new line", () => {
  const line = { ...TYPED_LINE, key: "new", id: null, product_id: "", price: "" };
  const added = played(opened(), { kind: "add", line });
  const shown = (state: DraftState) => [...shownFaults(state, draftSums(state).faults).keys()];

  it("shows its faults only after it was left, and is not saved with them", () => {
    const fields_left = played(added, { kind: "field_left", key: "new" });
    expect([shown(added), shown(fields_left)]).toEqual([[], []]);
    expect(played(added, SAVE).sending).toBeNull();
    const left = played(added, { kind: "line_left", key: "new" });
    expect(shown(left)).toEqual(["lines[1].product_id"]);
  });

  it("hides no fault of another line", () => {
    expect(shown(played(added, { kind: "line_left", key: "a" }))).toEqual([]);
    const state = played(added, {
      kind: "type",
      change: (typed) => withLine(typed, "a", { price: "12x" }),
    });
    expect(shown(state)).toEqual(["lines[0].agreed_value"]);
  });

  it("takes the price of its product", () => {
    const state = played(added, { kind: "choose", key: "new", product: WORKSHOP });
    expect([draftSums(state).prices, shown(state)]).toEqual([[10_000n, 100_000n], []]);
  });

  it("can be removed before a late choice arrives", () => {
    const removed = played(added, UNDO);
    expect(played(removed, { kind: "choose", key: "new", product: WORKSHOP })).toBe(removed);
  });
});
