/** Starts the background work: the scheduler, deliveries, abandoned bookings, rendering, checks. */
import { setTimeout as delay } from "node:timers/promises";
import { Cron } from "croner";
import { hourlyCleaning } from "./features/access/sign-in/clean.ts";
import {
  abandonedDeliveries,
  dueDeliveries,
  sendDueDeliveries,
  settleAbandonedDeliveries,
} from "./features/documents/deliveries/run-due.ts";
import {
  dueLooks,
  lookAtEinvoices,
} from "./features/documents/delivery-outcomes/check-einvoices.ts";
import { settleSend } from "./features/documents/delivery-outcomes/check-sends.ts";
import {
  dueEinvoiceChecks,
  resumableEinvoices,
  resumeEinvoices,
} from "./features/documents/delivery-outcomes/resume-einvoices.ts";
import { dueFolders, readDueFolder } from "./features/documents/einvoice-answers/read-folders.ts";
import { fetchWaiting } from "./features/documents/issued/issued-documents.ts";
import { waitingDocuments, waitingRenderer } from "./features/documents/issued/render-waiting.ts";
import { waitingWebhooks } from "./features/integrations/webhook-deliveries/list-due.ts";
import type { SentenceWriter } from "./features/integrations/webhook-deliveries/read-events.ts";
import { webhookDispatcher } from "./features/integrations/webhook-deliveries/run-webhooks.ts";
import { dueProbes } from "./features/ledger/booking/circuit.ts";
import { dueIntents } from "./features/ledger/booking/intents.ts";
import { dueSweeps, type LedgerWork, ledgerWork } from "./features/ledger/booking/run-due.ts";
import { connectionsToTend } from "./features/ledger/connections/queries.ts";
import { checkedKinds, dueChecks, runDueCheck } from "./features/ledger/connections/run-checks.ts";
import { syncStep } from "./features/ledger/sync/run-sync.ts";
import { nightlyVerification } from "./features/ledger/verification/run-nightly.ts";
import { leftStudios, resumeStudio } from "./features/overview/studio/run-studio.ts";
import { readPaymentsStep } from "./features/receivables/ledger-items/read-payments.ts";
import { runAllSchedulers } from "./features/recurring/occurrences/run-scheduler.ts";
import { bookables } from "./features/revenue/accruals/list-bookables.ts";
import { leftCloses, resumeClose } from "./features/revenue/closes/close-month.ts";
import { addUpWanted } from "./features/revenue/reports/report-figures.ts";
import { noteSendError } from "./features/sales/credit-notes/bookable.ts";
import { printingKinds, reportingKinds } from "./platform/commands/connected-ledger.ts";
import type { Context } from "./platform/commands/context.ts";
import type { Reads } from "./platform/database/database.ts";
import { raw, type Sql, sql } from "./platform/database/sql.ts";
import { isUnavailable } from "./platform/database/unavailable.ts";
import { heldNotes } from "./platform/mail/hold.ts";
import { sendHeldNote } from "./platform/mail/note.ts";
import type { Background } from "./platform/runtime/background.ts";
import type { Log } from "./platform/runtime/log.ts";
import { inBackground, type Services, schedulerContext } from "./platform/runtime/services.ts";
import { type BackgroundTask, startWorker, type Worker } from "./platform/runtime/worker.ts";

/** The cron pattern by which the scheduler looks for due periods: seven minutes past every hour. */
const SCHEDULER_PATTERN = "0 7 * * * *";
/** The maximum length of one scheduler round over the accounts; the next round resumes with the remaining accounts. */
const SCHEDULER_ROUND_MS = 10_000;

/** How long the worker continues one unfinished period close before it looks for the next one, in milliseconds. */
const CLOSE_TURN_MS = 10_000;

const REST_MS = 2_000;
const AWAY_REST_MS = 1_000;
const CHECKS_REST_MS = 60_000;

/** Starts all background work. Several processes may run background work on one database. */
export function startBackground(given: Services): Worker {
  const services = inBackground(given);
  const { background, log } = services;
  const schedule = startScheduler(services);
  const gate = gateOf(background, log, schedule.tick);
  const at_ledgers = ledgerWork(services, bookables, noteSendError, besideBookings);
  const tasks = tasksOf(services, at_ledgers);
  const worker = startWorker(tasks, log, {
    rest_ms: REST_MS,
    mayWork: gate,
    look: () => tasksWithWork(services, tasks),
  });
  // These tasks have their own worker, so that they do not delay work for people.
  const night = [
    {
      name: "add up revenue",
      run: (isStopped: () => boolean) => addUpWanted(services, isStopped),
    },
    { name: "check the books", run: nightlyVerification(services) },
  ];
  const checks = startWorker(night, log, {
    rest_ms: CHECKS_REST_MS,
    mayWork: async () => !(await background.isPaused()),
  });
  return {
    async stop() {
      await Promise.all([worker.stop(), schedule.stop(), checks.stop()]);
      await at_ledgers.ended();
    },
  };
}

/** The other work at an account's ledger, in order of priority; it runs while no document waits for booking. */
export const besideBookings = [
  syncStep,
  (cx: Context) => settleSend(cx, noteSendError),
  fetchWaiting,
  readPaymentsStep,
] as const;

/** Writes events as sentences. The words are loaded when an endpoint wants them. */
const writeSentences: SentenceWriter = async (cx, events) => {
  const { eventSentences } = await import("./web/activity/event-sentences.ts");
  return eventSentences(cx, events);
};

