/**
 * The answers of the simulation of Dinero for each path. A route gets the parts of one request that it needs and returns a value
 * to show as JSON, bytes, or undefined for 200 without a body.
 */
import { randomUUID } from "node:crypto";
import { stampOf } from "./books.mjs";
import {
  bookDocument,
  documentOf,
  draftOf,
  keyOf,
  presentDocument,
  requireStamp,
  storeDraft,
} from "./documents.mjs";
import {
  addLedgerItems,
  bookLedgerItems,
  settleLedgerItems,
  statusOfLedgerItems,
} from "./ledger-items.mjs";
import { paymentsOf } from "./payments.mjs";
import { refusals } from "./refusal.mjs";
import {
  contactOf,
  createContact,
  createProduct,
  deleteOrRestore,
  pageOf,
  putContact,
  putProduct,
} from "./registers.mjs";

const now = () => new Date().toISOString();
const G = "([0-9a-fA-F-]{36})";
const LIVES = (document) => document !== undefined && !document.deleted;

/** Method, path below the organisation with the versions in which it exists, and the handler. */
export const routes = [
  ["GET", "v1", "accounts/entry", ({ org }) => org.accounts],
  ["GET", "v1", "vatTypes", ({ org }) => org.vat_types],
  ["GET", "v1", "accountingyears", ({ org }) => org.years],
  [
    "GET",
    "v1",
    "sales/settings",
    () => {
      return { LinesInclVat: false, DefaultAccountNumber: 1000 };
    },
  ],
  [
    "GET",
    "v1|v2",
    "contacts",
    ({ books, org, query }) => pageOf(books.list(`contact/${org.Id}/`), query),
  ],
  ["POST", "v1", "contacts", ({ books, org, body }) => createContact(books, org, body)],
  ["GET", "v1", `contacts/${G}`, ({ books, org, guid }) => contactOf(books, org, guid)],
  [
    "PUT",
    "v1",
    `contacts/${G}`,
    ({ books, org, guid, body }) => putContact(books, org, guid, body),
  ],
  [
    "DELETE",
    "v1",
    `contacts/${G}`,
    ({ books, org, guid }) => deleteOrRestore(books, org, "contact", guid, now()),
  ],
  [
    "POST",
    "v1",
    `contacts/${G}/restore`,
    ({ books, org, guid }) => deleteOrRestore(books, org, "contact", guid, null),
  ],
  [
    "GET",
    "v1",
    "products",
    ({ books, org, query }) => pageOf(books.list(`product/${org.Id}/`), query),
  ],
  ["POST", "v1", "products", ({ books, org, body }) => createProduct(books, org, body)],
  [
    "PUT",
    "v1",
    `products/${G}`,
    ({ books, org, guid, body }) => putProduct(books, org, guid, body),
  ],
  [
    "DELETE",
    "v1",
    `products/${G}`,
    ({ books, org, guid }) => deleteOrRestore(books, org, "product", guid, now()),
  ],
  ...documentRoutes("invoice", "invoices", "e-invoice"),
  [
    "GET",
    "v2",
    `invoices/${G}/payments`,
    ({ books, org, guid, switches }) =>
      paymentsOf(documentOf(books, org, "invoice", guid), switches),
  ],
  ...documentRoutes("credit_note", "sales/creditnotes", "e-creditNote"),
  [
    "POST",
    "v1.2",
    "ledgeritems",
    ({ books, org, body, switches }) => {
      const added = addLedgerItems(books, org, body, switches);
      return switches.ledger_items_answer === "list" ? added : added[0];
    },
  ],
  [
    "POST",
    "v1",
    "ledgeritems/book",
    ({ books, org, body, switches }) => bookLedgerItems(books, org, body, switches),
  ],
  [
    "POST",
    "v1",
    "ledgeritems/status",
    ({ books, org, body, switches }) => statusOfLedgerItems(books, org, body, switches),
  ],
  ["GET", "v1", "entries", entries],
  [
    "GET",
    "v1",
    "entries/changes",
    ({ books, org, query }) =>
      books
        .list(`entry/${org.Id}/`)
        .filter(
          ({ ChangedAt }) =>
            ChangedAt >= query.get("changesFrom") && ChangedAt <= query.get("changesTo"),
        ),
  ],
].map(([method, versions, path, answer]) => {
  return { method, pattern: new RegExp(`^/(?:${versions})/(\\d+)/${path}$`), answer };
});

