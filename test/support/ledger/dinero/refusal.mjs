/** Refusals of the simulation of Dinero, with the codes and the peculiarities of the real one. */

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

  /** The body with its keys where the switch `error_keys` puts them: in all three places, or in only one. */
  bodyIn(error_keys) {
    if (error_keys === "all") return this.body;
    const { code, message, ...places } = this.body;
    const keys = Object.entries(places.validationErrors);
    if (error_keys === "errorMessageList") {
      const listed = keys.map(([Code, Message]) => ({ Code, Message }));
      return { message, errorMessageList: keys.length > 0 ? listed : places.errorMessageList };
    }
    return { code, message, [error_keys]: places[error_keys] };
  }
}

export const refusals = {
  notFound: (what) => new Refusal(404, 40, `${what} was not found`),
  validation: (fields) => new Refusal(400, 42, "Validation Error", fields),
  noLines: () => new Refusal(400, 45, "Invoices must have at least one invoice line"),
  notPro: (code) => new Refusal(403, code, "This organization does not have access to the API"),
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
