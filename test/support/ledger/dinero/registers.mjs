/** Contacts and products of the simulation of Dinero, and its lists of everything. */
import { randomUUID } from "node:crypto";
import { keyOf } from "./documents.mjs";
import { refusals } from "./refusal.mjs";
import { scaled } from "./sums.mjs";

const CONTACT = {
  Name: null,
  CountryKey: null,
  IsPerson: false,
  IsMember: false,
  UseCvr: false,
  ExternalReference: null,
  Street: null,
  ZipCode: null,
  City: null,
  Phone: null,
  Email: null,
  Webpage: null,
  AttPerson: null,
  VatNumber: null,
  EanNumber: null,
  SENumber: null,
  PNumber: null,
  CompanyTypeKey: null,
  PaymentConditionType: null,
  PaymentConditionNumberOfDays: null,
  InvoiceMailOutOptionKey: null,
  PreferredInvoiceLanguageKey: null,
  PreferredInvoiceCurrencyKey: null,
  MemberNumber: null,
};
const OF_BUSINESSES = ["AttPerson", "VatNumber", "EanNumber", "SENumber", "PNumber"];
const NUMBER_OF_OPTION = { VAT: "VatNumber", GLN: "EanNumber", SE: "SENumber", P: "PNumber" };

export function createContact(books, org, input) {
  const guid = (input.ContactGuid ?? randomUUID()).toLowerCase();
  const contact = contactFrom(input);
  if (books.get(keyOf(org, "contact", guid)) !== undefined) throw refusals.notUnique();
  const CreatedAt = now();
  books.commit({
    [keyOf(org, "contact", guid)]: {
      ...contact,
      ContactGuid: guid,
      CreatedAt,
      UpdatedAt: CreatedAt,
      DeletedAt: null,
    },
  });
  return { ContactGuid: guid };
}

/** A full replacement: omitted fields are empty afterwards. */
export function putContact(books, org, guid, input) {
  const known = contactOf(books, org, guid);
  if (known.DeletedAt !== null) throw refusals.deleted();
  const { ContactGuid, CreatedAt, DeletedAt } = known;
  const changed = {
    ...contactFrom(input),
    ContactGuid,
    CreatedAt,
    UpdatedAt: now(),
    DeletedAt,
  };
  books.commit({ [keyOf(org, "contact", guid)]: changed });
}

export function contactOf(books, org, guid) {
  const contact = books.get(keyOf(org, "contact", guid));
  if (contact === undefined) throw refusals.notFound("The contact");
  return contact;
}

export function deleteOrRestore(books, org, kind, guid, DeletedAt) {
  const known = books.get(keyOf(org, kind, guid));
  if (known === undefined) throw refusals.notFound(`The ${kind}`);
  books.commit({ [keyOf(org, kind, guid)]: { ...known, DeletedAt, UpdatedAt: now() } });
}

function contactFrom(input) {
  const faults = {};
  for (const field of ["Name", "CountryKey"]) if (!input[field]) faults[field] = "is required";
  for (const field of ["IsPerson", "IsMember", "UseCvr"])
    if (typeof input[field] !== "boolean") faults[field] = "is required";
  if (input.IsPerson)
    for (const field of OF_BUSINESSES)
      if ((input[field] ?? null) !== null) faults[field] = "must be null for a person";
  if ((input.ExternalReference ?? "").length > 128) faults.ExternalReference = "is longer than 128";
  if (input.PaymentConditionType === "NettoCash" && (input.PaymentConditionNumberOfDays ?? null))
    faults.PaymentConditionNumberOfDays = "must be null";
  const number = NUMBER_OF_OPTION[input.InvoiceMailOutOptionKey];
  if (number !== undefined && !input[number]) faults[number] = "is required by the mail out option";
  if (Object.keys(faults).length > 0) throw refusals.validation(faults);
  return Object.fromEntries(
    Object.entries(CONTACT).map(([field, empty]) => [field, input[field] ?? empty]),
  );
}