function documentRoutes(kind, path, einvoice) {
  const at = ({ books, org, guid }, is_shown) => documentOf(books, org, kind, guid, is_shown);
  return [
    [
      "GET",
      "v1",
      path,
      ({ books, org, query, switches }) =>
        pageOf(
          books
            .list(`${kind}/${org.Id}/`)
            .filter(LIVES)
            .map((one) => presentDocument(one, org, switches, true)),
          query,
        ),
    ],
    [
      "POST",
      "v1",
      `${path}/fetch`,
      ({ books, org, body, switches }) =>
        presentDocument(draftOf(books, org, kind, body, switches), org, switches),
    ],
    ["POST", "v1", path, (request) => create(kind, request)],
    [
      "GET",
      "v1",
      `${path}/${G}`,
      (request) =>
        request.wants_bytes
          ? pdfOf(at(request))
          : presentDocument(at(request, true), request.org, request.switches),
    ],
    ["GET", "v1", `${path}/${G}/pdf`, (request) => pdfOf(at(request))],
    [
      "PUT",
      "v1|v1.2",
      `${path}/${G}`,
      (request) => {
        const { books, org, body, guid, switches } = request;
        const known = at(request);
        if (known.Status === "Booked") throw refusals.validation({ Guid: "is booked" });
        requireStamp(known, body);
        const draft = draftOf(books, org, kind, { ...body, Guid: guid }, switches);
        return storeDraft(books, org, { ...draft, CreatedAt: known.CreatedAt });
      },
    ],
    [
      "POST",
      "v1",
      `${path}/${G}/book`,
      ({ books, org, guid, body, switches }) =>
        presentDocument(bookDocument(books, org, kind, guid, body, switches), org, switches),
    ],
    [
      "DELETE",
      "v1",
      `${path}/${G}`,
      (request) => {
        const { books, org, guid, body } = request;
        const known = at(request);
        requireStamp(known, body);
        if (known.Status === "Booked") throw refusals.validation({ Guid: "is booked" });
        const stamps = { TimeStamp: stampOf(books.next()), UpdatedAt: now(), DeletedAt: now() };
        books.commit({ [keyOf(org, kind, guid)]: { ...known, ...stamps, deleted: true } });
      },
    ],
    ["POST", "v1", `${path}/${G}/email`, (request) => email(kind, at(request), request)],
    [
      "POST",
      "v3",
      `${path}/${G}/${einvoice}`,
      (request) => sendEinvoice(kind, at(request), request),
    ],
    [
      "GET",
      "v1",
      `${path}/${G}/mailouts`,
      (request) => at(request).mailouts.map(({ digest: _, ...mailout }) => mailout),
    ],
  ];
}

function create(kind, { books, org, body, switches }) {
  if (body.Guid) {
    const known = books.get(keyOf(org, kind, body.Guid));
    if (known !== undefined && !(known.deleted && switches.deleted_guid_is_free))
      throw refusals.duplicated();
  }
  return storeDraft(books, org, draftOf(books, org, kind, body, switches));
}

function pdfOf(document) {
  if (document.Status !== "Booked") throw refusals.validation({ Status: "is not booked" });
  return Buffer.from(`%PDF-1.4\n% a simulation of Dinero: ${document.kind} ${document.Number}\n`);
}

function email(kind, document, { books, org, body }) {
  if (document.Status !== "Booked") throw refusals.validation({ Status: "is not booked" });
  if (typeof body.ShouldAddTrustPilotEmailAsBcc !== "boolean")
    throw refusals.validation({ ShouldAddTrustPilotEmailAsBcc: "is required" });
  requireStamp(document, body, false);
  const Receiver = body.Receiver ?? contactOf(books, org, document.ContactGuid).Email;
  if (!Receiver) throw refusals.validation({ Receiver: "The contact has no e-mail address" });
  mailOut(kind, document, { books, org, body }, { Receiver, Type: "Email" });
  return { Recipients: Receiver.split(",").map((Email) => ({ Email })) };
}

function sendEinvoice(kind, document, { books, org, body }) {
  if (document.Status !== "Booked") throw refusals.validation({ Status: "is not booked" });
  if (!body.PaymentMeanEnum) throw refusals.validation({ PaymentMeanEnum: "is required" });
  requireStamp(document, body, false);
  const contact = contactOf(books, org, document.ContactGuid);
  const Receiver = contact.EanNumber ?? contact.VatNumber ?? contact.SENumber ?? contact.PNumber;
  if (!Receiver) throw refusals.validation({ EanNumber: "The contact cannot receive e-invoices" });
  mailOut(kind, document, { books, org, body }, { Receiver, Type: "EInvoice" });
}

function mailOut(kind, document, { books, org, body }, facts) {
  const switches = books.get("switches");
  const digest = JSON.stringify([facts, body]);
  if (switches.email_deduplicated && document.mailouts.some((one) => one.digest === digest)) return;
  const Status = facts.Type === "Email" ? "Sent" : "Pending";
  const LatestEvent = facts.Type === "Email" ? "Queued" : "SentToDispatching";
  const mailout = { Id: randomUUID(), Date: now(), SeenAt: null, Status, LatestEvent, ...facts };
  const mailouts = [...document.mailouts, { ...mailout, digest }];
  books.commit({ [keyOf(org, kind, document.Guid)]: { ...document, mailouts } });
}

function entries({ books, org, query, switches }) {
  settleLedgerItems(books, org, switches);
  const [from, to] = [query.get("fromDate"), query.get("toDate")];
  const year = org.years.find(({ FromDate, ToDate }) => FromDate <= from && from <= ToDate);
  if (year === undefined || to > year.ToDate)
    throw refusals.validation({ toDate: "must not cross accounting years" });
  const all = books.list(`entry/${org.Id}/`);
  const within = all.filter(({ Date: day }) => from <= day && day <= to);
  if (query.get("includePrimo") !== "true" || from !== year.FromDate) return within;
  const before = new Map();
  for (const { AccountNumber, Amount, Date: day } of all)
    if (day < from && AccountNumber >= 55000)
      before.set(
        AccountNumber,
        Math.round(((before.get(AccountNumber) ?? 0) + Amount) * 100) / 100,
      );
  const primo = [...before].map(([AccountNumber, Amount]) => {
    return { AccountNumber, Amount, Date: from, Type: "Primo", VoucherGuid: null };
  });
  return [...primo, ...within];
}
