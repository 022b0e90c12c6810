/**
 * The connector to Dinero. Documents are booked under our own guids in three requests; Dinero numbers, prints and sends them.
 * Vouchers are items of Dinero's ledger, which Dinero books some time after the request.
 */
import type { ConnectionSettings, Connector, ConnectorField } from "../../connector.ts";
import { openApi } from "./api.ts";
import { bookDocument, type DineroBooks, findDocument, sweepDocument } from "./book-document.ts";
import { changesSince } from "./changes.ts";
import { checkBooks } from "./check.ts";
import { putContact } from "./customers.ts";
import { readMonth } from "./month.ts";
import { openOrChanged, readPayments } from "./payments.ts";
import { lockedThrough } from "./periods.ts";
import { putProduct } from "./products.ts";
import { readPdf, readSends, sendDocument } from "./sending.ts";
import { bookVoucher, findVoucher } from "./vouchers.ts";

const field = (
  name: string,
  description: string,
  more: Partial<ConnectorField> = {},
): ConnectorField => ({ name, description, is_secret: false, is_required: false, ...more });

const fields: readonly ConnectorField[] = [
  field("organization_id", "The number of the company in Dinero, its firma-ID.", {
    is_required: true,
  }),
  field("client_id", "The client id that Dinero has given to this integration.", {
    is_required: true,
  }),
  field("client_secret", "The secret that belongs to the client id.", {
    is_required: true,
    is_secret: true,
  }),
  field("api_key", "The API key of the company, for a personal integration.", {
    is_secret: true,
    either: "integration",
  }),
  field("refresh_token", "The first refresh token, for a public integration.", {
    is_secret: true,
    either: "integration",
  }),
  field("accounting_year_start", "The month in which accounting years begin, 1 to 12; default 1."),
  field(
    "requests_per_minute",
    "The limit of requests, if Dinero has agreed to a limit other than the standard one.",
  ),
  field("api_url", "Where the API is, if not at Dinero."),
  field("token_url", "Where tokens are given, if not at Dinero."),
];

export const dineroConnector: Connector = {
  kind: "dinero",
  title: "Dinero",
  fields,
  hosts: ["api.dinero.dk", "authz.dinero.dk", "connect.visma.com"],
  capabilities: {
    documents: "ledger",
    sends: ["email", "einvoice"],
    asynchronous_vouchers: true,
    supplies_rates: true,
    numbers_restart_by_year: true,
    tells_payments: true,
    lists_payment_changes: true,
    concurrent_bookings: 1,
  },
  timeouts: { call_ms: 8_000, pause_ms: 500, rounds: 2, total_ms: 18_000 },
  /** Dinero limits personal integrations to 60 requests a minute; the same limit is assumed for public integrations. */
  requestsPerMinute: ({ requests_per_minute }) => wholeOf(requests_per_minute ?? "60"),
  // The same number at another address, such as a simulation, is another company.
  organisationKey: ({ organization_id = "", api_url }) =>
    [wholeOf(organization_id), ...(api_url === undefined ? [] : [new URL(api_url).host])].join(
      " at ",
    ),
  open(line) {
    const { organization_id = "" } = line.settings;
    const api = openApi(line);
    const books: DineroBooks = { api, first_month: firstMonthOf(line.settings) };
    return {
      find: (kind, guid, options) =>
        kind === "voucher"
          ? findVoucher(books, guid, options)
          : findDocument(books, kind, guid, options),
      ensureBooked: (booking, options) =>
        booking.kind === "voucher"
          ? bookVoucher(books, booking, options)
          : bookDocument(books, booking, options),
      more: {
        check: (options) => checkBooks(books, organization_id, options),
        putCustomer: (customer, options) => putContact(api, customer, options),
        putProduct: (product, options) => putProduct(api, product, options),
        changes: (since, options) => changesSince(api, since, options),
        lockedThrough: (options) => lockedThrough(books, options),
        month: (month, options) => readMonth(books, month, options),
        payments: (documents, options) => readPayments(api, documents, options),
        paymentChanges: (since, options) => openOrChanged(api, since, options),
        // The published API cannot delete ledger items; an item that is left is never booked.
        sweep: async (kind, guid, options) =>
          kind === "voucher"
            ? { state: "swept", drafts: 0 }
            : sweepDocument(books, kind, guid, options),
        pdf: (kind, guid, options) => readPdf(api, kind, guid, options),
        send: (kind, guid, channel, options) => sendDocument(api, kind, guid, channel, options),
        sends: (kind, guid, options) => readSends(api, kind, guid, options),
      },
    };
  },
};

function firstMonthOf({ accounting_year_start = "1" }: ConnectionSettings): number {
  const month = wholeOf(accounting_year_start);
  if (month > 12) throw new RangeError("accounting_year_start is a month, 1 to 12");
  return month;
}

/** Reads a whole number above 0. Throws for any other text. */
function wholeOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new RangeError(`"${text}" is no whole number above 0`);
  return Number(text);
}
