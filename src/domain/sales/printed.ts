/**
 * What a document prints besides who, what and how much. The invoice's own overrules the series', that
 * the customer's; an empty text overrules with nothing.
 */

/** What one of them says; a field that is absent says nothing. */
export interface Printed {
  /** Who or what the buyer wants the document to name: a person, a department, a cost centre. */
  readonly buyer_reference?: string;
  /** The buyer's own number of the order. */
  readonly order_reference?: string;
  /** Text under the lines. Customers have none. */
  readonly footer?: string;
  /** Whether the registered hours are specified on pages of their own. */
  readonly hours_specification?: boolean;
}

type Sent = { readonly [Field in keyof Printed]?: Printed[Field] | null | undefined };

const FIELDS = ["buyer_reference", "order_reference", "footer", "hours_specification"] as const;

/** With what was sent: null takes back, a field that was not sent stays. */
export function printedWith(before: Printed, sent: Sent): Printed {
  const entries = FIELDS.flatMap((field) => {
    const value = sent[field] === undefined ? before[field] : sent[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The first that says something of a field decides. */
export function printedOf(...sources: readonly Sent[]): Printed {
  return sources.toReversed().reduce<Printed>((under, over) => {
    const given = Object.entries(over).filter(([, value]) => value !== null);
    return printedWith(under, Object.fromEntries(given));
  }, {});
}
