/** The vectors of RFC 6238 (appendix B, SHA-1) and of RFC 4648 (base 32), and the window of accepted codes. */
import { describe, expect, it } from "vitest";
import { base32, matchingStep, otpauthUrl, totpCode, totpStep } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");

it.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("the code at second %d is %s", (second, code) => {
  expect(totpCode(SECRET, totpStep(second * 1000), 8)).toBe(code);
  expect(totpCode(SECRET, totpStep(second * 1000))).toBe(code.slice(2));
});

describe("a code", () => {
  const at = 1111111109_000;
  const step = totpStep(at);
  const code = (offset: number) => totpCode(SECRET, step + offset);

  it.each([
    ["of the present step", 0, null, step],
    ["of the step before", -1, null, step - 1],
    ["of the next step", 1, null, step + 1],
    ["of two steps before", -2, null, null],
    ["of two steps later", 2, null, null],
    ["that was used", 0, step, null],
    ["before one that was used", -1, step, null],
    ["after one that was used", 1, step, step + 1],
  ])("%s", (_case, offset, last_step, expected) => {
    expect(matchingStep(SECRET, code(offset), at, last_step)).toBe(expected);
  });

  it.each(["", "12345", "1234567", "abcdef", "94287082"])("is not %j", (given) => {
    expect(matchingStep(SECRET, given, at, null)).toBeNull();
  });
});

it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base 32 is %s", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

it("an app reads issuer, login and secret from the address", () => {
  const url = new URL(otpauthUrl(SECRET, "anna+x@nordlys.example"));
  expect(decodeURIComponent(url.pathname)).toContain("Matchbook:anna+x@nordlys.example");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    issuer: "Matchbook",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
