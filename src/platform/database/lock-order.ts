/**
 * The order in which a transaction takes its locks (docs/internals/locks.md). Transactions that keep this order cannot
 * deadlock. Under test, each statement of each transaction is checked; a lock that is taken too late is an error of the program.
 */

/** The locks, from the first to the last. A transaction that locks an unlisted table waits for no other lock. */
export const lockRanks: readonly string[] = [
  // The example year that a step counts for.
  "studios",
  "plans",
  "idempotency_keys",
  // The customer whose accruals are booked, or who is changed; then the close that is in progress.
  "customers",
  "period_closes",
  // The advisory lock of an external id that is being created.
  "turn",
  "recurring_series",
  "invoices",
  // Codes are not listed: an exchange locks its code before the user, a deactivation locks it after. The loser of a deadlock runs
  // again.
  "logins",
  "users",
  // The factors of a login; an answer uses one before its session begins.
  "authenticators",
  "passkeys",
  "recovery_codes",
  "pending_sign_ins",
  "sessions",
  "oauth_grants",
  "deliveries",
  "credit_notes",
  // The lines of bank statements that are booked, by id.
  "bank_lines",
  // A reminder, before its open item.
  "reminders",
  // What a payment or a credit is applied to; several by id.
  "open_items",
  "configurations",
  // The default, which another bank account takes over, and which changes with the currency of the books.
  "bank_accounts",
  // Products whose prices are in the currency of the books.
  "products",
  // The customer that an assistant's plan will send to, locked so that it stays as planned.
  "customers for share",
  "ledger_books",
  // The connection for e-invoices that is checked or replaced; a delivery that names it is queued under a share of this lock.
  "einvoice_connections",
  // The endpoint that is changed; its deliveries come after it.
  "webhook_endpoints",
  "webhook_deliveries",
  // The account's barrier: polls end before the begin of the transaction that holds it.
  "stamp",
  "audit_heads",
];

/** The locks that a function of the database takes, by its name; its source is compared with this list by a test. */
export const locksOfFunctions: Readonly<Record<string, readonly string[]>> = {
  stamp: ["stamp"],
  take_numbers: ["ledger_books"],
  lock_credit: ["invoices", "credit_notes", "open_items", "configurations"],
};

/** The locks of a function that takes one group of several: a caller that holds a group, or may take it, may call it. */
export const choicesOfFunctions: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lock_line: [
    ["recurring_series", "users"],
    ["invoices", "users"],
  ],
};

export interface LockOrder {
  /** Throws when the statement takes a lock that should have been taken earlier. */
  look(text: string): void;
}

const nothing: LockOrder = { look: () => {} };
const IS_WATCHED = process.env.NODE_ENV === "test";

/** Watches the statements of one transaction; only under test. */
export function watchLockOrder(): LockOrder {
  return IS_WATCHED ? new WatchedOrder() : nothing;
}

/** The locks of a statement, by the names of `lockRanks`, and the tables into which it inserts rows. */
interface Taken {
  readonly locks: readonly string[];
  readonly makes: readonly string[];
}

class WatchedOrder implements LockOrder {
  readonly #held = new Set<string>();
  #last = { rank: -1, name: "" };

  look(text: string): void {
    const { locks, makes } = takenBy(text);
    for (const name of locks) {
      const rank = lockRanks.indexOf(name);
      if (rank < 0 || this.#held.has(name)) continue;
      if (rank < this.#last.rank) {
        throw new Error(`${name} is locked after ${this.#last.name}, by: ${text}`);
      }
      this.#held.add(name);
      this.#last = { rank, name };
    }
    for (const name of makes) this.#held.add(name);
    for (const name of namesIn(text, /\b(\w+)\(/g)) this.#choose(name);
  }

  /** Checks a function that takes one group of locks. Like a table that is held, it may be called again later. */
  #choose(name: string): void {
    const groups = choicesOfFunctions[name];
    if (groups === undefined || this.#held.has(name)) return;
    const may = (lock: string): boolean =>
      this.#held.has(lock) || lockRanks.indexOf(lock) >= this.#last.rank;
    if (!groups.some((group) => group.every(may))) {
      throw new Error(`${name} is called after ${this.#last.name} is locked`);
    }
    this.#held.add(name);
  }
}

const known = new Map<string, Taken>();

/** Returns the locks that a statement takes, by its text. */
export function takenBy(text: string): Taken {
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const taken = { locks: locksOf(text), makes: namesIn(text, /\binsert\s+into\s+(\w+)/g) };
  known.set(text, taken);
  return taken;
}

function locksOf(text: string): string[] {
  const locks = new Set<string>();
  for (const [, strength = "", of] of text.matchAll(
    /\bfor\s+(no key update|update|share)\b(?:\s+of\s+(\w+))?/g,
  )) {
    const table = of === undefined ? firstTable(text) : tableOf(text, of);
    locks.add(table === "customers" && strength === "share" ? "customers for share" : table);
  }
  if (/\bpg_advisory_xact_lock\(/.test(text)) locks.add("turn");
  for (const table of namesIn(text, /(?<!\bfor |\bkey |\bdo )\bupdate\s+(\w+)/g)) locks.add(table);
  for (const table of namesIn(text, /\bdelete\s+from\s+(\w+)/g)) locks.add(table);
  for (const [, name = ""] of text.matchAll(/\b(\w+)\(/g)) {
    for (const lock of locksOfFunctions[name] ?? []) locks.add(lock);
  }
  return [...locks].sort((a, b) => lockRanks.indexOf(a) - lockRanks.indexOf(b));
}

function firstTable(text: string): string {
  return /\bfrom\s+(\w+)/.exec(text)?.[1] ?? "";
}

/** Returns the table behind an alias; the alias itself when it is a table's name. */
function tableOf(text: string, alias: string): string {
  return (
    new RegExp(`\\b(?:from|join)\\s+(\\w+)(?:\\s+as)?\\s+${alias}\\b`).exec(text)?.[1] ?? alias
  );
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
