/** The state of the draft editor without a browser: the saves, and the effect of each answer of the server. */
import { describe, expect, it } from "vitest";
import { TYPED_LINE, WORKSHOP } from "../../../test/support/documents/typed-line.ts";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { Refused } from "../browser/send.ts";
import {
  copyOf,
  type DraftEvent,
  type DraftState,
  draftAfter,
  draftFacts,
  draftFrom,
  draftSums,
  exitOf,
  OWN_FIELDS,
  pauseOf,
  savingOf,
} from "./draft-state.ts";
import type { DraftStored } from "./draft-stored.ts";
import type { ProductFacts } from "./draft-sums.ts";
import type { TypedDraft, TypedLine } from "./draft-typed.ts";

const draft = (title: string, lines: readonly TypedLine[] = [TYPED_LINE]): TypedDraft => ({
  customer_id: "customer",
  title,
  issue_date: "",
  auto_send: true,
  lines,
});

/** A version of the draft that the server stores. */
const stored = (typed: TypedDraft, version = "v1", fields: Partial<DraftStored> = {}) =>
  ({
    id: "draft",
    version,
    is_being_issued: false,
    is_in_doubt: false,
    typed,
    facts: {
      currency: "DKK",
      functional_currency: "DKK",
      today: "2026-03-01",
      customer: { id: "customer", name: "Lindegaard" },
      convention: "by_days",
      products: [WORKSHOP],
      worked: {},
      completed: {},
    },
    view: {},
    own_months: null,
    warnings: [],
    ...fields,
  }) as unknown as DraftStored;

const AUTUMN = stored(draft("Autumn"));
const opened = (from = AUTUMN): DraftState => draftFrom(from, "person", "en");
const played = (state: DraftState, ...events: readonly DraftEvent[]): DraftState =>
  events.reduce(draftAfter, state);
const titled = (title: string): DraftEvent => ({
  kind: "type",
  change: (typed) => ({ ...typed, title }),
});
const priced = (price: string): DraftEvent => ({
  kind: "type",
  change: (typed) => ({ ...typed, lines: typed.lines.map((line) => ({ ...line, price })) }),
});
const SAVE: DraftEvent = { kind: "save" };
const LOST: DraftEvent = { kind: "lost" };
const UNDO: DraftEvent = { kind: "undo" };
const done = (typed: TypedDraft, version = "v2"): DraftEvent => ({
  kind: "done",
  stored: stored(typed, version),
});
const refused = (
  code: ProblemCode,
  given: Partial<Refused> = {},
  current: DraftStored | null = null,
): DraftEvent => ({
  kind: "refused",
  refused: { code, message: "No.", field_errors: [], details: {}, ...given },
  current,
});
const changedMeanwhile = (current: DraftStored) =>
  refused("CHANGED_MEANWHILE", { details: { version: current.version } }, current);

