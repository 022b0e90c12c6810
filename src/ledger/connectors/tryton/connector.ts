/**
 * The connector to Tryton, a self-hosted accounting system, over JSON-RPC. Tryton has no key by which a create could be repeated
 * safely, numbers without gaps and takes one posting at a time (docs/decisions/0081).
 */
import type { Connector, LedgerTransport } from "../../connector.ts";
import type { FoundBooking } from "../../ledger.ts";
import type { CallOptions, DocumentKind } from "../../outcome.ts";
import { databaseUrl, inSession, type Tryton } from "./api.ts";
import { bookDocument } from "./book-document.ts";
import { changesSince } from "./changes.ts";
import { check } from "./check.ts";
import { putCustomer } from "./customers.ts";
import { readMonth } from "./month.ts";
import { readPayments } from "./payments.ts";
import { closedThrough } from "./periods.ts";
import { putProduct } from "./products.ts";
import { bookedFrom, documentsUnder } from "./read-document.ts";
import { asked, settled } from "./refusals.ts";
import { idOf } from "./values.ts";
import { bookVoucher, findVoucher, movesUnder } from "./vouchers.ts";

export const trytonConnector: Connector = {
  kind: "tryton",
  title: "Tryton",
  fields: [
    field("url", "The address of the server, such as https://tryton.example.com."),
    field("database", "The name of the database on the server."),
    field("user", "The login of a user who may post invoices and moves."),
    { ...field("password", "The password of that user."), is_secret: true },
  ],
  // Each customer hosts the server itself.
  hosts: [],
  capabilities: {
    documents: "service",
    sends: [],
    asynchronous_vouchers: false,
    supplies_rates: true,
    numbers_restart_by_year: true,
    tells_payments: true,
    // What is left to pay is computed when it is read: no record of an invoice changes with it.
    lists_payment_changes: false,
    // Posting locks its sequences: most of several parallel postings would be refused.
    concurrent_bookings: 1,
  },
  // A verb makes up to eleven requests, one after the other: a server that takes a second for each of them can still book.
  timeouts: { request_ms: 8_000, call_ms: 16_000, pause_ms: 500, rounds: 2, total_ms: 18_000 },
  requestsPerMinute: () => null,
  organisationKey: (settings) => databaseUrl({ settings }),
  open: (line) => ({
    find: (kind, guid, options) =>
      asked(() => inSession(line, options, (at) => find(at, kind, guid))),
    ensureBooked: (intent, options) =>
      settled(() =>
        inSession(line, options, (at) =>
          intent.kind === "voucher"
            ? bookVoucher(at, intent)
            : bookDocument(at, line.settings.user ?? "", intent),
        ),
      ),
    more: moreOf(line),
  }),
};

function field(name: string, description: string): Connector["fields"][number] {
  return { name, is_secret: false, is_required: true, description };
}

function moreOf(line: LedgerTransport): ReturnType<Connector["open"]>["more"] {
  const inside = <Result>(options: CallOptions, verb: (at: Tryton) => Promise<Result>) =>
    asked(() => inSession(line, options, verb));
  return {
    check: (options) => asked(() => check(line, options)),
    putCustomer: (customer, options) =>
      settled(() => inSession(line, options, (at) => putCustomer(at, customer))),
    putProduct: (product, options) =>
      settled(() => inSession(line, options, (at) => putProduct(at, product))),
    changes: (since, options) => inside(options, (at) => changesSince(at, since)),
    lockedThrough: (options) =>
      inside(options, async (at) => ({ state: "locked_through", day: await closedThrough(at) })),
    payments: (documents, options) => inside(options, (at) => readPayments(at, documents)),
    month: (month, options) => inside(options, (at) => readMonth(at, month)),
    sweep: (kind, guid, options) =>
      inside(options, async (at) => ({ state: "swept", drafts: await sweep(at, kind, guid) })),
  };
}

async function find(at: Tryton, kind: DocumentKind, guid: string): Promise<FoundBooking> {
  if (kind === "voucher") return findVoucher(at, guid);
  const { booked, drafts } = await documentsUnder(at, kind, guid);
  if (booked !== null) return bookedFrom(at, guid, booked);
  return { state: drafts.length > 0 ? "draft" : "absent" };
}

/** Deletes the drafts under a guid. Tryton itself refuses to delete posted or numbered documents. */
async function sweep(at: Tryton, kind: DocumentKind, guid: string): Promise<number> {
  const voucher = kind === "voucher";
  const { drafts } = voucher ? await movesUnder(at, guid) : await documentsUnder(at, kind, guid);
  const ids = drafts.map((row) => idOf(row));
  if (ids.length > 0) await at.call(voucher ? "account.move" : "account.invoice", "delete", [ids]);
  return ids.length;
}
