/**
 * The wishes of callers of a service that is killed repeatedly: invoices issued one by one, twice simultaneously and in lists,
 * credit notes, booked accruals. Each wish is repeated until it is acknowledged; a permanent refusal is a fault.
 */
import type { Json } from "../../world/world.ts";

/** One call; null without an answer. */
export type Call = (path: string, body?: object) => Promise<Reply | null>;
type Reply = { readonly status: number; readonly body: Json };

/** A wish, which is repeated until it is acknowledged. */
export interface Wish {
  /** The number of its documents. */
  readonly documents: number;
  /** Asks once; true when the whole wish was acknowledged. */
  ask(call: Call): Promise<boolean>;
}

/** Codes that only mean that the call must be repeated. */
const PASSING = new Set([
  "LEDGER_UNAVAILABLE",
  "INVOICE_ISSUE_IN_PROGRESS",
  "RESOURCE_BUSY",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_ERROR",
]);
const DONE = new Set(["INVOICE_ALREADY_ISSUED", "ACCRUAL_ALREADY_BOOKED"]);

/** Wishes for existing customers and products; `wrong` is called with answers that no caller should get. */
export function wishesFor(
  {
    product_id,
    today,
    auto_send = false,
  }: { readonly product_id: string; readonly today: string; readonly auto_send?: boolean },
  wrong: string[],
) {
  let amount = 100;

  /** Whether the wish is done; null when it must be repeated. */
  const isDone = ({ status, body }: Reply, what: string): boolean => {
    const code = body.error?.code;
    if (status < 300 || DONE.has(code)) return true;
    if (!PASSING.has(code)) wrong.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  };
  /** An invoice with a unique amount; returns its id, which is created at the first call. */
  const draft = () => {
    amount += 1;
    const value = amount;
    const name = `wish-${value}`;
    let id: string | null = null;
    return async (call: Call, customer_id: string): Promise<string | null> => {
      if (id !== null) return id;
      const lines = [{ product_id, recognition_method: "value", agreed_value: value }];
      const sent = { external_id: name, customer_id, lines, auto_send, issue_date: today };
      const made = await call("/invoices", sent);
      if (made !== null && isDone(made, `create ${name}`)) id = made.body.id;
      return id;
    };
  };
  const issue = async (call: Call, id: string): Promise<boolean> => {
    const issued = await call(`/invoices/${id}/issue`);
    return issued !== null && isDone(issued, "issue");
  };

  return {
    /** For an existing customer, or for a new one with this name. */
    invoice(customer: string, is_new: boolean): Wish {
      const made = draft();
      let known: string | null = is_new ? null : customer;
      return {
        documents: 1,
        async ask(call) {
          if (known === null) {
            const body = { external_id: customer, name: customer, email: "ap@acme.example" };
            const added = await call("/customers", body);
            if (added === null || !isDone(added, "customer")) return false;
            known = added.body.id as string;
          }
          const id = await made(call, known);
          return id !== null && issue(call, id);
        },
      };
    },
    twice(customer_id: string): Wish {
      const made = draft();
      return {
        documents: 1,
        async ask(call) {
          const id = await made(call, customer_id);
          if (id === null) return false;
          const both = await Promise.all([issue(call, id), issue(call, id)]);
          return both.includes(true);
        },
      };
    },
    list(customer_id: string, count: number): Wish {
      const made = Array.from({ length: count }, draft);
      return {
        documents: count,
        async ask(call) {
          const ids = await Promise.all(made.map((one) => one(call, customer_id)));
          if (ids.includes(null)) return false;
          const run = await call("/invoices/issue", { references: ids });
          if (run === null || !isDone(run, "list")) return false;
          const outcomes: Json[] = run.body.outcomes;
          return outcomes
            .map(({ outcome, code }) => {
              if (outcome === "issued" || DONE.has(code)) return true;
              if (outcome !== "remaining" && !PASSING.has(code)) wrong.push(`in a list: ${code}`);
              return false;
            })
            .every((done) => done);
        },
      };
    },
    credited(customer_id: string): Wish {
      const made = draft();
      const name = `credit-${amount}`;
      return {
        documents: 2,
        async ask(call) {
          const id = await made(call, customer_id);
          if (id === null || !(await issue(call, id))) return false;
          const sent = { invoice: id, external_id: name, kind: "full", credit_date: today };
          const credit = await call("/credit-notes", sent);
          return credit !== null && isDone(credit, "credit");
        },
      };
    },
    accrual(id: string): Wish {
      return {
        documents: 1,
        async ask(call) {
          const booked = await call(`/accruals/${id}/book`);
          return booked !== null && isDone(booked, "accrual") && !booked.body.pending;
        },
      };
    },
  };
}