describe("an edited draft", () => {
  it("is saved after a pause, based on the loaded version", () => {
    expect([savingOf(opened()), pauseOf(opened()), copyOf(opened())]).toEqual([
      "saved",
      null,
      null,
    ]);
    const typing = played(opened(), titled("Winter"));
    expect([savingOf(typing), pauseOf(typing)]).toEqual(["typing", 600]);
    expect(copyOf(typing)).toMatchObject({ version: "v1", typed: { title: "Winter" } });
    const saving = played(typing, SAVE);
    expect([savingOf(saving), pauseOf(saving)]).toEqual(["saving", null]);
    expect(saving.sending?.sent).toMatchObject({ id: "draft", seen: "v1", title: "Winter" });
    const saved = played(saving, done(draft("Winter")));
    expect([savingOf(saved), pauseOf(saved), copyOf(saved)]).toEqual(["saved", null, null]);
    expect(saved.stored.version).toBe("v2");
  });

  it("sends a reference of the buyer, and takes it back by an undo", () => {
    const type: DraftEvent = {
      kind: "type",
      change: (typed) => ({ ...typed, order_reference: "PO 7" }),
    };
    const from = opened(stored({ ...draft("Autumn"), order_reference: null }));
    const saving = played(from, type, SAVE);
    expect(saving.sending?.sent).toMatchObject({ order_reference: "PO 7" });
    const saved = played(saving, done({ ...draft("Autumn"), order_reference: "PO 7" }));
    expect(savingOf(saved)).toBe("saved");
    expect(played(saved, UNDO, SAVE).sending?.sent).toMatchObject({ order_reference: null });
  });

  it.each<[given: string, state: DraftState]>([
    ["nothing is typed", opened()],
    [
      "the typed text equals the stored text",
      played(opened(), { kind: "type", change: (typed) => typed }),
    ],
    ["a number cannot be read", played(opened(), priced("12x"))],
    [
      "another user's version is newer",
      played(opened(), titled("Mine"), SAVE, changedMeanwhile(stored(draft("Other"), "v7"))),
    ],
  ])("is not sent if %s", (_given, state) => {
    expect(played(state, SAVE).sending).toBeNull();
  });

  it("is sent one save at a time; later text is sent next, with the ids of new lines", () => {
    const line = { ...TYPED_LINE, key: "new", id: null };
    const add: DraftEvent = {
      kind: "type",
      change: (typed) => ({ ...typed, lines: [...typed.lines, line] }),
    };
    const saving = played(opened(), add, SAVE);
    const typing = played(saving, priced("7"), SAVE);
    expect(typing.sending).toBe(saving.sending);
    expect([savingOf(typing), pauseOf(typing)]).toEqual(["typing", null]);
    const lines = [TYPED_LINE, { ...line, id: "line-b" }];
    const answered = played(typing, done(draft("Autumn", lines)));
    expect([savingOf(answered), pauseOf(answered)]).toEqual(["typing", 600]);
    expect(played(answered, SAVE).sending?.sent).toMatchObject({
      seen: "v2",
      lines: [
        { id: "line-a", agreed_value: 7 },
        { id: "line-b", agreed_value: 7 },
      ],
    });
  });

  it("uses the products chosen since the last save", () => {
    const product = { ...WORKSHOP, id: "poster" };
    const choose = (one: ProductFacts): DraftEvent => ({ kind: "choose", key: "a", product: one });
    const state = played(opened(), choose(product), choose(WORKSHOP));
    expect(draftFacts(state).products.map(({ id }) => id)).toEqual(["workshop", "poster"]);
    const change = () => draft("Autumn", [{ ...TYPED_LINE, product_id: "poster" }]);
    expect(draftSums(played(state, { kind: "type", change })).nets).toEqual([10_000n]);
    expect(draftSums(played(opened(), { kind: "type", change })).nets).toEqual([null]);
  });

  it("must keep a line of a user who sees only drafts with their own lines", () => {
    const own = [{ ...TYPED_LINE, assignees: [{ user_id: "person", share: "", rate: null }] }];
    const state = opened(stored(draft("Autumn", own), "v1", { own_months: [] }));
    expect(played(state, titled("Winter"), SAVE).sending).not.toBeNull();
    const without = played(state, { kind: "type", change: () => draft("Winter") });
    expect([...draftSums(without).faults.keys()]).toEqual([OWN_FIELDS]);
    expect(played(without, SAVE).sending).toBeNull();
  });
});

describe("a save without an answer", () => {
  it("is repeated after a longer pause, or earlier if the text changes", () => {
    const lost = played(opened(), titled("Winter"), SAVE, LOST);
    expect([savingOf(lost), pauseOf(lost)]).toEqual(["lost", 3000]);
    expect(played(lost, SAVE).sending?.sent).toMatchObject({ title: "Winter", seen: "v1" });
    const typing = played(lost, titled("Spring"));
    expect([savingOf(typing), pauseOf(typing)]).toEqual(["typing", 600]);
  });

  it("causes no conflict if the stored draft equals the sent one", () => {
    const again = played(opened(), titled("Winter"), SAVE, LOST, SAVE);
    const own = played(again, changedMeanwhile(stored(draft("Winter"), "v2")));
    expect([savingOf(own), own.stored.version]).toEqual(["saved", "v2"]);
  });
});

describe("a refused save", () => {
  it.each<
    [given: string, code: ProblemCode, fields: Partial<Refused>, expected: readonly string[]]
  >([
    [
      "its field",
      "VALIDATION_FAILED",
      { field_errors: [{ field: "title", code: "too_long", message: "Long." }] },
      ["title"],
    ],
    ["the whole draft", "NOT_FOUND", {}, [""]],
    ["the whole draft after the session has expired", "UNAUTHORIZED", {}, [""]],
  ])(
    "shows the reason at %s and is not repeated until the text changes",
    (_given, code, fields, expected) => {
      const state = played(opened(), titled("Winter"), SAVE, refused(code, fields));
      expect([savingOf(state), pauseOf(state)]).toEqual(["refused", null]);
      expect([...state.refused.keys()]).toEqual(expected);
      expect(copyOf(state)).toMatchObject({ typed: { title: "Winter" } });
      const typing = played(state, titled("Spring"));
      expect([savingOf(typing), typing.refused.size]).toEqual(["typing", 0]);
      // The user may also send the same text again.
      const saved = played(state, SAVE, done(draft("Winter")));
      expect([savingOf(saved), saved.refused.size]).toEqual(["saved", 0]);
    },
  );

  it("shows no reason if the text has changed meanwhile, and sends the new text", () => {
    const state = played(opened(), priced("1"), SAVE, priced("2"), refused("VALIDATION_FAILED"));
    expect([savingOf(state), pauseOf(state), state.refused.size]).toEqual(["typing", 600, 0]);
  });
});

