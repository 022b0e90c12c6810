/** The CSRF proof of a form: different each time, valid for one session and one URL. */
import { describe, expect, it } from "vitest";
import { csrfToken, requireCsrf } from "./csrf.ts";

const given = (value: string | undefined, session = "session", url = "/customers/new") => {
  try {
    requireCsrf(session, url, value);
    return "taken";
  } catch {
    return "refused";
  }
};

describe("a proof", () => {
  it("differs each time, and all of them are valid", () => {
    const proofs = Array.from({ length: 20 }, () => csrfToken("session", "/customers/new"));
    expect(new Set(proofs).size).toBe(proofs.length);
    expect(proofs.map((proof) => given(proof))).toEqual(proofs.map(() => "taken"));
    // No two proofs share a half.
    const halves = proofs.flatMap((proof) => [proof.slice(0, 20), proof.slice(-20)]);
    expect(new Set(halves).size).toBe(halves.length);
  });

  it("is valid for one session and one URL", () => {
    const proof = csrfToken("session", "/customers/new");
    expect(given(proof, "another")).toBe("refused");
    expect(given(proof, "session", "/customers/new?x")).toBe("refused");
  });

  it.each([undefined, "", "x", "A".repeat(86), "A".repeat(2_000)])("is refused: %j", (value) => {
    expect(given(value)).toBe("refused");
  });

  it("is refused with a changed letter or a missing end", () => {
    const proof = csrfToken("session", "/customers/new");
    const other = (proof[10] === "A" ? "B" : "A") + proof.slice(11);
    expect(given(proof.slice(0, 10) + other)).toBe("refused");
    expect(given(proof.slice(0, -4))).toBe("refused");
  });
});
