/**
 * Invalid input is refused with the envelope and changes nothing (spec 0.3, 0.5, 11.4 and 11.5): 400 for unreadable input, 422
 * for invalid input, never a 5xx. Fields come from the OpenAPI document, so that new ones are tested as well. Query parameters
 * and connections have their own files.
 */
import { afterEach, describe, expect, it } from "vitest";
import {
  type Field,
  fieldName,
  fieldsOf,
  type Operation,
  operations,
  withField,
} from "../support/http/openapi.ts";
import { refusal } from "../support/http/refusal.ts";
import { callOf, faultsOf, UNKNOWN_ID, useTarget } from "../support/http/target.ts";
import type { Json, Reply } from "../support/world/world.ts";

const MALFORMED = "400 MALFORMED_REQUEST";

const target = useTarget();
afterEach(() => target.requireUnharmed());

/** The operations with a JSON body, and each of their fields of some types. */
const withBody = operations.filter((operation) => operation.body !== undefined);
const fields = (...types: string[]) =>
  withBody.flatMap((operation) =>
    fieldsOf(operation.body)
      .filter((field) => types.includes(field.schema.type))
      // Any other id of a line than one of the invoice's is ignored (spec 5.2).
      .filter((field) => fieldName(field.path) !== "lines[0].id")
      .map((field) => [`${callOf(operation)} ${fieldName(field.path)}`, operation, field] as const),
  );

describe("an unreadable body is refused with 400", () => {
  it.each<[what: string, body: string | Buffer | undefined, headers?: Record<string, string>]>([
    ["broken JSON", '{"name": '],
    ["JSON with trailing text", '{"name":"x"} {}'],
    ["a bare word", "NaN"],
    ["an invalid number", '{"name": NaN}'],
    ["an empty body", ""],
    ["no body", undefined],
    ["an array", "[]"],
    ["a string", '"name"'],
    ["a number", "1"],
    ["null", "null"],
    ["true", "true"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["a surrogate as bytes", Buffer.from('{"name":"\xed\xa0\x80"}', "latin1")],
    ["UTF-16", Buffer.from('{"name":"x"}', "utf16le")],
    ["200,000 nested arrays", `{"name":${"[".repeat(200_000)}`],
    ["200,000 nested objects", '{"a":'.repeat(200_000)],
    ["51 levels that are closed", `${'{"a":'.repeat(51)}1${"}".repeat(51)}`],
    ["more than 1 MB", JSON.stringify({ name: "x", comments: "x".repeat(1_000_000) })],
    ["plain text", '{"name":"x"}', { "content-type": "text/plain" }],
    ["a form", "name=x", { "content-type": "application/x-www-form-urlencoded" }],
    ["a file", "--x--", { "content-type": "multipart/form-data; boundary=x" }],
    ["an invalid content type", "{}", { "content-type": "json" }],
    ["no content type", Buffer.from('{"name":"x"}'), { "content-type": "" }],
  ] as const)("%s", async (_what, body, headers: Record<string, string> = {}) => {
    expect(refusal(await target.send("POST", "/customers", body, headers))).toBe(MALFORMED);
  });

  it("but brackets within a text are accepted as text", async () => {
    const body = JSON.stringify({ name: '[{"'.repeat(100_000) });
    expect(refusal(await target.send("POST", "/customers", body))).toBe(
      "422 VALIDATION_FAILED name too_long",
    );
  });

  it("but 50 levels and a charset of UTF-8 are accepted", async () => {
    const body = `{"name":"x","id":${"[".repeat(49)}${"]".repeat(49)}}`;
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await target.send("POST", "/customers", body, headers)).status).toBe(201);
  });
});

describe("an unreadable path is refused", () => {
  it.each([
    ["NUL in an external id", "/customers/ext:%00", MALFORMED],
    ["an empty external id", "/customers/ext:", MALFORMED],
    ["neither a UUID nor ext:", "/customers/nonsense", MALFORMED],
    ["a UUID that is one digit short", `/customers/${UNKNOWN_ID.slice(1)}`, MALFORMED],
    ["invalid percent-encoding", "/customers/%zz", MALFORMED],
    ["percent-encoding cut off", "/customers/ext:a%2", MALFORMED],
    ["bytes that are not UTF-8", "/customers/ext:%ff%fe", MALFORMED],
    ["a surrogate as bytes", "/customers/ext:%ed%a0%80", MALFORMED],
    ["a path within a reference", "/customers/..%2f..%2fetc%2fpasswd", MALFORMED],
    ["an unknown id", `/customers/${UNKNOWN_ID}`, "404 NOT_FOUND"],
    ["an unknown external id", "/customers/ext:unknown", "404 NOT_FOUND"],
    ["an external id that is SQL", "/customers/ext:'%20or%201=1--", "404 NOT_FOUND"],
    ["an external id of 4,000 characters", `/customers/ext:${"x".repeat(4000)}`, "404 NOT_FOUND"],
    ["a number beyond all accounts", "/ledger/accounts/99999999999", MALFORMED, "PATCH"],
    ["an invalid number", "/ledger/accounts/1e3", MALFORMED, "PATCH"],
    ["a day that does not exist", "/exchange-rates/EUR/2026-02-30", MALFORMED, "PUT"],
    ["a currency that does not exist", "/exchange-rates/EURO/2026-02-28", MALFORMED, "PUT"],
  ])("%s", async (_what, path, expected, method = "GET") => {
    expect(refusal(await target.send(method, path, method === "GET" ? undefined : "{}"))).toBe(
      expected,
    );
  });
});