/** Returns whether work may run, and logs changes. After a pause, `resumed` issues documents that fell due in it. */
function gateOf(background: Background, log: Log, resumed: () => void): () => Promise<boolean> {
  let was_paused = false;
  return async () => {
    const is_paused = await background.isPaused();
    if (is_paused && !was_paused) log.warn("background work is paused until `matchbook resume`");
    if (!is_paused && was_paused) {
      log.info("background work continues");
      resumed();
    }
    was_paused = is_paused;
    return !is_paused;
  };
}

/** The tasks whose work one look finds in the database. */
const LOOKED_FOR = [
  "work at ledgers",
  "settle abandoned deliveries",
  "resume e-invoices",
  "send deliveries",
  "look at e-invoices",
  "send notes that were held",
  "continue period closes",
  "play example years",
  "check connections",
  "read answers to e-invoices",
  "render documents",
  "send webhooks",
] as const;

/**
 * Returns the tasks that may have work: those that one statement finds, and those that look for nothing in the database. An idle
 * process sends this statement instead of one for each task.
 */
export async function tasksWithWork(
  { db, ledgers, setups }: Pick<Services, "ledgers" | "setups"> & { readonly db: Reads },
  tasks: readonly BackgroundTask[],
): Promise<BackgroundTask[]> {
  const printing = printingKinds(ledgers);
  const found = await db.rows<{ task: string }>(sql`select distinct w.task from (
    ${waits("work at ledgers", dueIntents)}
    union all ${waits("work at ledgers", dueProbes)}
    union all ${waits("work at ledgers", dueSweeps)}
    union all ${waits("work at ledgers", connectionsToTend({ printing, reporting: reportingKinds(ledgers) }))}
    union all ${waits("settle abandoned deliveries", abandonedDeliveries)}
    union all ${waits("send deliveries", dueDeliveries)}
    union all ${waits("resume e-invoices", dueEinvoiceChecks)}
    union all ${waits("resume e-invoices", resumableEinvoices)}
    union all ${waits("look at e-invoices", dueLooks)}
    union all ${waits("send notes that were held", heldNotes)}
    union all ${waits("continue period closes", leftCloses)}
    union all ${waits("play example years", leftStudios)}
    union all ${waits("check connections", dueChecks(checkedKinds({ ledgers, setups })))}
    union all ${waits("read answers to e-invoices", dueFolders)}
    union all ${waits("render documents", waitingDocuments(printing))}
    union all ${waits("send webhooks", waitingWebhooks)}
  ) w`);
  const waiting = new Set(found.map(({ task }) => task));
  return tasks.filter(({ name }) => waiting.has(name) || !LOOKED_FOR.some((one) => one === name));
}

/** Returns a query that has one row if there is any work of the task. */
function waits(task: (typeof LOOKED_FOR)[number], work: Sql): Sql {
  return sql`(select ${raw(`'${task}'`)} as task ${work} limit 1)`;
}

function tasksOf(services: Services, at_ledgers: LedgerWork): BackgroundTask[] {
  return [
    { name: "work at ledgers", run: at_ledgers.run },
    {
      name: "settle abandoned deliveries",
      run: () => settleAbandonedDeliveries(services, noteSendError),
    },
    { name: "resume e-invoices", run: () => resumeEinvoices(services) },
    {
      name: "send deliveries",
      run: (isStopped: () => boolean) => sendDueDeliveries(services, noteSendError, isStopped),
    },
    {
      name: "look at e-invoices",
      run: (isStopped: () => boolean) => lookAtEinvoices(services, noteSendError, isStopped),
    },
    { name: "send notes that were held", run: () => sendHeldNote(services) },
    {
      name: "continue period closes",
      run: () => resumeClose((id) => schedulerContext(services, id), services.db, CLOSE_TURN_MS),
    },
    {
      name: "play example years",
      run: (isStopped: () => boolean) => resumeStudio(services, isStopped),
    },
    { name: "check connections", run: () => runDueCheck(services) },
    {
      name: "read answers to e-invoices",
      run: () => readDueFolder(services, noteSendError),
    },
    { name: "render documents", run: waitingRenderer(services) },
    { name: "send webhooks", run: webhookDispatcher(services, { writeSentences }) },
    { name: "remove what has expired", run: hourlyCleaning(services) },
  ];
}

/**
 * Runs the scheduler every hour, and once at the start for periods that fell due while no process ran. Several processes on one
 * database may run their schedulers simultaneously: each period is issued under its series' lock.
 */
function startScheduler(services: Services): Worker & { tick(): void } {
  let stopped = false;
  let under_way: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    const resting = new Set<string>();
    while (!stopped) {
      try {
        if (await services.background.isPaused()) return;
        while (await runAllSchedulers(services, SCHEDULER_ROUND_MS, () => stopped, resting))
          if (stopped) return;
        return;
      } catch (error) {
        if (!isUnavailable(error)) {
          services.log.error({ err: error }, "the scheduler failed");
          return;
        }
        // After a database outage, due periods are issued without waiting for the next hour.
        await delay(AWAY_REST_MS);
      }
    }
  };
  // The scheduler runs follow one another, so that `stop` waits for the last one.
  const tick = (): Promise<void> => {
    under_way = under_way.then(round);
    return under_way;
  };
  const job = new Cron(SCHEDULER_PATTERN, { protect: true }, tick);
  void tick();
  return {
    tick: () => void tick(),
    async stop() {
      stopped = true;
      job.stop();
      await under_way;
    },
  };
}
