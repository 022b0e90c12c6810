/** The text of a cursor: a position is read back unchanged, and other texts are refused (spec 11.5). */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorFrom, envelope, positionFrom } from "./page.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID = "0190a000-0000-7000-8000-000000000000";
const HORIZON = "2026-03-10T09:00:00.123456Z";

const encoded = (text: string) => Buffer.from(text).toString("base64url");

const horizon = fc
  .tuple(fc.date({ min: new Date("1970-01-01"), max: new Date("2199-12-31") }), fc.nat(999))
  .filter(([date]) => !Number.isNaN(date.getTime()))
  .map(([date, micros]) => `${date.toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`);

describe("a cursor", () => {
  it("returns its position and consists of letters, digits, - and _", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.option(horizon), fc.option(horizon), (id, end, from) => {
        const position = { id, horizon: end, ...(end && from ? { from } : {}) };
        const cursor = cursorFrom(position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(positionFrom(cursor, UUID)).toEqual(position);
      }),
    );
  });

  it("of a list by number contains a number", () => {
    const cursor = cursorFrom({ id: "1234567", horizon: null });

    expect(positionFrom(cursor, /^\d{1,9}$/).id).toBe("1234567");
    expect(() => positionFrom(cursor, UUID)).toThrow("not valid");
  });

  it.each([
    ["no text", ""],
    ["other text", "abc"],
    ["characters that base64url lacks", `${cursorFrom({ id: ID, horizon: null })}=`],
    ["a space at its end", `${cursorFrom({ id: ID, horizon: null })} `],
    ["another form", encoded(`2|${ID}`)],
    ["no id", encoded("1")],
    ["an id in upper case", encoded(`1|${ID.toUpperCase()}`)],
    ["an id with SQL", encoded(`1|${ID}' or true`)],
    ["a beginning that is not a time", encoded(`1|${ID}|${HORIZON}|x`)],
    ["one part too many", encoded(`1|${ID}|${HORIZON}|${HORIZON}|x`)],
    ["an empty horizon", encoded(`1|${ID}|`)],
    ["a horizon that is not a time", encoded(`1|${ID}|soon`)],
    ["a day that does not exist", encoded(`1|${ID}|2026-02-30T09:00:00.123456Z`)],
    ["an hour that does not exist", encoded(`1|${ID}|2026-02-28T24:00:00.123456Z`)],
    ["a second of 60", encoded(`1|${ID}|2026-02-28T23:59:60.123456Z`)],
    ["bytes that are not UTF-8", Buffer.from([0x31, 0x7c, 0xff, 0xfe]).toString("base64url")],
  ])("of %s is refused", (_what, cursor) => {
    expect(() => positionFrom(cursor, UUID)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        extras: {
          field_errors: [expect.objectContaining({ field: "cursor", code: "invalid_value" })],
        },
      }),
    );
  });

  it("of any text is refused or equals the cursor of its position", () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string()), (text) => {
        try {
          const position = positionFrom(text, UUID);
          expect(cursorFrom(position)).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_FAILED" });
        }
      }),
    );
  });
});

describe("the envelope of a list", () => {
  it("contains the texts unchanged", () => {
    expect(JSON.parse(envelope([], null))).toEqual({
      object: "list",
      data: [],
      has_more: false,
      next_cursor: null,
    });
    const texts = ['{"a":1}', '{"b":"]"}'] as never[];
    expect(JSON.parse(envelope(texts, "abc"))).toEqual({
      object: "list",
      data: [{ a: 1 }, { b: "]" }],
      has_more: true,
      next_cursor: "abc",
    });
  });
});
