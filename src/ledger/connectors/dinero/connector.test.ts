/** Any answer of Dinero becomes a value of the port, even if it differs from the documentation. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { accrual, danish } from "../../../../test/support/documents/documents.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import type { LedgerTransport } from "../../connector.ts";
import type { DocumentBooking, MappedAccount, VoucherBooking } from "../../ledger.ts";
import { dineroConnector } from "./connector.ts";

const accounts: MappedAccount[] = [1010, 1150, 8070].map((account_number) => ({
  account_number,
  vat_code: null,
  ledger_account: String(account_number),
  ledger_vat_code: null,
}));
const requested = { payload_hash: new Uint8Array(32), requested_by: "user:1", accounts };
const invoice: DocumentBooking = {
  kind: "invoice",
  guid: danish().document_id,
  document: danish(),
  ...requested,
};
const voucher: VoucherBooking = {
  kind: "voucher",
  guid: accrual().document_id,
  document: accrual(),
  ...requested,
};

/** A ledger that answers each request with the next status and body of a list, and repeats the list. */
function lineTo(answers: readonly (readonly [status: number, body: unknown])[]): LedgerTransport {
  let count = 0;
  return {
    settings: { organization_id: "1", client_id: "client" },
    secrets: { client_secret: "secret", api_key: "key" },
    tokens: {
      get: async () => ({ state: "token", access_token: "token" }),
      drop: async () => {},
    },
    async request() {
      const [status, body] = answers[count++ % answers.length] ?? [500, null];
      const content = Buffer.from(JSON.stringify(body) ?? "");
      return { state: "answered", status, headers: new Map(), body: content };
    },
  };
}

const known = fc.constantFrom(
  "Guid Status Number TimeStamp Date Currency TotalExclVat TotalVat TotalInclVat TotalInclVatInDkk Collection Id Version ContactGuid FromDate ToDate VatCode VatRate AccountNumber Amount Name code message validationErrors VoucherNumber VoucherGuid Recipients ExternalReference PaymentStatus PaidAmount RemainingAmount Payments PaymentDate".split(
    " ",
  ),
);
const word = known.chain((names) => fc.constantFrom(...names));
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      "",
      "Draft",
      "Booked",
      "DKK",
      "2026-01-01",
      invoice.guid,
      0,
      1,
      0.25,
    ),
    fc.double(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(word, tie("any"), { maxKeys: 8 }),
  ),
})).any;
const answers = fc.array(
  fc.tuple(fc.constantFrom(200, 200, 200, 200, 400, 404, 409, 403, 429, 480, 500), value),
  { minLength: 1, maxLength: 5 },
);

it("returns a value of the port for every verb, and a booking only under the given guid", async () => {
  const options = { signal: new AbortController().signal };
  const product = {
    guid: randomUUID(),
    ledger_id: null,
    active: true,
    product_number: null,
    name: "Hours",
    unit: "hours",
    ledger_account: "1000",
    price_scaled: 1n,
    quantity: 100,
    comments: null,
    external_reference: null,
  };
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      const { find, ensureBooked, more } = dineroConnector.open(lineTo(given));
      const mail = { type: "email", receiver: null } as const;
      const outcomes = [
        await ensureBooked(invoice, options),
        await ensureBooked(voucher, options),
        await find("invoice", invoice.guid, options),
        await find("voucher", voucher.guid, options),
        await more.check(options),
        await more.putProduct(product, options),
        await more.changes("2026-01-01T00:00:00Z", options),
        await more.lockedThrough(options),
        await more.month("2026-01" as Month, options),
        await more.payments?.([{ kind: "invoice", guid: invoice.guid }], options),
        await more.paymentChanges?.("2026-01-01T00:00:00Z", options),
        await more.sweep("invoice", invoice.guid, options),
        await more.send?.("invoice", invoice.guid, mail, options),
        await more.sends?.("invoice", invoice.guid, options),
        await more.pdf?.("invoice", invoice.guid, options),
      ];
      for (const outcome of outcomes) expect(outcome?.state).toEqual(expect.any(String));
      for (const outcome of outcomes.slice(0, 4)) {
        if (outcome?.state === "booked") {
          expect([invoice.guid, voucher.guid]).toContain((outcome as { guid: string }).guid);
        }
      }
    }),
    { numRuns: 200 },
  );
});
