/**
 * A simulator of an external ledger's customers and products, for tests only: it has its own records of them, and a test scripts
 * the faults of the next calls. It books nothing.
 */
import type {
  ConnectedLedger,
  LedgerCustomer,
  LedgerProduct,
  PutOutcome,
  RemoteChange,
} from "../../../src/ledger/connected.ts";
import type { Connection } from "../../../src/ledger/ledger.ts";

/** The course of one call; `keep` does what a correct ledger does. */
type Step = (keep: () => PutOutcome) => PutOutcome | Promise<PutOutcome>;

export function openPeopleLedger() {
  const customers = new Map<string, LedgerCustomer>();
  const products = new Map<string, LedgerProduct>();
  const steps: Step[] = [];
  const calls: string[] = [];
  let changed: {
    customers: RemoteChange<Partial<LedgerCustomer>>[];
    products: RemoteChange<Partial<LedgerProduct>>[];
  } = { customers: [], products: [] };
  let meanwhile: () => Promise<unknown> = async () => {};

  const put = async <One extends { readonly guid: string }>(
    books: Map<string, One>,
    one: One,
  ): Promise<PutOutcome> => {
    calls.push(one.guid);
    const keep = (): PutOutcome => {
      books.set(one.guid, one);
      return { state: "stored", ledger_id: `L-${one.guid}` };
    };
    const step = steps.shift();
    return step === undefined ? keep() : step(keep);
  };
  const nothing = async () => ({ state: "unknown" }) as const;
  const more: ConnectedLedger = {
    putCustomer: (customer) => put(customers, customer),
    putProduct: (product) => put(products, product),
    async changes(since) {
      calls.push(`changes ${since}`);
      const reported = { state: "changes", ...changed, until: `after-${calls.length}` } as const;
      await meanwhile();
      return reported;
    },
    check: nothing,
    lockedThrough: nothing,
    month: nothing,
    sweep: nothing,
  };
  const connection: Connection = {
    kind: "people",
    transactional: false,
    connect: () => ({ find: nothing, ensureBooked: nothing, more }),
  };
  return {
    connection,
    customers,
    products,
    /** Every call since the last `forget`: the guid of the record, or `changes <since>`. */
    calls,
    /** The next calls take these courses, one each. */
    onPut: (...added: Step[]): void => void steps.push(...added),
    /** The changes that the ledger reports, and the work of Matchbook during the report. */
    reports(given: Partial<typeof changed>, during: typeof meanwhile = async () => {}): void {
      changed = { customers: [], products: [], ...given };
      meanwhile = during;
    },
    forget(): void {
      for (const list of [steps, calls]) list.length = 0;
      changed = { customers: [], products: [] };
      meanwhile = async () => {};
    },
  };
}

export const refuses: Step = () => ({
  state: "rejected",
  code: "VALIDATION",
  fields: { VatNumber: "is not known" },
});
export const isAway: Step = () => ({ state: "not_started", reason: "unavailable" });
export const keepsSilent: Step = (keep) => {
  keep();
  return { state: "unknown", reason: "timeout" };
};
export const fails: Step = () => {
  throw new Error("the connector has a bug");
};
