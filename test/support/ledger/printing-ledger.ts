/**
 * A simulator of an external ledger that prints and sends its documents itself, for tests only: it books as the scripted ledger
 * does, and a test scripts the course of its sendings.
 */
import type {
  ConnectedLedger,
  LedgerSend,
  SendChannel,
  SendOutcome,
} from "../../../src/ledger/connected.ts";
import type { Connection } from "../../../src/ledger/ledger.ts";
import type { Failure } from "../../../src/ledger/outcome.ts";
import { openScriptedLedger } from "./scripted-ledger.ts";

/**
 * Long, because its bookings always succeed: on a slow machine, a shorter limit would end calls, which would then be repeated and
 * disturb a test.
 */
const timeouts = { call_ms: 25_000, pause_ms: 1, rounds: 3, total_ms: 25_000 };

type Step = (send: () => SendOutcome) => SendOutcome | Failure | Promise<SendOutcome | Failure>;

export function openPrintingLedger() {
  const books = openScriptedLedger();
  if (books.connection.transactional) throw new Error("the scripted ledger is an external one");
  const inner = books.connection;
  const sent: (LedgerSend & { readonly guid: string; readonly how: SendChannel })[] = [];
  const steps: Step[] = [];
  const printed: string[] = [];
  const away: { is: boolean } = { is: false };
  const nothing = async () => ({ state: "unknown" }) as const;
  const more: ConnectedLedger = {
    check: nothing,
    putCustomer: async ({ guid }) => ({ state: "stored", ledger_id: guid }),
    putProduct: async ({ guid }) => ({ state: "stored", ledger_id: guid }),
    changes: nothing,
    lockedThrough: nothing,
    month: nothing,
    sweep: nothing,
    async pdf(kind, guid) {
      if (away.is) return { state: "not_started", reason: "unavailable" };
      printed.push(guid);
      return {
        state: "pdf",
        content: Buffer.from(`%PDF-1.4 ${kind} ${guid} no. ${printed.length}`),
      };
    },
    async send(_kind, guid, how) {
      const send = (): SendOutcome => {
        sent.push({
          id: `S${sent.length + 1}`,
          at: new Date().toISOString(),
          channel: how.type,
          receiver: how.type === "email" ? how.receiver : null,
          state: "queued",
          event: null,
          guid,
          how,
        });
        return { state: "sent", recipients: [] };
      };
      const step = steps.shift();
      return step === undefined ? send() : step(send);
    },
    async sends(_kind, guid) {
      if (away.is) return { state: "not_started", reason: "unavailable" };
      return { state: "sends", sends: sent.filter((one) => one.guid === guid) };
    },
  };
  const connection: Connection = {
    ...inner,
    kind: "printing",
    timeouts,
    capabilities: {
      documents: "ledger",
      sends: ["email", "einvoice"],
      asynchronous_vouchers: false,
      supplies_rates: false,
      numbers_restart_by_year: false,
      tells_payments: false,
      lists_payment_changes: false,
      concurrent_bookings: 1,
    },
    connect: (account_id) => ({ ...inner.connect(account_id), more }),
  };
  return {
    connection,
    /** The documents that it was asked to send, the oldest first. */
    sent,
    /** The guids of the requested PDFs. */
    printed,
    away,
    onSend: (...added: Step[]): void => void steps.push(...added),
    /** Sets the state of a sending. */
    reports(at: number, state: LedgerSend["state"], event: string | null = null): void {
      const one = sent[at];
      if (one === undefined) throw new Error("nothing was sent");
      sent[at] = { ...one, state, event };
    },
    forget(): void {
      for (const list of [sent, steps, printed]) list.length = 0;
      away.is = false;
    },
  };
}
