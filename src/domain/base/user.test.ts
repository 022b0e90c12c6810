/** Who may appoint admins, and that one admin always remains. */
import { describe, expect, it } from "vitest";
import { Problem } from "./problem.ts";
import { becomesAdmin, requireAdminRemains, requireMayChangeAdmin } from "./user.ts";

const ADMIN = { email: "a@x.example", role: "admin", active: true } as const;
const STANDARD = { email: "s@x.example", role: "standard", active: true } as const;
type User = Parameters<typeof requireMayChangeAdmin>[2];

function outcome(work: () => void): string {
  try {
    work();
    return "done";
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe("requireMayChangeAdmin", () => {
  it.each<[string, User | null, User, string]>([
    ["a new standard user", null, STANDARD, "done"],
    ["a new admin", null, ADMIN, "ROLE_FORBIDDEN"],
    ["a new admin who is inactive", null, { ...ADMIN, active: false }, "ROLE_FORBIDDEN"],
    ["nothing of an admin", ADMIN, ADMIN, "done"],
    ["an admin's address", ADMIN, { ...ADMIN, email: "b@x.example" }, "ROLE_FORBIDDEN"],
    ["the case of an admin's address", ADMIN, { ...ADMIN, email: "A@x.example" }, "ROLE_FORBIDDEN"],
    ["an admin to standard", ADMIN, { ...ADMIN, role: "standard" }, "ROLE_FORBIDDEN"],
    ["an admin to inactive", ADMIN, { ...ADMIN, active: false }, "ROLE_FORBIDDEN"],
    ["an inactive admin to active", { ...ADMIN, active: false }, ADMIN, "ROLE_FORBIDDEN"],
    ["a standard user to admin", STANDARD, { ...STANDARD, role: "admin" }, "ROLE_FORBIDDEN"],
    ["a standard user's address", STANDARD, { ...STANDARD, email: "b@x.example" }, "done"],
    ["a standard user to inactive", STANDARD, { ...STANDARD, active: false }, "done"],
  ])("checks a change by a key: %s", (_change, before, after, expected) => {
    expect(outcome(() => requireMayChangeAdmin(false, before, after))).toBe(expected);
    expect(outcome(() => requireMayChangeAdmin(true, before, after))).toBe("done");
  });
});

describe("becomesAdmin", () => {
  it.each<[string, User | null, User, boolean]>([
    ["a new admin", null, ADMIN, true],
    ["a new standard user", null, STANDARD, false],
    ["a standard user to admin", STANDARD, { ...STANDARD, role: "admin" }, true],
    ["an inactive admin to active", { ...ADMIN, active: false }, ADMIN, true],
    ["a standard user to inactive admin", STANDARD, { ...ADMIN, active: false }, false],
    ["an admin who stays one", ADMIN, { ...ADMIN, email: "b@x.example" }, false],
    ["an admin to standard", ADMIN, STANDARD, false],
  ])("decides %s", (_change, before, after, expected) => {
    expect(becomesAdmin(before, after)).toBe(expected);
  });
});

describe("requireAdminRemains", () => {
  it.each<[string, User, User, number, string]>([
    ["the last admin to standard", ADMIN, STANDARD, 0, "LAST_ADMIN"],
    ["the last admin to inactive", ADMIN, { ...ADMIN, active: false }, 0, "LAST_ADMIN"],
    ["one of two admins to inactive", ADMIN, { ...ADMIN, active: false }, 1, "done"],
    ["the last admin's address", ADMIN, { ...ADMIN, email: "b@x.example" }, 0, "done"],
    ["a standard user to inactive", STANDARD, { ...STANDARD, active: false }, 0, "done"],
  ])("checks %s", (_change, before, after, others, expected) => {
    expect(outcome(() => requireAdminRemains(before, after, others))).toBe(expected);
  });
});
