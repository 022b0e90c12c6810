/** The statements that read several accounts at once, each with its reason. */

/** A statement that is recognized by a part of its text, with single spaces. */
interface Exception {
  readonly text: string;
  readonly why: string;
  /** Whether it may also write, as the reason says. */
  readonly writes?: true;
}

const DUE = "the background looks for due work of any account, and takes it account by account";
const CLEANS =
  "every machine deletes its own expired rows; no row of another table depends on them";

const EXCEPTIONS: readonly Exception[] = [
  {
    text: "select account_id, seq from audit_heads where account_id = any($1)",
    why: "one poll serves the requests of several accounts that wait for their next events",
  },
  { text: "select distinct w.task from (", why: DUE },
  { text: "from deliveries d where d.account_id > $1 and d.state in", why: DUE },
  { text: "from deliveries d where d.einvoice_look_at <=", why: DUE },
  { text: "from einvoice_connections c where c.is_current and c.state = 'unavailable'", why: DUE },
  { text: "select distinct d.account_id from deliveries d join einvoice_connections", why: DUE },
  { text: "from intents i where i.account_id > $1 and i.state in", why: DUE },
  { text: "from waiting_documents w where w.account_id > $1", why: DUE },
  { text: "from ledger_connections where down_since is not null", why: DUE },
  { text: "from intents t where t.sweep_at <= clock_timestamp()", why: DUE },
  { text: "from ledger_connections c where c.kind = any($1) and c.is_current", why: DUE },
  { text: "select c.account_id from ledger_connections c where c.state in", why: DUE },
  {
    text: "select a.id from accounts a join ( select s.account_id from recurring_series",
    why: DUE,
  },
  { text: "from einvoice_connections c where c.is_current and c.kind in", why: DUE },
  { text: "from deliveries where state = 'sending' and lease_until", why: DUE },
  { text: "from period_closes where status = 'running' and lease_until", why: DUE },
  { text: "left join ( select e.account_id, e.id, e.updated_at, e.work_version", why: DUE },
  { text: "from revenue_figures where computed_at is null", why: DUE },
  { text: "from customer_balances where computed_at is null", why: DUE },
  { text: "from accounts a left join verifications v", why: DUE },
  {
    text: "select count(*) as count from verifications where not ok",
    why: "the operator sees how many accounts do not verify",
  },
  {
    text: "from deliveries d join accounts a on a.id = d.account_id",
    why: "a link is found by its secret, before the account is known",
  },
  {
    text: "where account_id in (select id from accounts where $1::uuid is null",
    why: "the operator looks for a document in all accounts",
  },
  {
    text: "select account_id, id from ledger_connections order by",
    why: "the operator seals the secrets of all connections again",
  },
  {
    text: "select account_id, id from einvoice_connections where is_current order by",
    why: "the operator seals the secrets of all connections again",
  },
  {
    text: "select account_id, id from webhook_endpoints order by",
    why: "the operator seals the secrets of all endpoints again",
  },
  { text: "delete from idempotency_keys where expires_at <", why: CLEANS, writes: true },
  { text: "delete from einvoice_lookups where looked_up_at <", why: CLEANS, writes: true },
  { text: "delete from webhook_deliveries where created_at <", why: CLEANS, writes: true },
  { text: "delete from mail_counters where ends_at <", why: CLEANS, writes: true },
  { text: "delete from polls_cut_short where asked_at <", why: CLEANS, writes: true },
  { text: "delete from api_key_requests r using api_keys", why: CLEANS, writes: true },
  { text: "delete from intents where settled_at <", why: CLEANS, writes: true },
];

/** Returns the exception for a statement; undefined when it has to name its account. */
export function exceptionOf(text: string): Exception | undefined {
  const spaced = text.replace(/\s+/g, " ");
  return EXCEPTIONS.find((one) => spaced.includes(one.text));
}

/** Returns the texts of the exceptions that none of these statements needs. */
export function unneededExceptions(texts: readonly string[]): string[] {
  const needed = new Set(texts.map(exceptionOf));
  return EXCEPTIONS.filter((one) => !needed.has(one)).map(({ text }) => text);
}
