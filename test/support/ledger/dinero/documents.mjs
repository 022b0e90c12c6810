/**
 * Invoices and sales credit notes in the simulation of Dinero. The client chooses the guid of a draft and books it by sending
 * the draft's current timestamp. Numbers run per accounting year, and the account of each line determines its VAT.
 */
import { randomUUID } from "node:crypto";
import { stampOf } from "./books.mjs";
import { RECEIVABLE, SALES_VAT } from "./organisation.mjs";
import { paymentStatusOf, settledBy } from "./payments.mjs";
import { Refusal, refusals } from "./refusal.mjs";
import { divided, scaled, shown, totalsOf } from "./sums.mjs";

const UNITS = new Set(
  "hours parts km day week month kilogram cubicMetre set litre box case carton metre package shipment squareMetre session tonne".split(
    " ",
  ),
);
/** The number that a draft shows; larger than the integers that JavaScript reads exactly. */
const NO_NUMBER = "9223372036854775807";
const DAY = /^\d{4}-\d\d-\d\d$/;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const keyOf = (org, kind, guid) => `${kind}/${org.Id}/${guid.toLowerCase()}`;

/** The document with a guid. Throws for a missing one as Dinero does. */
export function documentOf(books, org, kind, guid, is_shown = false) {
  const document = books.get(keyOf(org, kind, guid));
  if (document === undefined) throw refusals.noVoucher(kind);
  const { deleted_look } = books.get("switches");
  if (!document.deleted || (is_shown && deleted_look === "shown")) return document;
  throw deleted_look === "no_document" ? refusals.noVoucher(kind) : refusals.deleted();
}

/** Checks the input and computes its totals; stores nothing. */
export function draftOf(books, org, kind, input, switches) {
  const lines = input.ProductLines ?? [];
  if (lines.length === 0) throw refusals.noLines();
  const faults = {};
  lines.forEach((line, index) => {
    for (const [field, fault] of Object.entries(faultsOf(line, org, switches)))
      faults[`ProductLines[${index}].${field}`] = fault;
  });
  for (const field of ["ExternalReference", "Description"])
    if ((input[field] ?? "").length > 128) faults[field] = "is longer than 128";
  if (input.Guid !== undefined && input.Guid !== null && !GUID.test(input.Guid))
    faults.Guid = "is no guid";
  if (input.Date !== undefined && !DAY.test(input.Date)) faults.Date = "is no date";
  const currency = input.Currency ?? "DKK";
  if (currency !== "DKK" && org.rates[currency] === undefined)
    faults.Currency = "is not a supported currency";
  if (!["da-DK", "en-GB"].includes(input.Language ?? "da-DK")) faults.Language = "is not supported";
  if (input.PaymentConditionType === "NettoCash" && (input.PaymentConditionNumberOfDays ?? null))
    faults.PaymentConditionNumberOfDays = "must be null";
  if (Object.keys(faults).length > 0) throw refusals.validation(faults);
  if (input.ContactGuid) {
    const contact = books.get(keyOf(org, "contact", input.ContactGuid));
    if (contact === undefined) throw refusals.notFound("The contact");
    if (contact.DeletedAt !== null) throw refusals.deleted();
  }
  if (kind === "credit_note" && input.CreditNoteFor) {
    if (documentOf(books, org, "invoice", input.CreditNoteFor).Status !== "Booked")
      throw refusals.validation({ CreditNoteFor: "The invoice is not booked" });
  }
  const rateOf = ({ AccountNumber }) => vatOf(org, AccountNumber);
  const totals = totalsOf(lines, rateOf, switches.vat_rounding);
  return {
    kind,
    Guid: (input.Guid ?? randomUUID()).toLowerCase(),
    Status: "Draft",
    Number: null,
    Date: input.Date ?? new Date().toISOString().slice(0, 10),
    Currency: currency,
    Language: input.Language ?? "da-DK",
    ContactGuid: input.ContactGuid?.toLowerCase() ?? null,
    ExternalReference: input.ExternalReference ?? null,
    Description: input.Description ?? (kind === "invoice" ? "Faktura" : "Kreditnota"),
    Comment: input.Comment ?? null,
    Address: input.Address ?? null,
    PaymentConditionType: input.PaymentConditionType ?? null,
    PaymentConditionNumberOfDays: input.PaymentConditionNumberOfDays ?? null,
    CreditNoteFor: input.CreditNoteFor ?? null,
    lines,
    nets: totals.nets.map(String),
    groups: totals.groups.map(({ code, rate, base, vat }) => {
      return { code, rate, base: String(base), vat: String(vat) };
    }),
    net: String(totals.net),
    vat: String(totals.vat),
    mailouts: [],
    CreatedAt: new Date().toISOString(),
  };
}

