/**
 * Converts names to ids: a person says "Acme" to an assistant, not a UUID. A name finds only what the person may see. A name that
 * matches several resources finds none, and the refusal lists them.
 */

import { type FieldError, Problem } from "../../domain/base/problem.ts";
import { seesAccount, type ViewedKind } from "../../domain/base/visibility.ts";
import { ownCondition } from "../../features/overview/views/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { numbered } from "../../platform/database/sql.ts";
import { FORMS, type NamedKind } from "../protocol/arguments.ts";
import { quoted } from "../protocol/words.ts";

/** How names of a kind are found: `exact` and `part` are conditions with the lower-case text as `$2`. */
interface Named {
  readonly table: string;
  /** The name that a refusal shows with the id. */
  readonly shown: string;
  readonly exact: string;
  readonly part: string;
  readonly viewed?: ViewedKind;
}

const NAMED: Readonly<Record<NamedKind, Named>> = {
  customer: {
    table: "customers",
    shown: "customers.name",
    exact: "lower(customers.name) = $2",
    part: "customers.active and strpos(lower(customers.name), $2) > 0",
    viewed: "customer",
  },
  product: {
    table: "products",
    shown: "products.name",
    exact: "$2 in (lower(products.name), lower(products.product_number))",
    part: "strpos(lower(products.name), $2) > 0",
  },
  user: {
    table: "users",
    shown: "users.name",
    exact: "lower(users.name) = $2",
    part: "users.active and strpos(lower(users.name), $2) > 0",
  },
  invoice: {
    table: "invoices",
    shown: "coalesce(invoices.title, invoices.ledger_invoice_number::text)",
    exact: "ltrim($2, '#') = invoices.ledger_invoice_number::text or lower(invoices.title) = $2",
    part: "false",
    viewed: "invoice",
  },
  credit_note: {
    table: "credit_notes",
    shown: "credit_notes.ledger_credit_note_number::text",
    exact: "ltrim($2, '#') = credit_notes.ledger_credit_note_number::text",
    part: "false",
    viewed: "credit_note",
  },
  series: {
    table: "recurring_series",
    shown: "coalesce(recurring_series.external_id, c.name)",
    exact: "not recurring_series.is_discarded and lower(c.name) = $2",
    part: "not recurring_series.is_discarded and strpos(lower(c.name), $2) > 0",
    viewed: "recurring_series",
  },
};

const JOIN = `join customers c on c.account_id = recurring_series.account_id
  and c.id = recurring_series.customer_id`;

const NOUN: Readonly<Record<NamedKind, string>> = {
  customer: "customer",
  product: "product",
  user: "user",
  invoice: "invoice",
  credit_note: "credit note",
  series: "series",
};

/** The most resources that a refusal lists when a name matches several. */
const MOST_NAMED = 10;

interface Found {
  readonly id: string;
  readonly name: string | null;
  readonly is_exact: boolean;
  readonly is_external_id: boolean;
}

/**
 * Returns the id of the only resource with the name in any case, else of the only one with that external id, else of the only one
 * with the text in its name. A standard user finds only resources in their view. Throws VALIDATION_FAILED for the field: `unknown_reference` or `ambiguous`.
 */
export async function findNamed(
  cx: PersonReader,
  kind: NamedKind,
  name: string,
  field: string,
): Promise<string> {
  const text = name.trim().toLowerCase();
  // Every name contains a blank text.
  const found = text === "" ? [] : await candidates(cx, kind, text);
  const exact = found.filter(({ is_exact }) => is_exact);
  const by_external_id = found.filter(({ is_external_id }) => is_external_id);
  const meant = [exact, by_external_id, found].find((some) => some.length > 0) ?? [];
  const [only] = meant;
  if (only === undefined) {
    const view = seesAccount(cx.caller.person.role) ? "" : " in the person's view";
    const none = `No ${NOUN[kind]}${view} is called ${quoted(name)}.`;
    throw fault(field, "unknown_reference", `${none} Right: ${FORMS[kind]}`);
  }
  if (meant.length === 1) return only.id;
  const shown = meant.slice(0, MOST_NAMED).map((one) => `${quoted(one.name)} (${one.id})`);
  const more = meant.length > MOST_NAMED ? " and more" : "";
  const several = `Several match ${quoted(name)}: ${shown.join(", ")}${more}.`;
  throw fault(field, "ambiguous", `${several} Send the id of the intended one.`);
}

function candidates(cx: PersonReader, kind: NamedKind, text: string): Promise<Found[]> {
  const { table, shown, exact, part, viewed } = NAMED[kind];
  const { account_id, person } = cx.caller;
  const own = viewed === undefined || seesAccount(person.role) ? null : ownCondition(viewed, "$3");
  const external_id = `lower(${table}.external_id) = $2`;
  const text_of = `select ${table}.id, ${shown} as name, (${exact}) is true as is_exact,
       (${external_id}) is true as is_external_id
     from ${table} ${kind === "series" ? JOIN : ""}
     where ${table}.account_id = $1 and ((${exact}) or ${external_id} or (${part})) ${own === null ? "" : `and ${own}`}
     order by is_exact desc, is_external_id desc, ${table}.id desc limit ${MOST_NAMED + 1}`;
  return cx.rows(numbered(text_of, [account_id, text, ...(own === null ? [] : [person.user_id])]));
}

function fault(field: string, code: FieldError["code"], message: string): Problem {
  return new Problem("VALIDATION_FAILED", { message, field_errors: [{ field, code, message }] });
}
