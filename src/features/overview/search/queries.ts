/** The SQL queries of search. In the index of `search_words`, an account's words with one beginning are adjacent. */
import { seesAccount } from "../../../domain/base/visibility.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { joined, raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { andSeen } from "../views/queries.ts";

/** The search terms. */
export interface SearchTerms {
  /** At least one. */
  readonly words: readonly string[];
  /** The number of a document or of a ledger account; null when the text is not a number. */
  readonly number: bigint | null;
  /** Amounts in minor units; their meaning depends on the decimals of the currency. */
  readonly amounts: readonly bigint[];
  /** The most results of each kind. */
  readonly most: number;
}

/** The highest number of words that are searched; further words are ignored. */
const MOST_WORDS = 6;

/** Returns the words of a text as they are stored; a word that is the beginning of another is left out. */
export async function wordsOf(cx: Reader, text: string): Promise<readonly string[]> {
  const row = await cx.row<{ words: string[] | null }>(sql`select words_of(${text}) as words`);
  const words = [...new Set(row?.words)];
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .slice(0, MOST_WORDS);
}

type Named = "customer" | "invoice" | "product";

/** Selects the ids of records that have all words; each word is the beginning of a word of the record. */
export function withWords(cx: Reader, kind: Named, words: readonly string[]): Sql {
  return joined(
    words.map((word) => sql`select w.id from search_words w where ${beginning(cx, kind, word)}`),
    " intersect ",
  );
}

/** Selects words with a beginning. Words are in byte order, and 1114111 is the last code point of Unicode. */
function beginning(cx: Reader, kind: Named, word: string): Sql {
  return sql`w.account_id = ${cx.caller.account_id} and w.kind = ${kind} and w.word >= ${word}
    and w.word < ${word} || chr(1114111)`;
}

/** The most different words with the same beginning that are read. */
const MOST_BEGINNINGS = raw(64);

/** Selects the newest invoices with one word: of each word with that beginning, only the newest invoices are read. */
function newestWith(cx: Reader, word: string, most: number): Sql {
  const { account_id } = cx.caller;
  const first = sql`select w.word from search_words w where ${beginning(cx, "invoice", word)}`;
  return sql`with recursive beginnings as (
      (${first} order by w.word limit 1) union all
      select (${first} and w.word > b.word order by w.word limit 1) from beginnings b where b.word is not null)
    select n.id from (select word from beginnings where word is not null limit ${MOST_BEGINNINGS}) b,
      lateral (select s.id from search_words s
        where s.account_id = ${account_id} and s.kind = 'invoice' and s.word = b.word order by s.id desc limit ${most}) n`;
}

interface CustomerFound {
  readonly id: string;
  readonly name: string;
  readonly vat_number: string | null;
}

/** Finds active customers by name, VAT number or external id; those whose name begins with the text come first. */
export function findCustomers(
  cx: Reader,
  text: string,
  { words, most }: SearchTerms,
): Promise<CustomerFound[]> {
  return cx.rows<CustomerFound>(sql`select id, name, vat_number from customers
    where account_id = ${cx.caller.account_id} and active
      and id in (${withWords(cx, "customer", words)})${andSeen(cx, "customer")}
    order by starts_with(lower(name), lower(${text})) desc, name, id limit ${most}`);
}

/** An issued document, or a draft, which has neither number nor amounts. */
export interface DocumentFound {
  readonly id: string;
  /** For a credit note, the number of its invoice. */
  readonly title: string | null;
  readonly number: bigint | null;
  readonly currency: string;
  readonly customer_name: string;
  readonly net: bigint | null;
  readonly gross: bigint | null;
  readonly found_by: "number" | "amount" | "words";
}

/** The most results for one amount: some may be in a currency with other decimals. */
export const MOST_OF_AMOUNT = raw(25);