describe("keys with a special meaning in JavaScript are ordinary fields", () => {
  it.each(["__proto__", "constructor", "prototype"])("%s is an unknown field", async (key) => {
    const body = `{"name":"x","${key}":{"is_person":true,"polluted":1,"prototype":{"polluted":1}}}`;

    const reply = await target.send("POST", "/customers", body);

    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${key} unknown_field`);
    expect(({} as Json).polluted).toBeUndefined();
    const asked = await target.world.rest(`GET /customers?${key}=1&${key}[polluted]=1`);
    expect(refusal(asked)).toContain(`${key} unknown_parameter`);
    expect(({} as Json).polluted).toBeUndefined();
  });
});

describe("text that the database cannot store is refused with 422", () => {
  it.each(fields("string"))("in %s", async (_name, operation, field) => {
    for (const text of ["\u0000", "a\u0000b", "\ud800", "a\udc00b"]) {
      expect(faultsOf(await sendField(operation, field, text))).toContain(fieldName(field.path));
    }
  });

  it.each(fields("string").filter(([, , { schema }]) => schema.maxLength))(
    "and so is a text that is too long in %s",
    async (_name, operation, field) => {
      // A text of this length with four bytes for each character would exceed the limit of a body.
      const one = field.schema.maxLength > 100_000 ? "A" : "\u{1F41F}";
      const text = one.repeat(field.schema.maxLength + 1);
      expect(faultsOf(await sendField(operation, field, text))).toContain(fieldName(field.path));
    },
  );
});

describe("invalid or excessive numbers are refused with 422", () => {
  it.each(fields("number", "integer"))("in %s", async (_name, operation, field) => {
    for (const json of [
      // Only the number of days before a period may be below 0.
      ...((field.schema.minimum ?? 0) < 0 ? [] : ["-1"]),
      "1e400",
      "-1e400",
      // An amount's upper bound depends on its currency, as its decimals do: both are checked later, and tested below.
      ...(field.schema.type === "number" && !field.schema["x-decimals"] ? [] : ["1e308"]),
      "-1e308",
      "5e-324",
      "9007199254740993",
      "123456789012.3456",
      "0.12345678",
      '"1"',
      // A column of a CSV is named by its head or by its number.
      ...(fieldName(field.path).startsWith("csv_profile.columns.") ? [] : ['"NaN"']),
      "true",
      "[1]",
      "{}",
    ]) {
      const reply = await sendField(operation, field, "HERE", (text) =>
        text.replace('"HERE"', json),
      );
      expect(faultsOf(reply), json).toContain(fieldName(field.path));
    }
  });

  it.each([
    ["DKK", 0.001, "too_many_decimals"],
    ["JPY", 0.5, "too_many_decimals"],
    ["DKK", 10_000_000_000.01, "too_large"],
    ["DKK", 10_000_000_001, "too_large"],
    ["DKK", 1e308, "too_large"],
  ])("and so is an amount in %s of %s", async (currency, agreed_value, code) => {
    const lines = [{ product_id: target.product.id, recognition_method: "value", agreed_value }];
    const reply = await target.world.rest("POST /invoices", {
      customer_id: target.survivor.id,
      currency,
      lines,
    });
    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED lines[0].agreed_value ${code}`);
  });

  it("and so are 501 lines", async () => {
    const line = { product_id: target.product.id, recognition_method: "value", agreed_value: 1 };
    const lines = Array.from({ length: 501 }, () => line);
    const reply = await target.world.rest("POST /invoices", {
      customer_id: target.survivor.id,
      lines,
    });
    expect(refusal(reply)).toBe("422 VALIDATION_FAILED lines too_long");
  });
});

/** Sends the smallest body with this value in one field. */
function sendField(
  operation: Operation,
  { path }: Field,
  value: unknown,
  edit: (json: string) => string = (json) => json,
): Promise<Reply> {
  const body = edit(JSON.stringify(withField(undefined, path, value)));
  return target.send(operation.method, target.pathOf(operation), body);
}