/** Products have no id of the client, so a repeated request creates a second one. */
export function createProduct(books, org, input) {
  const ProductGuid = randomUUID();
  const CreatedAt = now();
  const product = { ...productFrom(org, input), ProductGuid, CreatedAt, UpdatedAt: CreatedAt };
  books.commit({ [keyOf(org, "product", ProductGuid)]: { ...product, DeletedAt: null } });
  return { ProductGuid };
}

export function putProduct(books, org, guid, input) {
  const known = books.get(keyOf(org, "product", guid));
  if (known === undefined) throw refusals.notFound("The product");
  if (known.DeletedAt !== null) throw refusals.deleted();
  const changed = { ...known, ...productFrom(org, input), UpdatedAt: now() };
  books.commit({ [keyOf(org, "product", guid)]: changed });
}

function productFrom(org, input) {
  const faults = {};
  for (const field of ["BaseAmountValue", "Quantity"])
    if (scaled(input[field], 6) === undefined) faults[field] = "is no number";
  if (!org.accounts.some(({ AccountNumber }) => AccountNumber === input.AccountNumber))
    faults.AccountNumber = "The account does not exist";
  if (!input.Unit) faults.Unit = "is required";
  for (const field of ["ExternalReference", "Comment"])
    if ((input[field] ?? "").length > 128) faults[field] = "is longer than 128";
  if (Object.keys(faults).length > 0) throw refusals.validation(faults);
  const fields = ["ProductNumber", "Name", "ExternalReference", "Comment", "Unit"];
  return {
    BaseAmountValue: input.BaseAmountValue,
    Quantity: input.Quantity,
    AccountNumber: input.AccountNumber,
    ...Object.fromEntries(fields.map((field) => [field, input[field] ?? null])),
  };
}

/** The default fields of lists. */
const FEW = ["Number", "Name", "Guid", "ContactGuid", "ProductGuid", "Date"];

/** A page of a list, with the requested fields in the requested spelling. */
export function pageOf(all, query) {
  const matches = all.filter((one) => isAskedFor(one, query));
  const page = Number(query.get("page") ?? 0);
  const pageSize = Number(query.get("pageSize") ?? 100);
  if (pageSize > 1000) throw refusals.validation({ pageSize: "is more than 1000" });
  const asked = query.get("fields")?.split(",") ?? FEW;
  return {
    Collection: matches.slice(page * pageSize, (page + 1) * pageSize).map((one) => {
      const names = new Map(Object.keys(one).map((name) => [name.toLowerCase(), name]));
      return Object.fromEntries(
        asked
          .filter((name) => names.has(name.toLowerCase()))
          .map((name) => [name, one[names.get(name.toLowerCase())]]),
      );
    }),
    Pagination: {
      MaxPageSizeAllowed: 1000,
      PageSize: pageSize,
      Result: matches.length,
      ResultWithoutFilter: all.length,
      Page: page,
    },
  };
}

function isAskedFor(one, query) {
  const since = query.get("changesSince");
  if (since !== null && one.UpdatedAt.slice(0, 19) < since.slice(0, 19)) return false;
  const is_deleted = one.DeletedAt !== null && one.DeletedAt !== undefined;
  if (query.get("deletedOnly") === "true" ? !is_deleted : is_deleted && since === null)
    return false;
  const from = query.get("startDate");
  const to = query.get("endDate");
  if ((from !== null && one.Date < from) || (to !== null && one.Date > to)) return false;
  const states = query.get("statusFilter")?.split(",");
  if (states !== undefined && !states.includes(one.PaymentStatus)) return false;
  return (query.get("queryFilter") ?? "")
    .split(";")
    .filter((condition) => condition !== "")
    .every((condition) => {
      const [, field, operator, value] =
        /^(\w+)\+? ?(eq|contains)\+? ?'(.*)'$/i.exec(condition) ?? [];
      if (field === undefined) throw refusals.validation({ queryFilter: "is not understood" });
      const text = String(one[field] ?? "");
      return operator === "eq" ? text === value : text.includes(value);
    });
}

const now = () => new Date().toISOString();
