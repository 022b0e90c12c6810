/** A typed draft: how its texts are read, and how its lines move. */
import { describe, expect, it } from "vitest";
import { TYPED_LINE } from "../../../test/support/documents/typed-line.ts";
import {
  methodChosen,
  placeUnder,
  readDraft,
  saysTheSame,
  type TypedDraft,
  type TypedLine,
  withCustomer,
  withIds,
  withLine,
  withLineCopied,
  withLineMoved,
  withLineUnderstood,
  withoutLine,
} from "./draft-typed.ts";

const draft = (...lines: readonly Partial<TypedLine>[]): TypedDraft => ({
  customer_id: "customer",
  title: " Autumn ",
  issue_date: "",
  auto_send: true,
  lines: lines.map((line) => ({ ...TYPED_LINE, ...line })),
});
const keys = ({ lines }: TypedDraft) => lines.map(({ key }) => key).join("");

describe("readDraft", () => {
  it("reads numbers in the format of the user's language", () => {
    const typed = draft({ price: "1.500", discount: "12,5" });
    expect(readDraft(typed, "da").changes.lines[0]).toMatchObject({
      agreed_value: 1500,
      discount: 12.5,
    });
    const { changes, faults } = readDraft(typed, "en");
    expect(changes.lines[0]).toMatchObject({ agreed_value: 1.5, discount: null });
    expect([...faults.keys()]).toEqual(["lines[0].discount"]);
  });

  it("reads the price as a rate for hours and as a value otherwise, and returns the other one unchanged", () => {
    const [by_hours, fixed] = readDraft(
      draft(
        { method: "hours", price: "950", other_price: 20_000 },
        { key: "b", price: "30", other_price: 950 },
      ),
      "en",
    ).changes.lines;
    expect(by_hours).toMatchObject({ hourly_rate: 950, agreed_value: 20_000 });
    expect(fixed).toMatchObject({ hourly_rate: 950, agreed_value: 30 });
  });

  it("omits the fields of other methods", () => {
    const typed = { service_from: "2026-01-01", service_to: "2026-12-31", budget: "10" };
    const sent = readDraft(draft({ ...typed, method: "milestone" }), "en").changes.lines[0];
    expect(sent).toMatchObject({ service_from: null, service_to: null, budget_hours: null });
  });

  it.each([
    [{ product_id: "" }, "lines[0].product_id", "required"],
    [{ price: "much" }, "lines[0].agreed_value", "invalid_type"],
    [{ price: "much", method: "hours" }, "lines[0].hourly_rate", "invalid_type"],
    [{ method: "progress" }, "lines[0].budget_hours", "required"],
    [{ method: "value", service_from: "2026-01-01" }, "lines[0].service_to", "required"],
    [
      { method: "value", service_from: "2026-02-31", service_to: "2026-03-01" },
      "lines[0].service_from",
      "invalid_format",
    ],
    [
      {
        assignees: [
          { user_id: "one", share: "60", rate: null },
          { user_id: "two", share: "", rate: null },
        ],
      },
      "lines[0].assignees",
      "sum_not_100",
    ],
  ] as const)("refuses %j at %s", (line, field, code) => {
    expect(readDraft(draft(line), "en").faults.get(field)).toMatchObject({ code });
  });

  it("trims texts and reads empty texts as null", () => {
    expect(readDraft(draft(), "en").changes).toMatchObject({ title: "Autumn", issue_date: null });
  });

  it.each([
    [" PO 7 ", "PO 7"],
    ["  ", null],
    [null, null],
    ["", ""],
    [undefined, undefined],
  ])(
    "reads the reference %j as %j: null is the customer's, and an absent one is not sent",
    (typed, sent) => {
      const { changes } = readDraft({ ...draft(), order_reference: typed }, "en");
      expect(changes.order_reference).toBe(sent);
      expect(JSON.stringify(changes).includes("order_reference")).toBe(sent !== undefined);
    },
  );
});

it("gets another customer, and is the same object for its own", () => {
  const typed = draft({});
  expect(withCustomer(typed, "other")).toMatchObject({ customer_id: "other", title: " Autumn " });
  expect(withCustomer(typed, "customer")).toBe(typed);
});

