/**
 * The simulation of the Dinero API as a separate process (simulator.mjs describes it), and the queries of tests to its books.
 * Numbers, totals and counts in assertions come from here, never from the connector's answers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../../src/platform/runtime/paths.ts";

const PROGRAM = join(packageRoot, "test/support/ledger/dinero/simulator.mjs");

/** The simulation's record of a document. Amounts are hundredths in decimal digits. */
interface SimulatedDocument {
  readonly Guid: string;
  readonly Status: "Draft" | "Booked";
  readonly Number: number | null;
  readonly Date: string;
  readonly Currency: string;
  readonly ContactGuid: string | null;
  readonly CreditNoteFor: string | null;
  readonly Description: string;
  readonly TimeStamp: string;
  readonly net: string;
  readonly vat: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly mailouts: readonly Readonly<Record<string, unknown>>[];
  readonly deleted?: boolean;
}

export interface SimulatedBooks {
  readonly organisation: { readonly years: readonly object[] };
  readonly invoices: readonly SimulatedDocument[];
  readonly credit_notes: readonly SimulatedDocument[];
  readonly ledger_items: readonly Readonly<Record<string, unknown>>[];
  readonly contacts: readonly Readonly<Record<string, unknown>>[];
  readonly products: readonly Readonly<Record<string, unknown>>[];
  readonly entries: readonly {
    readonly AccountNumber: number;
    readonly Amount: number;
    readonly VoucherGuid: string;
    readonly VatCode: string | null;
  }[];
}

interface DineroSimulation {
  /** `http://127.0.0.1:port`, the same after a restart. */
  readonly origin: string;
  /** The books of the initial organisation, or of another. */
  books(organisation?: number): Promise<SimulatedBooks>;
  /** The requests since the last `forget`, such as `POST /v1/270001/invoices`. */
  calls(): Promise<readonly string[]>;
  /** Posts to the control address (control.mjs). */
  control(name: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>;
  /** Starts it again on the same books and the same port. */
  restart(): Promise<void>;
  /** Ends it and removes its books. */
  close(): Promise<void>;
}

/** Settings and secrets with which the connector reaches the simulation. */
export function simulatedAccess(origin: string) {
  return {
    settings: {
      organization_id: "270001",
      client_id: "sim-client",
      api_url: origin,
      token_url: `${origin}/token`,
    },
    secrets: { client_secret: "sim-secret", api_key: "sim-key" },
  };
}

/** Starts a simulation with its own books in a temporary folder. */
export async function openDineroSimulation(): Promise<DineroSimulation> {
  const folder = mkdtempSync(join(tmpdir(), "dinero-simulation-"));
  const file = join(folder, "books.jsonl");
  let { child, origin } = await start(file, "0");
  const ask = async (method: string, name: string, input?: unknown) => {
    const body = input === undefined ? {} : { body: JSON.stringify(input) };
    const answer = await fetch(`${origin}/_control/${name}`, { method, ...body });
    if (!answer.ok) throw new Error(`the simulation answered ${answer.status} to ${name}`);
    return answer.json();
  };
  const simulation: DineroSimulation = {
    origin,
    books: (organisation = 270001) =>
      ask("GET", `books?org=${organisation}`) as Promise<SimulatedBooks>,
    calls: () => ask("GET", "calls") as Promise<readonly string[]>,
    control: (name, input = {}) =>
      ask("POST", name, input) as Promise<Readonly<Record<string, unknown>>>,
    kill: () => ended(child, "SIGKILL"),
    async restart() {
      await simulation.kill();
      ({ child, origin } = await start(file, new URL(origin).port));
    },
    async close() {
      await ended(child, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return simulation;
}

function start(file: string, port: string): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, [PROGRAM, file, port], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let written = "";
    const onText = (chunk: Buffer): void => {
      written += chunk.toString();
      const origin = /listens on (\S+)/.exec(written)?.[1];
      if (origin !== undefined) resolve({ child, origin });
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the simulation did not start\n${written}`)));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
