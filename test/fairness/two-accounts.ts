/**
 * Accounts with heavy work on the real program, and another account with light requests. The tests measure order and amount of
 * work, never duration, so that a slow machine passes too.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { type Json, type UsedWorld, useWorld } from "../support/world/world.ts";

const ROLES = { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 };

export interface Answered {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers: Headers;
}

interface Asking {
  readonly signal?: AbortSignal;
  readonly idempotency_key?: string;
}

/** An account with a customer and a product, as clients of the program see it. */
export interface Account {
  readonly id: string;
  readonly customer_id: string;
  readonly product_id: string;
  readonly admin: { readonly user_id: string; readonly email: string };
  /** Its key, for requests that do not use `ask`. */
  readonly key: string;
  /** One call to the program, with its complete answer. Rejects when `signal` aborts, or the program ends. */
  ask(call: string, body?: unknown, asking?: Asking): Promise<Answered>;
  /** The same, repeated after each 429 when `Retry-After` allows it; `refused` is called with each refusal. */
  obey(call: string, body?: unknown, refused?: (answered: Answered) => void): Promise<Answered>;
  /** A draft with the given number of lines and this description on each. */
  draft(lines: number, description?: string): Promise<string>;
  /** The same, issued. */
  issued(lines: number): Promise<string>;
  /** An active weekly series whose periods are issued manually. */
  series(start_date: string, lines: number): Promise<string>;
}

interface Accounts {
  readonly world: UsedWorld;
  readonly program: RunningProgram;
  /** Another account of the installation. */
  open(): Promise<Account>;
  /** Restarts the program after a test has ended it. */
  restart(): Promise<void>;
}

/** Registers the hooks that build, start and end the program; it serves the database of its own world. */
export function useAccounts(environment: Readonly<Record<string, string>> = {}): Accounts {
  const world = useWorld();
  let built: BuiltProgram;
  const accounts = {
    world,
    open: async () => accountOf(accounts, await world.openAnother()),
    restart: async () => {
      Object.assign(accounts, { program: await startOnWorld(built, world, environment) });
    },
  } as { program: RunningProgram } & Accounts;
  beforeAll(async () => {
    built = await buildProgram();
    await accounts.restart();
  });
  afterAll(async () => {
    await built.end();
  });
  return accounts;
}

/** The world's own service creates the data of tests, so that the program does only the work that tests request. */
async function accountOf(
  accounts: Accounts,
  { account_id, admin, keys }: Awaited<ReturnType<UsedWorld["openAnother"]>>,
): Promise<Account> {
  const { world } = accounts;
  const key = keys.read_write;
  const customer = await world.done("POST /customers", { name: "Acme" }, key);
  const product = await world.done("POST /products", { name: "Work" }, key);
  await world.done("PATCH /configuration", { account_roles: ROLES }, key);
  const linesOf = (count: number, description_override: string | null = null): Json[] =>
    Array.from({ length: count }, (_, n) => ({
      product_id: product.id,
      recognition_method: "value",
      agreed_value: 1000 + n,
      description_override,
    }));
  const draft = async (lines: number, description?: string): Promise<string> => {
    const body = { customer_id: customer.id, auto_send: false, lines: linesOf(lines, description) };
    return (await world.done("POST /invoices", body, key)).id;
  };
  const ask = async (
    call: string,
    body?: unknown,
    { signal, idempotency_key }: Asking = {},
  ): Promise<Answered> => {
    const [method = "", path = ""] = call.split(/ (.*)/s);
    const response = await fetch(`${accounts.program.origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const content = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, body: content, headers: response.headers };
  };
  return {
    id: account_id,
    customer_id: customer.id,
    product_id: product.id,
    admin,
    key,
    draft,
    ask,
    async obey(call, body, refused) {
      for (;;) {
        const answered = await ask(call, body);
        if (answered.status !== 429) return answered;
        refused?.(answered);
        await delay(Number(answered.headers.get("retry-after")) * 1000);
      }
    },
    async issued(lines) {
      const id = await draft(lines);
      await world.done(`POST /invoices/${id}/issue`, undefined, key);
      return id;
    },
    async series(start_date, lines) {
      const body = {
        customer_id: customer.id,
        frequency: "weekly",
        start_date,
        issue_timing: { mode: "manual" },
        lines: linesOf(lines),
      };
      const { id } = await world.done("POST /recurring-series", body, key);
      await world.done(`POST /recurring-series/${id}/activate`, {}, key);
      return id;
    },
  };
}

/** How many answers another account got before the first and before the last of the heavy requests ended. */
interface Order {
  readonly before_first: number;
  readonly before_last: number;
}

/** More answers than any test requires: from then on, the other account asks less often and leaves the processor to the rest. */
const PLENTY = 40;
const PAUSE_MS = 50;

/** Sends requests for the other account, one after the other, until the work in progress has ended; none is refused. */
export async function askBeside(
  under_way: readonly Promise<unknown>[],
  light: Account,
): Promise<Order> {
  let first_ended = false;
  let all_ended = false;
  const endFirst = (): void => {
    first_ended = true;
  };
  for (const one of under_way) one.then(endFirst, endFirst);
  const end = Promise.allSettled(under_way).then(() => {
    all_ended = true;
  });
  let before_first = 0;
  let before_last = 0;
  const refused: number[] = [];
  while (!all_ended) {
    const { status } = await light.ask(
      before_last % 2 === 0 ? "GET /invoices?limit=25" : `GET /customers/${light.customer_id}`,
    );
    if (status !== 200) refused.push(status);
    if (!first_ended) before_first += 1;
    if (!all_ended) before_last += 1;
    if (before_last >= PLENTY) await delay(PAUSE_MS);
  }
  await end;
  await Promise.all(under_way);
  expect(refused).toEqual([]);
  return { before_first, before_last };
}

/** This many simultaneous requests, with their results. */
export function times(count: number, ask: (n: number) => Promise<Answered>): Promise<Answered>[] {
  return Array.from({ length: count }, (_, n) => ask(n));
}

/** Seconds of processor time that the program has used so far, in all of its threads. */
export async function processorSeconds({ program }: Accounts): Promise<number> {
  const text = await (await fetch(`${program.origin}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}
