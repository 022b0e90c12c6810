/**
 * The OpenAPI document is as strict as the service: Schemathesis makes requests that the document permits, and the service
 * refuses none of them as malformed or invalid except for the reasons listed here, which JSON Schema cannot express. It returns
 * no answer that the document does not describe. The account has the data of the walk that gives the document its examples.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { walk } from "../support/http/example-walk.ts";
import { openWalked, sendStep } from "../support/http/examples.ts";
import { type Failure, runSchemathesis, schemathesis } from "../support/http/schemathesis.ts";
import { isSkippedWithout } from "../support/run/needs.ts";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const SECONDS = Number(process.env.SCHEMATHESIS_SECONDS ?? 120);

/**
 * Why the service refuses a request that the document permits: the fields (or the sentence of a malformed path), the
 * codes of their errors, and the reason. The field's description states dependencies on other fields.
 */
const MISMATCHES: readonly (readonly [where: RegExp, codes: string, reason: string])[] = [
  [/./, "too_many_decimals", "validators judge `multipleOf` in binary floating point"],
  [
    /(agreed_value|hourly_rate|amount|earned|invoiced)$/,
    "required too_small too_large",
    "they depend on the recognition method, the prices of the product and the currency",
  ],
  [
    /\.(service_from|service_to|budget_hours|recognition_method)$/,
    "required not_allowed too_small too_large",
    "they depend on the recognition method and on each other",
  ],
  [/\.assignees$/, "sum_not_100", "percentages are added up"],
  [/(_id|^product|^customer)$/, "unknown_reference", "which ids exist depends on the account"],
  [
    /^(account_number|(counter|ledger|default_revenue)_account|account_roles\.\w+)$/,
    "unknown_account required not_allowed",
    "the account has its own chart of accounts, and may have a default",
  ],
  [
    /(_id|currency|position|^rows\[\d+\])$/,
    "duplicate",
    "the items of a list are compared by one field",
  ],
  [/(currency|^rate)$/, "not_allowed", "it depends on the functional currency"],
  [/^lines$/, "required not_allowed too_small", "they depend on the kind of the credit note"],
  [
    /^(from|to|at|date|end_date|cutover|service_(from|to))$/,
    "too_small too_large invalid_value not_allowed",
    "days are compared, also with today and with the ends of months, and not every dataset has months",
  ],
  [
    /^(lines\[\d+\]\.(accept|payment|reverse|bank_line)|(lines\[\d+\]\.payment\.)?(invoice|credit_note|payment|opening|reminder|customer|bank_account|remainder|rounding|allocations.*))$/,
    "required not_allowed unknown_reference invalid_value duplicate too_large",
    "some of several references are named, and which exist depends on the account",
  ],
  [
    /((days|default_months)|^(address|receiver|(buyer|order)_reference|accounting_cost|again))$/,
    "not_allowed too_small",
    "they depend on the mode, the type, the method or the channel beside them",
  ],
  [
    /^csv_profile/,
    "invalid_value required not_allowed duplicate",
    "a column is a head or a number",
  ],
  [
    /^(cursor|after|The resource is not the one .*)$/,
    "invalid_value not_allowed too_large PRECONDITION_FAILED",
    "only an earlier answer knows it",
  ],
  [
    /^(time_zone|types?|event_types?(\[\d+\])?)$/,
    "invalid_value not_allowed",
    "the lists of time zones and of types change with the system and with the version",
  ],
  [
    /^(content|file|url|headers.*)$/,
    "invalid_format invalid_value unknown_reference duplicate too_large not_allowed",
    "the bytes of a picture or of a bank's file are read, and addresses and names of headers judged",
  ],
  [
    /^(seller\.)?(email|address)$/,
    "invalid_format",
    "no class for the letters of all scripts is in every dialect of patterns",
  ],
  [
    /((vat|ean)_number|einvoice_address|^iban|^receiver)$/,
    "invalid_format invalid_value",
    "the country or scheme decides on the form, and check digits are computed",
  ],
  [
    /^(scope|period|is_default|A period of a \w+ series .*|Not a UUID\.|The body must be a file\.|The file .*)$/,
    "not_allowed MALFORMED_REQUEST",
    "they depend on the frequency and the lines of the series; an id that is null in an answer is none, a file is not empty and its XML is read, and a default is active",
  ],
  [
    /^(until|now|period|start_date|lines?|numbering\.\w+)$/,
    "too_many too_large too_small",
    "the bound depends on what is stored: lines that wait, numbers that are used",
  ],
];
const MOST_MISMATCHES = 20;

it(`has at most ${MOST_MISMATCHES} reasons for a mismatch`, () => {
  expect(MISMATCHES.length).toBeLessThanOrEqual(MOST_MISMATCHES);
});

describe.skipIf(isSkippedWithout(schemathesis !== undefined))(
  "Schemathesis (needs Schemathesis: SCHEMATHESIS names its program `st`)",
  () => {
    const world = useWorld();
    let program: BuiltProgram;
    beforeAll(async () => {
      program = await buildProgram();
    });
    afterAll(() => program.end());

    it("finds no server error, no undocumented answer and no refusal for another reason", async () => {
      const { keys } = await openWalked(world);
      const key = keys.read_write;
      await walk(async (call, body) => {
        const { status, body: answer } = await sendStep(world, call, body, key);
        expect(status, call).toBeLessThan(300);
        return answer;
      });
      const { origin } = await startOnWorld(program, world, { MATCHBOOK_MAIL_LIMITS: "off" });
      const run = await runSchemathesis(schemathesis ?? "", { origin, key, seconds: SECONDS });
      process.stdout.write(
        `Schemathesis: ${run.cases} requests of ${run.operations} operations, ${run.failures.length} failed checks; ${JSON.stringify(run.phases)}\n`,
      );
      expect(run.phases).toHaveProperty("examples");
      expect(run.cases).toBeGreaterThan(100);
      const unexplained = new Set(run.failures.filter((one) => !isNamed(one)).map(shown));
      expect([...unexplained].slice(0, 20)).toEqual([]);
    }, 1_800_000);
  },
);

function isNamed({ check, answer }: Failure): boolean {
  const { code: of_all = "", message: sentence = "", field_errors } = answer?.error ?? {};
  const faults: Json[] = field_errors ?? [{ field: sentence, code: of_all }];
  return (
    check === "positive_data_acceptance" &&
    faults.every(({ field, code }) =>
      MISMATCHES.some(([where, codes]) => where.test(field) && codes.split(" ").includes(code)),
    )
  );
}

function shown({ operation, check, request, status, answer }: Failure): string {
  const faults: Json[] = answer?.error?.field_errors ?? [];
  const why =
    faults.length === 0
      ? JSON.stringify(answer)
      : faults.map(({ field, code, message }) => `${field} ${code}: ${message}`).join("; ");
  return `${operation}, ${check}: ${status} ${why}\n  ${request.slice(0, 600)}`;
}