describe("a newer version of another user", () => {
  const REMOTE = stored(draft("Other"), "v7");
  const changed = () => played(opened(), titled("Mine"), SAVE, changedMeanwhile(REMOTE));

  it("is overwritten only if the user chooses so", () => {
    expect([savingOf(changed()), pauseOf(changed()), changed().remote]).toEqual([
      "changed",
      null,
      "v7",
    ]);
    const typing = played(changed(), titled("Mine too"), SAVE, UNDO, SAVE);
    expect([savingOf(typing), typing.sending]).toEqual(["changed", null]);
    const kept = played(changed(), { kind: "keep_mine" });
    expect(kept.sending?.sent).toMatchObject({ title: "Mine", seen: "v7" });
    expect(savingOf(played(kept, done(draft("Mine"), "v8")))).toBe("saved");
  });

  it("is another conflict if it was stored after the choice", () => {
    const kept = played(changed(), { kind: "keep_mine" });
    const again = played(kept, changedMeanwhile(stored(draft("Later"), "v8")));
    expect([savingOf(again), again.remote]).toEqual(["changed", "v8"]);
  });
});

describe("a draft left unsaved", () => {
  const restore = (version: string, title: string): DraftEvent => ({
    kind: "restore",
    copy: { version, typed: draft(title) },
  });

  it("is saved when the page is opened again", () => {
    const state = played(opened(), restore("v1", "Winter"));
    expect(state.sending?.sent).toMatchObject({ title: "Winter", seen: "v1" });
    expect(copyOf(state)).toMatchObject({ version: "v1", typed: { title: "Winter" } });
  });

  it("is dropped if the server has stored it", () => {
    const state = played(opened(), restore("v0", "Autumn"));
    expect([savingOf(state), copyOf(state)]).toEqual(["saved", null]);
  });

  it("conflicts with a version stored since, also after another reload", () => {
    const state = played(opened(stored(draft("Other"), "v7")), restore("v1", "Mine"));
    expect([savingOf(state), state.remote, state.typed.title]).toEqual(["changed", "v7", "Mine"]);
    expect(copyOf(state)?.version).toBe("v1");
    expect(played(state, { kind: "keep_mine" }).sending?.sent).toMatchObject({ seen: "v7" });
  });
});

describe("undo", () => {
  it("returns to the previous text, step by step, and saves it", () => {
    const state = played(opened(), titled("Winter"), titled("Spring"), UNDO);
    expect([state.typed.title, pauseOf(state)]).toEqual(["Winter", 600]);
    expect(played(state, UNDO, UNDO).typed.title).toBe("Autumn");
  });

  it("keeps the ids of lines stored meanwhile", () => {
    const line = { ...TYPED_LINE, key: "new", id: null };
    const add: DraftEvent = { kind: "type", change: () => draft("Autumn", [line]) };
    const answer = done(draft("Autumn", [{ ...line, id: "line-b" }]));
    const state = played(opened(), add, priced("7"), SAVE, answer, UNDO);
    expect(state.typed.lines).toMatchObject([{ id: "line-b", price: "100" }]);
  });
});

describe("leaving the page", () => {
  const LEAVE: DraftEvent = { kind: "leave", to: "/issue" };
  const leaving = () => played(opened(), titled("Winter"), LEAVE);

  it("saves without the pause and leaves when all text is stored", () => {
    expect(exitOf(played(opened(), LEAVE))).toEqual({ to: "/issue" });
    expect([leaving().sending?.sent.title, exitOf(leaving())]).toEqual(["Winter", null]);
    expect(exitOf(played(leaving(), done(draft("Winter"))))).toEqual({ to: "/issue" });
    // The rest is sent after the save in progress.
    const rest = played(opened(), titled("A"), SAVE, titled("B"), LEAVE, done(draft("A")));
    expect([rest.sending?.sent.title, exitOf(rest)]).toEqual(["B", null]);
    expect(exitOf(played(rest, done(draft("B"), "v3")))).toEqual({ to: "/issue" });
  });

  it.each<[given: string, state: DraftState]>([
    ["a number cannot be read", played(opened(), priced("x"), LEAVE)],
    ["no answer arrives", played(leaving(), LOST, SAVE)],
    ["the save is refused", played(leaving(), refused("VALIDATION_FAILED"), SAVE)],
    [
      "another user's version is newer",
      played(leaving(), changedMeanwhile(stored(draft("Other"), "v7")), { kind: "keep_mine" }),
    ],
    [
      "the user continues typing",
      played(leaving(), titled("Winter"), titled("Summer"), done(draft("Winter")), SAVE),
    ],
  ])("is cancelled if %s, even if a later save succeeds", (_given, state) => {
    expect(exitOf(played(state, done(state.typed, "v3")))).toBeNull();
  });
});

it("updates sums and warnings after a change outside of the draft, and keeps the typed text and the version", () => {
  const added = { text: "Hours were added.", cure: null };
  const refreshed = stored(draft("Other"), "v7", { warnings: [added] });
  const state = played(opened(), titled("Winter"), { kind: "refresh", stored: refreshed });
  expect(state).toMatchObject({ typed: { title: "Winter" }, stored: { version: "v1" } });
  expect(state.stored.warnings).toEqual([added]);
});