describe("the lines", () => {
  const three = draft({ key: "a" }, { key: "b" }, { key: "c" });

  it.each([
    ["a", 1, "bac"],
    ["a", -1, "abc"],
    ["c", -1, "acb"],
    ["c", -9, "cab"],
    ["b", 9, "acb"],
    ["x", 1, "abc"],
  ])("move: line %s by %i gives %s", (key, by, moved) => {
    expect(keys(withLineMoved(three, key, by))).toBe(moved);
  });

  it("are changed and removed one at a time", () => {
    expect(keys(withoutLine(three, "b"))).toBe("ac");
    const changed = withLine(three, "b", { price: "7" });
    expect(changed.lines.map(({ price }) => price)).toEqual(["100", "7", "100"]);
    expect(changed.lines[0]).toBe(three.lines[0]);
  });

  it("are copied without their id, to the place after", () => {
    const copied = withLineCopied(draft({ key: "a" }, { key: "b", price: "7" }), "b", "copy");
    expect(copied.lines).toMatchObject([{ key: "a" }, { key: "b" }, { key: "copy", price: "7" }]);
    expect(copied.lines.map(({ id }) => id)).toEqual(["line-a", "line-a", null]);
  });

  it.each([
    [0, 5, 0],
    [0, 25, 1],
    [0, 99, 2],
    [1, 5, 0],
    [1, 18, 1],
    [2, 15, 1],
    [2, -5, 0],
  ])("are dragged: from place %i to the height %i is the place %i", (from, y, to) => {
    expect(placeUnder([10, 20, 30], from, y)).toBe(to);
  });

  it.each([
    ["on_issue", "value", { method: "value" }],
    ["on_issue", "hours", { method: "hours", price: "", other_price: null }],
    ["hours", "progress", { method: "progress", price: "", other_price: null }],
  ] as const)("change from %s to %s", (method, next, change) => {
    expect(methodChosen({ ...TYPED_LINE, method }, next)).toEqual(change);
  });

  it("receive the ids of the sent lines at their new positions", () => {
    const sent = draft({ key: "a" }, { key: "n", id: null });
    const now = draft({ key: "later", id: null }, { key: "n", id: null, price: "5" }, { key: "a" });
    const ids = withIds(now, sent, ["line-a", "line-n"]).lines.map(({ id }) => id);
    expect(ids).toEqual([null, "line-n", "line-a"]);
  });
});

describe("a line whose fields were left", () => {
  it("shows its numbers as they were understood", () => {
    const assignees = [{ user_id: "one", share: "33,50", rate: null }];
    const typed = draft({ price: "3*18500", discount: "07", budget: "12", assignees });
    expect(withLineUnderstood(typed, "a", "da", "DKK").lines).toMatchObject([
      { price: "55.500,00", discount: "7", budget: "12,00", assignees: [{ share: "33,5" }] },
    ]);
  });

  it("is the same object if no text changes", () => {
    const typed = draft({ price: "12 kr.", discount: "x" }, { key: "b", price: "1,00" });
    expect(withLineUnderstood(typed, "a", "da", "DKK")).toBe(typed);
    expect(withLineUnderstood(typed, "b", "da", "DKK")).toBe(typed);
    expect(withLineUnderstood(typed, "gone", "da", "DKK")).toBe(typed);
  });
});

describe("two drafts", () => {
  it("are equal if only the format of a number or the ids differ", () => {
    const one = draft({ price: "1,000.00", id: null });
    expect(saysTheSame(one, draft({ price: "1000", id: "stored" }), "en")).toBe(true);
    expect(saysTheSame(one, draft({ price: "1001", id: "stored" }), "en")).toBe(false);
  });

  it("are not equal if a reference of the buyer differs", () => {
    const own = { ...draft(), buyer_reference: "Ida" };
    expect(saysTheSame(own, { ...draft(), buyer_reference: "Ida " }, "en")).toBe(true);
    expect(saysTheSame(own, { ...draft(), buyer_reference: null }, "en")).toBe(false);
  });

  it("are not equal if one of them cannot be read", () => {
    expect(saysTheSame(draft({ discount: "x" }), draft({ discount: "" }), "en")).toBe(false);
  });
});