function faultsOf(line, org, switches) {
  const faults = {};
  const is_text = line.LineType === "Text";
  for (const field of ["BaseAmountValue", "Quantity", "Discount"])
    if (scaled(line[field], 6) === undefined) faults[field] = "is no number";
  if (scaled(line.Discount, 2) === undefined || line.Discount < 0 || line.Discount > 100)
    faults.Discount = "is no percentage";
  const account = org.accounts.find(({ AccountNumber }) => AccountNumber === line.AccountNumber);
  if (account === undefined) faults.AccountNumber = "The account does not exist";
  else if (account.AccountNumber >= 55000 && !switches.balance_accounts_on_lines)
    faults.AccountNumber = "Balance accounts cannot be used";
  if (!is_text && !UNITS.has(line.Unit)) faults.Unit = "is no unit";
  if (!line.ProductGuid && !line.Description) faults.Description = "is missing";
  return faults;
}

/** The VAT of an account, which documents and vouchers without their own code use. */
export function vatOf(org, number) {
  const account = org.accounts.find(({ AccountNumber }) => AccountNumber === number);
  const type = org.vat_types.find(({ VatCode }) => VatCode === account?.VatCode);
  return { code: account?.VatCode ?? "", rate: Math.round((type?.VatRate ?? 0) * 10_000) };
}

/** A document as it is read, alone or in a list. A draft's number has no meaning. */
export function presentDocument(document, org, { amounts_in_kroner }, is_listed = false) {
  const rate = document.rate ?? rateOf(document, org);
  const gross = BigInt(document.net) + BigInt(document.vat);
  return {
    Guid: document.Guid,
    Status: document.Status,
    PaymentStatus: paymentStatusOf(document),
    Number: document.Number ?? NO_NUMBER,
    TimeStamp: document.TimeStamp,
    Date: document.Date,
    Currency: document.Currency,
    Language: document.Language,
    ContactGuid: document.ContactGuid,
    ContactName: document.contact_name ?? null,
    ExternalReference: document.ExternalReference,
    Description: document.Description,
    Comment: document.Comment,
    Address: document.Address,
    PaymentConditionType: document.PaymentConditionType,
    PaymentConditionNumberOfDays: document.PaymentConditionNumberOfDays,
    ...(document.kind === "credit_note" && { CreditNoteFor: document.CreditNoteFor }),
    MailOutStatus: document.mailouts.at(-1)?.Status ?? "NotSent",
    LatestMailOutType: document.mailouts.at(-1)?.Type ?? null,
    TotalExclVat: shown(document.net),
    TotalVatableAmount: shown(
      document.groups.reduce((sum, { rate, base }) => sum + (rate > 0 ? BigInt(base) : 0n), 0n),
    ),
    TotalNonVatableAmount: shown(
      document.groups.reduce((sum, { rate, base }) => sum + (rate > 0 ? 0n : BigInt(base)), 0n),
    ),
    TotalVat: shown(document.vat),
    TotalInclVat: shown(gross),
    ...(amounts_in_kroner[is_listed ? "in_lists" : "alone"] && {
      TotalExclVatInDkk: shown(inKroner(BigInt(document.net), rate)),
      TotalInclVatInDkk: shown(inKroner(gross, rate)),
    }),
    TotalLines: document.groups.map((group) => {
      return {
        Type: "SubTotal",
        TotalAmount: shown(group.base),
        TotalVat: shown(group.vat),
        Label: group.code,
      };
    }),
    ProductLines: document.lines.map((line, index) => {
      return { ...line, TotalAmount: shown(document.nets[index]) };
    }),
    CreatedAt: document.CreatedAt,
    UpdatedAt: document.UpdatedAt,
    DeletedAt: document.DeletedAt ?? null,
  };
}

const rateOf = ({ Currency }, org) => (Currency === "DKK" ? 1_000_000 : org.rates[Currency]);
const inKroner = (amount, rate) => divided(amount * BigInt(rate), 1_000_000n, "half_up");

/** Stores a new draft, or a draft that replaces one. */
export function storeDraft(books, org, draft) {
  const stamp = stampOf(books.next());
  const stored = { ...draft, TimeStamp: stamp, UpdatedAt: new Date().toISOString() };
  books.commit({ [keyOf(org, draft.kind, draft.Guid)]: stored });
  return { Guid: draft.Guid, TimeStamp: stamp };
}

/** Throws for a timestamp that is not the latest; without one, the real Dinero accepts the current version. */
export function requireStamp(document, body, is_required = true) {
  const given = body?.Timestamp ?? body?.TimeStamp ?? body?.timestamp;
  if (given === undefined || given === null) {
    if (is_required) throw refusals.validation({ Timestamp: "is required" });
    return;
  }
  if (given !== document.TimeStamp) throw refusals.stale();
}

