/**
 * A separate sandbox account in which random histories are played, and the drawn values of a step: dates
 * near month ends and in closed months, tiny amounts. A refusal is an answer; a failure of the service is not.
 */
import type { OpenedAccount } from "../../src/features/access/accounts/create.ts";
import type { Json, Reply, World } from "../support/world/world.ts";

export const FUNCTIONAL = "DKK";
export const ROLES = { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 };
/** The counter account of opening contracts. */
export const COUNTER = 6950;
const REVENUE_ACCOUNTS = [1000, 1010, 1050] as const;
export const DIGITS: Readonly<Record<string, number>> = { DKK: 2, EUR: 2, JPY: 0, KWD: 3 };
const START = "2026-02-03";

/** The random values of a history or a step: the same for the same seed. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** An integer from 0, below the limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** True with this probability in percent. */
  often(percent: number): boolean {
    return this.below(100) < percent;
  }

  oneOf<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("nothing to draw from");
    return value;
  }

  /** Undefined for an empty list. */
  maybeOneOf<Value>(values: readonly Value[]): Value | undefined {
    return values.length === 0 ? undefined : this.oneOf(values);
  }
}

export class Studio {
  readonly world: World;
  readonly account: OpenedAccount;
  /** The foreign currency of this history. */
  readonly foreign: string;
  readonly customers: Json[] = [];
  readonly products: Json[] = [];
  readonly users: Json[] = [];
  /** The actions so far, in words: reported when an invariant is violated. */
  readonly history: string[] = [];
  today = START;
  #count = 0;

  private constructor(world: World, account: OpenedAccount, foreign: string) {
    this.world = world;
    this.account = account;
    this.foreign = foreign;
  }

  static async open(world: World, draw: Draw): Promise<Studio> {
    const account = await world.openAnother({ sandbox: true });
    const studio = new Studio(world, account, draw.oneOf(["EUR", "EUR", "JPY", "KWD"]));
    await studio.moveTo(START);
    await studio.done("PATCH /configuration", {
      default_auto_send: false,
      account_roles: ROLES,
      seller: { street: "Nygade 1", city: "Aarhus", vat_number: "12345674" },
    });
    for (const name of ["Acme", "Bolt"]) {
      studio.customers.push(await studio.done("POST /customers", { name }));
    }
    for (const account_number of REVENUE_ACCOUNTS) {
      const body = { name: `Product ${account_number}`, account_number, default_price: 10 };
      studio.products.push(await studio.done("POST /products", body));
    }
    for (const name of ["Anna", "Bo", "Cia"]) {
      studio.users.push(
        await studio.done("POST /users", { name, email: `${name.toLowerCase()}@studio.example` }),
      );
    }
    // Sometimes the first months have no closing rate.
    const day = draw.oneOf(["2025-09-01", "2025-09-01", "2025-12-31", "2026-01-31"]);
    await studio.done(`PUT /exchange-rates/${studio.foreign}/${day}`, { rate: studio.rate(draw) });
    return studio;
  }

  /** A new, unused name. */
  fresh(): string {
    this.#count += 1;
    return `history-${this.#count}`;
  }

  /** Throws for an answer of 5xx, and of 400, which is a fault of the test itself. */
  async ask(call: string, body?: unknown): Promise<Reply> {
    const reply = await this.world.rest(call, body, this.account.keys.read_write);
    const code = reply.status < 300 ? "" : ` ${reply.body?.error?.code}`;
    if (!call.startsWith("GET")) {
      this.history.push(`${call} ${JSON.stringify(body ?? {})} -> ${reply.status}${code}`);
    }
    if (reply.status >= 500 || reply.status === 400) {
      throw new Error(`${call} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    }
    return reply;
  }

  /** The body; throws for a refusal. */
  async done(call: string, body?: unknown): Promise<Json> {
    const reply = await this.ask(call, body);
    if (reply.status < 300) return reply.body;
    throw new Error(`${call} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  }

  /** Every element of a list, page by page. */
  async all(path: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const sign = path.includes("?") ? "&" : "?";
      const page: Json = await this.done(`GET ${path}${sign}limit=100${more}`);
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  sql(text: string, values: readonly unknown[] = []): Promise<Json[]> {
    return this.world.sql(text, [this.account.account_id, ...values]);
  }

  async moveTo(day: string): Promise<void> {
    await this.done("PUT /test-clock", { now: `${day}T10:00:00.000Z` });
    this.today = day;
  }

  get month(): string {
    return this.today.slice(0, 7);
  }

  /** Months from four before the current one to three after it, the near past most often. */
  drawMonth(draw: Draw): string {
    return addMonths(this.month, draw.oneOf([-1, -1, 0, -2, -1, 0, 0, -3, 1, -4, 2, 3]));
  }

  /** A day in such a month, most often its last or first. */
  day(draw: Draw): string {
    const month = this.drawMonth(draw);
    const last = daysIn(month);
    const day = draw.oneOf([last, 1, last, draw.below(last) + 1, Math.min(last, 15), last - 1]);
    return `${month}-${String(day).padStart(2, "0")}`;
  }

  /** The same, not after today. */
  past(draw: Draw): string {
    const day = this.day(draw);
    return day > this.today ? this.today : day;
  }

  currency(draw: Draw): string {
    return draw.oneOf([FUNCTIONAL, this.foreign]);
  }

  /** In units of the currency: a few minor units as often as thousands. */
  amount(draw: Draw, currency: string): number {
    const minor = draw.oneOf([1, 2, 3, 7, 100, 99_99, 100_01, 3_333_33, 12_000_00, 1, 100_00, 0]);
    return minor / 10 ** (DIGITS[currency] ?? 2);
  }

  rate(draw: Draw): number {
    return draw.oneOf([7.46, 7.1, 7.055555, 0.5, 0.045123, 21.5, 1, 7.999999]);
  }
}

export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

export function daysIn(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();
}

export function lastDay(month: string): string {
  return `${month}-${daysIn(month)}`;
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Minor units of an amount as the API shows it. */
export function minor(amount: number, currency: string): bigint {
  return BigInt(Math.round(amount * 10 ** (DIGITS[currency] ?? 2)));
}