/** Finds invoices by number, by amount, and by the words of their titles, the newest first of each. */
export function findInvoices(cx: Reader, asked: SearchTerms): Promise<DocumentFound[]> {
  const { account_id } = cx.caller;
  const { words, number, most } = asked;
  const own = andSeen(cx, "invoice");
  return cx.rows<DocumentFound>(sql`with found as (
      select id, 'number' as found_by from invoices
        where account_id = ${account_id} and ledger_invoice_number = ${number}::bigint${own}
      union all
      select id, 'amount' from (${ofAmounts(cx, "invoice", asked, own)}) a
      union all
      (select distinct id, 'words' from (${titled(cx, words, most, own)}) w order by id desc limit ${most}))
    select i.id, i.title, i.ledger_invoice_number as number, i.currency, c.name as customer_name, d.net, d.gross, f.found_by
    from found f join invoices i on i.account_id = ${account_id} and i.id = f.id
      join customers c on c.account_id = i.account_id and c.id = i.customer_id
      left join issued_documents d on d.account_id = i.account_id and d.document_id = i.id
    order by f.found_by = 'number' desc, f.found_by = 'amount' desc, i.id desc`);
}

/** The ids of invoices whose titles have all words, the newest among them. */
function titled(cx: Reader, words: readonly string[], most: number, own: Sql): Sql {
  const [word = "", ...others] = words;
  const ids = withWords(cx, "invoice", words);
  if (seesAll(cx))
    return others.length === 0 ? newestWith(cx, word, most) : newestOf(cx, words, most, ids);
  return sql`select invoices.id from invoices
    where invoices.account_id = ${cx.caller.account_id} and invoices.id in (${ids})${own}`;
}

/** The newest invoices that are read before all words of all titles are. */
const MOST_RECENT = raw(2000);

/** Selects the newest invoices with all words in the title, for words so frequent that some of the newest have all. */
function newestOf(cx: Reader, words: readonly string[], most: number, ids: Sql): Sql {
  // A fast precondition: a word that is not in the title as text is not among its words, which are slower to compute.
  const likely = joined(
    words.map((word) => sql`strpos(lower(title), ${word}) > 0`),
    " and ",
  );
  return sql`with recent as materialized (
      select id from (select id, title from invoices where account_id = ${cx.caller.account_id}
        order by id desc limit ${MOST_RECENT}) last
      where ${likely} and ${hasWords(words, "title")} limit ${most})
    select id from recent union all
    select id from (${ids}) all_titles where (select count(*) from recent) < ${most}`;
}

/** Finds credit notes by number and by amount. */
export function findCreditNotes(cx: Reader, asked: SearchTerms): Promise<DocumentFound[]> {
  const { account_id } = cx.caller;
  const own = andSeen(cx, "credit_note");
  return cx.rows<DocumentFound>(sql`with found as (
      select id, 'number' as found_by from credit_notes
        where account_id = ${account_id} and ledger_credit_note_number = ${asked.number}::bigint${own}
      union all
      select id, 'amount' from (${ofAmounts(cx, "credit_note", asked, own)}) a)
    select n.id, i.ledger_invoice_number::text as title, n.ledger_credit_note_number as number, i.currency,
      c.name as customer_name, d.net, d.gross, f.found_by
    from found f join credit_notes n on n.account_id = ${account_id} and n.id = f.id
      join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
      join customers c on c.account_id = n.account_id and c.id = n.customer_id
      left join issued_documents d on d.account_id = n.account_id and d.document_id = n.id
    order by f.found_by = 'number' desc, n.id desc`);
}

/** The ids of issued documents with one of the amounts, without or with VAT. */
function ofAmounts(
  cx: Reader,
  kind: "invoice" | "credit_note",
  { amounts }: SearchTerms,
  own: Sql,
): Sql {
  const table = raw(`${kind}s`);
  const of = (
    column: "net" | "gross",
  ) => sql`select n.id from unnest(${amounts}::bigint[]) as minor, lateral (
      select ${table}.id from issued_documents d
        join ${table} on ${table}.account_id = d.account_id and ${table}.id = d.document_id
      where d.account_id = ${cx.caller.account_id} and d.kind = ${kind} and d.${raw(column)} = minor${own}
      order by d.document_id desc limit ${MOST_OF_AMOUNT}) n`;
  return sql`${of("gross")} union ${of("net")}`;
}

/** A payment or refund; `gross` is its amount. */
export interface PaymentFound extends DocumentFound {
  readonly kind: "payment" | "refund";
}

