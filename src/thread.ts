/** The entry point of the other threads: a thread that answers heavy requests (`answerTask`), or the background work thread. */
import { setPriority } from "node:os";
import { isMainThread, workerData } from "node:worker_threads";
import { planCommit, tools } from "./assistant/catalogue.ts";
import { answerTool, isToolCall } from "./assistant/protocol/call-tool.ts";
import { startBackground } from "./background.ts";
import { openServices } from "./open-services.ts";
import type { Context, PersonContext } from "./platform/commands/context.ts";
import { movePools } from "./platform/database/pools.ts";
import { answer } from "./platform/http/answer.ts";
import { checksOf } from "./platform/http/check.ts";
import { logOfRequest, openLog } from "./platform/runtime/log.ts";
import { contextFor, type Services } from "./platform/runtime/services.ts";
import { workInBackground } from "./platform/threads/background-work.ts";
import type { Handed, ThreadData } from "./platform/threads/messages.ts";
import { work } from "./platform/threads/work.ts";
import { routes } from "./routes.ts";
import { answerLongWork } from "./web/frame/long-work.ts";
import { longWork } from "./web/long-work.ts";
import { pageFiles } from "./web/page-files.ts";

const checks = checksOf(routes);
const pageWork = new Map(longWork).set(planCommit.name, planCommit);
const operations = new Map(routes.map((route) => [route.operation, route]));

/** The pool sizes of heavy threads. A computation runs parallel queries; a file thread reads files round robin. */
const HEAVY_SIZES = { requests: 4, background: 1, gate: 1 };
const BACKGROUND_SIZES = { requests: 1, background: 4, gate: 1 };

let opened: ReturnType<typeof openServices> | undefined;

function openOnce(
  { role, config, database_url, on_terminal }: ThreadData,
  metrics?: Services["metrics"],
) {
  const log = openLog(config.log_level, on_terminal ? process.stdout : undefined);
  const sizes = role === "heavy" ? HEAVY_SIZES : BACKGROUND_SIZES;
  opened ??= openServices(config, database_url, log, metrics && { metrics }, sizes);
  return opened;
}

/** Answers a request that the serving thread passes; the outcome is sent through the request's port. */
export async function answerTask(handed: Handed | null): Promise<void> {
  if (handed === null) return;
  const { asked, database_url } = handed;
  const { services } = openOnce(workerData as ThreadData);
  movePools(services.pools, database_url);
  await work(handed, (_asked, { signal, ran }) => {
    const { caller } = asked;
    const cx = {
      ...contextFor(services, caller, logOfRequest(services.log, asked.request_id), signal),
      ran,
    };
    if (isToolCall(asked)) return answerTool(tools, personal(cx), asked);
    const pageFile = pageFiles.get(asked.operation);
    if (pageFile !== undefined && "input" in asked) {
      return pageFile(personal(cx), asked.input.query);
    }
    const long = pageWork.get(asked.operation);
    if (long !== undefined && "input" in asked) {
      return answerLongWork(long, personal(cx), asked.input.query);
    }
    const route = operations.get(asked.operation);
    if (route === undefined) throw new Error(`there is no operation ${asked.operation}`);
    const check = checks.get(asked.operation);
    const checked = "input" in asked ? asked : check?.(asked);
    if (checked === undefined) throw new Error(`no access check for ${asked.operation}`);
    return answer(services, route, cx, checked);
  });
}

function personal(cx: Context): PersonContext {
  const { person } = cx.caller;
  if (person === null) throw new Error("a tool call has no person");
  return { ...cx, caller: { ...cx.caller, person } };
}

/** Lowers the priority of this thread, on Linux only: elsewhere the call would change that of the process. */
function giveWay(nice: number): void {
  if (process.platform === "linux") setPriority(nice);
}

const begun = ((workerData ?? {}) as Partial<ThreadData>).role;
if (!isMainThread && begun === "heavy") giveWay(2);
if (!isMainThread && begun === "background") {
  giveWay(10);
  workInBackground((metrics) => {
    const { services, close } = openOnce(workerData as ThreadData, metrics);
    return {
      ...startBackground(services),
      services,
      close,
    };
  });
}