/** The accounting year of a day; a day in the next possible year creates that year. Throws for a day without a year. */
export function yearOf(org, day, switches) {
  if (org.locked_through !== null && day <= org.locked_through) throw lockedError(switches);
  const known = org.years.find(({ FromDate, ToDate }) => FromDate <= day && day <= ToDate);
  if (known !== undefined) return { year: known, org };
  const last = org.years.at(-1);
  const next = Number(last.ToDate.slice(0, 4)) + 1;
  if (day.slice(0, 4) !== String(next))
    throw refusals.validation({ Date: "There is no accounting year for the date" });
  const year = { Name: String(next), FromDate: `${next}-01-01`, ToDate: `${next}-12-31` };
  return { year, org: { ...org, years: [...org.years, year] } };
}

function lockedError({ locked_error }) {
  switch (locked_error) {
    case "named":
      return refusals.validation({ Date: "The accounting year is locked" });
    case "vat_period":
      return refusals.validation({ VatPeriod: "Momsperioden er afsluttet" });
    case "message":
      return new Refusal(400, 42, "Regnskabsåret er lukket");
    default:
      return new Refusal(400, 77, "The request is invalid");
  }
}

/** Books a draft; numbers, entries and the document are one change. */
export function bookDocument(books, org, kind, guid, body, switches) {
  const draft = documentOf(books, org, kind, guid);
  requireStamp(draft, body);
  if (draft.Status === "Booked") throw refusals.validation({ Guid: "is already booked" });
  if (draft.ContactGuid === null) throw refusals.validation({ ContactGuid: "is required" });
  const { year, org: changed } = yearOf(org, draft.Date, switches);
  const series = `series/${org.Id}/${kind}/${year.Name}`;
  const number = (books.get(series) ?? 0) + 1;
  if (body.Number && body.Number < number)
    throw refusals.validation({ Number: "The number is already taken" });
  const used = body.Number ?? number;
  const booked = {
    ...draft,
    Status: "Booked",
    Number: used,
    year: year.Name,
    rate: rateOf(draft, org),
    contact_name: books.get(keyOf(org, "contact", draft.ContactGuid))?.Name ?? null,
    TimeStamp: stampOf(books.next()),
    UpdatedAt: new Date().toISOString(),
  };
  books.commit({
    [keyOf(org, kind, guid)]: booked,
    [series]: used,
    ...(kind === "credit_note" && settledBy(books, org, booked, switches)),
    ...entriesOf(books, org, booked),
    ...(changed !== org && { [`org/${org.Id}`]: changed }),
  });
  return booked;
}

/** Debit above 0. A credit note has every sign changed. */
function entriesOf(books, org, document) {
  const sign = document.kind === "credit_note" ? -1n : 1n;
  const kroner = (amount) => inKroner(BigInt(amount), document.rate);
  const sales = new Map();
  document.lines.forEach((line, index) => {
    const sum = sales.get(line.AccountNumber) ?? 0n;
    sales.set(line.AccountNumber, sum + kroner(document.nets[index]));
  });
  const vat = document.groups.reduce((sum, group) => sum + kroner(group.vat), 0n);
  const postings = [...sales].map(([number, amount]) => [number, -amount]);
  if (vat !== 0n) postings.push([SALES_VAT, -vat]);
  const owed = -postings.reduce((sum, [, amount]) => sum + amount, 0n);
  return entriesFor(
    books,
    org,
    document.Guid,
    {
      Date: document.Date,
      VoucherNumber: document.Number,
      VoucherType: document.kind === "invoice" ? "Invoice" : "CreditNote",
      Description: document.Description,
      ContactGuid: document.ContactGuid,
    },
    [[RECEIVABLE, owed], ...postings].map(([number, amount]) => [number, sign * amount]),
  );
}

/** The records of entries, each with the data that they share (`facts`). */
export function entriesFor(books, org, VoucherGuid, facts, postings) {
  return Object.fromEntries(
    postings
      .filter(([, amount]) => amount !== 0n)
      .map(([AccountNumber, amount], index) => {
        const account = org.accounts.find((one) => one.AccountNumber === AccountNumber);
        const EntryGuid = randomUUID();
        return [
          `entry/${org.Id}/${books.next()}-${index}`,
          {
            AccountNumber,
            AccountName: account?.Name ?? null,
            VoucherGuid,
            FileGuid: null,
            VatType: null,
            VatCode: account?.VatCode ?? null,
            Amount: shown(amount),
            EntryGuid,
            Type: "Normal",
            ChangedAt: new Date().toISOString(),
            ...facts,
          },
        ];
      }),
  );
}
