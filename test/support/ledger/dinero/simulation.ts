/**
 * The simulation of the Dinero API as a separate process (simulator.mjs describes it), and the queries of tests to its books.
 * Numbers, totals and counts in assertions come from here, never from the connector's answers.
 */
import { openSimulator } from "../../run/simulator-process.ts";

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
  const { ask, ...process } = await openSimulator("test/support/ledger/dinero/simulator.mjs");
  return {
    ...process,
    books: (organisation = 270001) =>
      ask("GET", `books?org=${organisation}`) as Promise<SimulatedBooks>,
    calls: () => ask("GET", "calls") as Promise<readonly string[]>,
    control: (name, input = {}) =>
      ask("POST", name, input) as Promise<Readonly<Record<string, unknown>>>,
  };
}
