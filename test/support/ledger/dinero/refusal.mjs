/** Refusals of the simulation of Dinero, with the codes and the quirks of the real one. */

export class Refusal extends Error {
  constructor(status, code, message, validationErrors = {}) {
    super(message);
    this.status = status;
    this.body = {
      code,
      message,
      validationErrors,
      languageSpecificMessages: Object.entries(validationErrors).map(([property, text]) => {
        return { property, message: text };
      }),
      errorMessageList: [{ Code: String(code), Message: message }],
    };
  }
}

export const refusals = {
  notFound: (what) => new Refusal(404, 40, `${what} was not found`),
  validation: (fields) => new Refusal(400, 42, "Validation Error", fields),
  noLines: () => new Refusal(400, 45, "Invoices must have at least one invoice line"),
  notPro: () => new Refusal(403, 48, "This organization does not have access to the API"),
  stale: () => new Refusal(400, 58, "The timestamp is outdated"),
  /** Not 404. */
  noVoucher: (kind) =>
    new Refusal(
      400,
      63,
      `Invalid ${kind === "invoice" ? "InvoiceGuid" : "CreditNoteGuid"}, no results found`,
    ),
  deleted: () => new Refusal(400, 65, "The item is deleted"),
  /** Invoices, credit notes and ledger items. */
  duplicated: () => new Refusal(409, 72, "Duplicated entity"),
  /** Contacts. */
  notUnique: () =>
    new Refusal(400, 42, "Validation Error", { guidMustBeUnique: "The guid must be unique" }),
  noLedgerItem: () =>
    new Refusal(400, 42, "Validation Error", {
      ledgerItemNotFound: "The ledger item was not found",
    }),
};
