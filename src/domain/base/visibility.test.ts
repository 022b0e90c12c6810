import { describe, expect, it } from "vitest";
import {
  outOfScope,
  requireAdmin,
  requireView,
  unseenWarning,
  viewLine,
  viewsOf,
} from "./visibility.ts";

describe("the views of a role", () => {
  it("are mine and related for a standard user, and all as well for an admin", () => {
    expect(viewsOf("standard")).toEqual(["mine", "related"]);
    expect(viewsOf("admin")).toEqual(["mine", "related", "all"]);
  });

  it("refuse the whole account to a standard user, and name the view to use instead", () => {
    expect(() => requireView("standard", "all")).toThrow("use the scope mine");
    expect(() => requireView("standard", "related")).not.toThrow();
    expect(() => requireView("admin", "all")).not.toThrow();
  });
});

describe("data for admins only", () => {
  it("is refused to a standard user, and the refusal names the data", () => {
    expect(() => requireAdmin("standard", "accruals")).toThrow("Only an admin may see accruals.");
    expect(() => requireAdmin("admin", "accruals")).not.toThrow();
  });
});

describe("a resource outside the view", () => {
  it.each([
    ["customer", "This customer is outside your view"],
    ["invoice", "This invoice is outside your view"],
    ["credit_note", "This credit note is outside your view"],
    ["recurring_series", "This series is outside your view"],
  ] as const)("is refused with a sentence for its kind: %s", (kind, sentence) => {
    expect(outOfScope(kind)).toMatchObject({ code: "OUT_OF_SCOPE", kind: "forbidden" });
    expect(outOfScope(kind).message).toContain(sentence);
  });
});

describe("the line that states the view", () => {
  it.each([
    [{ view: "mine", in_scope: 3, beyond_scope: 12 }, "View: mine. In scope: 3. Beyond scope: 12."],
    [{ view: "mine", in_scope: 0, beyond_scope: 7 }, "View: mine. In scope: 0. Beyond scope: 7."],
    [{ view: "all", in_scope: 15, beyond_scope: 0 }, "View: all. In scope: 15. Beyond scope: 0."],
  ] as const)("is right for %o", (in_view, line) => {
    expect(viewLine(in_view)).toBe(line);
  });
});

describe("the warning that the creator will not see a document", () => {
  const line = (...ids: string[]) => ({ assignees: ids.map((user_id) => ({ user_id })) });

  it.each([
    ["standard", [], 1],
    ["standard", [line(), line("eva")], 1],
    ["standard", [line("eva"), line("eva", "bo")], 0],
    ["admin", [], 0],
  ] as const)(
    "is given to a user with the role %s, for the lines %j, %i times",
    (role, lines, count) => {
      expect(unseenWarning({ role, user_id: "bo" }, lines)).toHaveLength(count);
    },
  );
});
