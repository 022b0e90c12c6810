/**
 * The additional texts on a document, other than parties, lines and amounts. A text of the invoice overrides that of the series,
 * which overrides that of the customer; an empty text overrides the others and prints nothing.
 */

/** The texts of one source; absent fields do not override. */
export interface Printed {
  /** The person or department that the buyer wants the document to name. */
  readonly buyer_reference?: string;
  /** The buyer's own order number. */
  readonly order_reference?: string;
  /** The account, project or cost centre in the buyer's books. */
  readonly accounting_cost?: string;
  /** Text under the lines. Customers have none. */
  readonly footer?: string;
  /** Whether the registered hours are specified on separate pages. */
  readonly hours_specification?: boolean;
}

type Sent = { readonly [Field in keyof Printed]?: Printed[Field] | null | undefined };

/** The references of the buyer, in the order of BT-10, BT-13 and BT-19 of an e-invoice. */
export const buyerReferences = ["buyer_reference", "order_reference", "accounting_cost"] as const;

export type BuyerReference = (typeof buyerReferences)[number];

const FIELDS = [...buyerReferences, "footer", "hours_specification"] as const;

/** The texts after an update: null removes a text, a field that was not sent stays. */
export function printedWith(before: Printed, sent: Sent): Printed {
  const entries = FIELDS.flatMap((field) => {
    const value = sent[field] === undefined ? before[field] : sent[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Takes each field from the first source that has it. */
export function printedOf(...sources: readonly Sent[]): Printed {
  return sources.toReversed().reduce<Printed>((under, over) => {
    const given = Object.entries(over).filter(([, value]) => value !== null);
    return printedWith(under, Object.fromEntries(given));
  }, {});
}
