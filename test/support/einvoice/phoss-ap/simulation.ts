/**
 * The simulation of phoss-ap as a separate process (simulator.mjs describes it), and the queries of tests to its books. What a buyer
 * has received is counted here, never in the adapter's answers.
 */
import { openSimulator, type SimulatorProcess } from "../../run/simulator-process.ts";

/** A submission as phoss-ap shows it, and whether it is archived. */
interface Transaction {
  readonly sbdhInstanceID: string;
  readonly senderID: string;
  readonly receiverID: string;
  readonly docTypeID: string;
  readonly processID: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly completedDT: string | null;
  readonly mlsStatus: string;
  readonly sha256: string;
  readonly is_archived: boolean;
}

/** A document that reached a receiver. */
interface Sending {
  readonly sbdhInstanceID: string;
  readonly receiverID: string;
  /** Hexadecimal, of the submitted bytes. */
  readonly sha256: string;
}

interface PhossBooks {
  readonly transactions: readonly Transaction[];
  readonly sendings: readonly Sending[];
}

interface PhossSimulation extends Omit<SimulatorProcess, "ask"> {
  books(): Promise<PhossBooks>;
  /** The requests since the last `forget`, such as `GET /api/outbound/status/…`. */
  calls(): Promise<readonly string[]>;
  /** Posts to the control address (control.mjs). */
  control(name: string, input?: unknown): Promise<unknown>;
}

/** The token that the simulation expects. */
export const SIMULATED_TOKEN = "sim-token";

/** Starts a simulation with its own books in a temporary folder. */
export async function openPhossSimulation(): Promise<PhossSimulation> {
  const { ask, ...process } = await openSimulator("test/support/einvoice/phoss-ap/simulator.mjs");
  return {
    ...process,
    books: () => ask("GET", "books") as Promise<PhossBooks>,
    calls: () => ask("GET", "calls") as Promise<readonly string[]>,
    control: (name, input = {}) => ask("POST", name, input),
  };
}
