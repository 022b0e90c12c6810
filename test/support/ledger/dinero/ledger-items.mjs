/**
 * Ledger items of the simulation of Dinero: added under an id of the client, and booked later than requested. A line without a
 * VAT code takes the code of its account and posts VAT, which is a trap of the real Dinero.
 */
import { randomUUID } from "node:crypto";
import { stampOf } from "./books.mjs";
import { entriesFor, keyOf, vatOf, yearOf } from "./documents.mjs";
import { PURCHASE_VAT, SALES_VAT } from "./organisation.mjs";
import { Refusal, refusals } from "./refusal.mjs";
import { divided, scaled } from "./sums.mjs";

export function addLedgerItems(books, org, items, switches) {
  if (!Array.isArray(items) || items.length === 0)
    throw refusals.validation({ items: "is no list" });
  const put = {};
  const added = items.map((item) => {
    const Id = (item.Id ?? randomUUID()).toLowerCase();
    const key = keyOf(org, "ledger_item", Id);
    const known = put[key] ?? books.get(key);
    if (known !== undefined && !(known.is_gone && switches.deleted_guid_is_free))
      throw refusals.duplicated();
    const faults = faultsOf(item, org);
    if (Object.keys(faults).length > 0) throw refusals.validation(faults);
    const Version = stampOf(books.next());
    put[key] = { ...item, Id, Version, Status: "Draft", VoucherNumber: null };
    return { Id, Version };
  });
  books.commit(put);
  return added;
}

function faultsOf(item, org) {
  const faults = {};
  if (!/^\d{4}-\d\d-\d\d$/.test(item.VoucherDate ?? "")) faults.VoucherDate = "is no date";
  if (!item.Lines?.length) faults.Lines = "has none";
  (item.Lines ?? []).forEach((line, index) => {
    if (scaled(line.Amount, 2) === undefined)
      faults[`Lines[${index}].Amount`] = "is no amount of two decimals";
    for (const side of ["", "Balancing"]) {
      const number = line[`${side}AccountNumber`];
      const code = line[`${side}AccountVatCode`];
      if (!org.accounts.some(({ AccountNumber }) => AccountNumber === number))
        faults[`Lines[${index}].${side}AccountNumber`] = "The account does not exist";
      const is_known =
        code === undefined ||
        code === null ||
        code.toLowerCase() === "none" ||
        org.vat_types.some(({ VatCode }) => VatCode === code);
      if (!is_known)
        faults[`Lines[${index}].${side}AccountVatCode`] = "The VAT code does not exist";
    }
  });
  return faults;
}

export function bookLedgerItems(books, org, asked, switches) {
  const put = {};
  for (const { Id, Version } of asked) {
    const item = required(books, org, Id);
    if (item.Status !== "Draft") continue;
    if (Version !== item.Version) throw refusals.stale();
    if (switches.locked_ledger_item === "refused") yearOf(org, item.VoucherDate, switches);
    put[keyOf(org, "ledger_item", Id)] = {
      ...item,
      Status: "PendingBooking",
      Version: stampOf(books.next()),
      due_at: Date.now() + switches.ledger_item_ms,
    };
  }
  books.commit(put);
}

export function statusOfLedgerItems(books, org, asked, switches) {
  settleLedgerItems(books, org, switches);
  return asked.map(({ Id }) => {
    const { Status, VoucherNumber, Version } = required(books, org, Id);
    return { Id, Status, VoucherNumber, Version };
  });
}

function required(books, org, Id) {
  const item = books.get(keyOf(org, "ledger_item", String(Id)));
  if (item === undefined || item.is_gone) throw refusals.noLedgerItem();
  return item;
}

/** Books the items that have been pending for long enough. */
export function settleLedgerItems(books, org, switches) {
  for (const item of books.list(`ledger_item/${org.Id}/`)) {
    if (item.Status === "PendingBooking" && item.due_at <= Date.now())
      settle(books, item, switches, books.get(`org/${org.Id}`));
  }
}

function settle(books, item, switches, org) {
  const key = keyOf(org, "ledger_item", item.Id);
  const Version = stampOf(books.next());
  let found;
  try {
    found = yearOf(org, item.VoucherDate, switches);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const left = {
      draft: { Status: "Draft" },
      gone: { Status: "Draft", is_gone: true },
      pending: { due_at: Number.MAX_SAFE_INTEGER },
    };
    books.commit({ [key]: { ...item, Version, ...left[switches.unbookable_item] } });
    return;
  }
  const series = `series/${org.Id}/voucher/${found.year.Name}`;
  const VoucherNumber = (books.get(series) ?? 0) + 1;
  const guid = switches.ledger_item_id_is_voucher_guid ? item.Id : randomUUID();
  const facts = {
    Date: item.VoucherDate,
    VoucherNumber,
    VoucherType: "FinancialVoucher",
    Description: item.Lines[0].Description ?? null,
    ContactGuid: null,
  };
  books.commit({
    [key]: { ...item, Status: "Booked", Version, VoucherNumber, voucher_guid: guid },
    [series]: VoucherNumber,
    ...entriesFor(books, org, guid, facts, item.Lines.flatMap(postingsOf(org))),
    ...(found.org !== org && { [`org/${org.Id}`]: found.org }),
  });
}

/** Both sides of a line: the amount without VAT, and the VAT of the code. */
const postingsOf = (org) => (line) => {
  const amount = scaled(line.Amount, 2);
  const side = (number, given, total) => {
    const code = given ?? vatOf(org, number).code;
    const type = org.vat_types.find(({ VatCode }) => VatCode === code);
    const rate = BigInt(Math.round((type?.VatRate ?? 0) * 10_000));
    const vat = divided(total * rate, 10_000n + rate, "half_up");
    return [
      [number, total - vat],
      [code.startsWith("I") ? PURCHASE_VAT : SALES_VAT, vat],
    ];
  };
  return [
    ...side(line.AccountNumber, line.AccountVatCode, amount),
    ...side(line.BalancingAccountNumber, line.BalancingAccountVatCode, -amount),
  ];
};