/**
 * Finds payments and refunds by number, by amount and by the customer's name, the newest first of each; none for a person who does
 * not see the whole account.
 */
export async function findPayments(cx: Reader, asked: SearchTerms): Promise<PaymentFound[]> {
  if (!seesAll(cx)) return [];
  const { account_id } = cx.caller;
  const { words, number, amounts, most } = asked;
  return cx.rows<PaymentFound>(sql`with found as (
      select id, 'number' as found_by from payments where account_id = ${account_id} and number = ${number}::bigint
      union all
      select n.id, 'amount' from unnest(${amounts}::bigint[]) as minor, lateral (select id from payments
        where account_id = ${account_id} and amount = minor order by id desc limit ${MOST_OF_AMOUNT}) n
      union all
      (select n.id, 'words' from (${withWords(cx, "customer", words)}) w, lateral (select id from payments
        where account_id = ${account_id} and customer_id = w.id order by id desc limit ${most}) n
        order by n.id desc limit ${most}))
    select p.id, null::text as title, p.kind, p.number, p.currency, c.name as customer_name, p.amount as net,
      p.amount as gross, f.found_by
    from found f join payments p on p.account_id = ${account_id} and p.id = f.id
      join customers c on c.account_id = p.account_id and c.id = p.customer_id
    order by f.found_by = 'number' desc, f.found_by = 'amount' desc, p.id desc`);
}

interface SeriesFound {
  readonly id: string;
  readonly customer_name: string;
  readonly external_id: string | null;
}

/** Finds series by the customer's name, the newest first, without discarded series. */
export function findSeries(cx: Reader, { words, most }: SearchTerms): Promise<SeriesFound[]> {
  return cx.rows<SeriesFound>(sql`select recurring_series.id, c.name as customer_name, recurring_series.external_id
    from recurring_series
      join customers c on c.account_id = recurring_series.account_id and c.id = recurring_series.customer_id
    where recurring_series.account_id = ${cx.caller.account_id} and not recurring_series.is_discarded
      and recurring_series.customer_id in (${withWords(cx, "customer", words)})${andSeen(cx, "recurring_series")}
    order by recurring_series.id desc limit ${most}`);
}

interface ProductFound {
  readonly id: string;
  readonly name: string;
  readonly product_number: string | null;
}

/** Finds active products by name or number. */
export function findProducts(cx: Reader, { words, most }: SearchTerms): Promise<ProductFound[]> {
  return cx.rows<ProductFound>(sql`select id, name, product_number from products
    where account_id = ${cx.caller.account_id} and active and id in (${withWords(cx, "product", words)})
    order by name, id limit ${most}`);
}

interface UserFound {
  readonly id: string;
  readonly name: string;
}

/** Finds active users by name: there are so few that all are read. */
export function findUsers(cx: Reader, { words, most }: SearchTerms): Promise<UserFound[]> {
  return cx.rows<UserFound>(sql`select id, name from users
    where account_id = ${cx.caller.account_id} and active and ${hasWords(words, "name")}
    order by name, id limit ${most}`);
}

interface AccountFound {
  readonly number: number;
  readonly name: string;
}

/** Finds ledger accounts by number or name; none for a person who does not see the whole account. */
export async function findAccounts(
  cx: Reader,
  { words, number, most }: SearchTerms,
): Promise<AccountFound[]> {
  if (!seesAll(cx)) return [];
  return cx.rows<AccountFound>(sql`select number, name from ledger_accounts
    where account_id = ${cx.caller.account_id} and (number = ${number}::bigint or ${hasWords(words, "name")})
    order by number limit ${most}`);
}

/** Returns the SQL condition that a text has all words; each word is the beginning of a word of the text. */
function hasWords(words: readonly string[], column: "name" | "title"): Sql {
  return sql`not exists (select from unnest(${words}::text[]) as asked where not exists (
    select from unnest(words_of(${raw(column)})) as word where starts_with(word, asked)))`;
}

/** Whether the caller sees the whole account: keys and admins do. */
export function seesAll({ caller: { person } }: Reader): boolean {
  return person === null || seesAccount(person.role);
}
