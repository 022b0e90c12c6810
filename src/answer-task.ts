/** Answers requests in a heavy thread: routes, tools, files of pages and long work of pages, by the name of their operation. */
import { planCommit, tools } from "./assistant/catalogue.ts";
import { answerTool, isToolCall } from "./assistant/protocol/call-tool.ts";
import { openServices } from "./open-services.ts";
import type { Context, PersonContext } from "./platform/commands/context.ts";
import type { Database } from "./platform/database/database.ts";
import { movePools } from "./platform/database/pools.ts";
import { openReplica } from "./platform/database/replica.ts";
import { answer } from "./platform/http/answer.ts";
import type { AnyAsked, Reply } from "./platform/http/asked.ts";
import { checksOf } from "./platform/http/check.ts";
import { logOfRequest, openLog } from "./platform/runtime/log.ts";
import { contextFor, type Services } from "./platform/runtime/services.ts";
import type { Handed, ThreadData } from "./platform/threads/messages.ts";
import { answerFromReplica } from "./platform/threads/replica-first.ts";
import { work } from "./platform/threads/work.ts";
import { routes } from "./routes.ts";
import { answerLongWork } from "./web/frame/long-work.ts";
import { longWork } from "./web/long-work.ts";
import { pageFiles } from "./web/page-files.ts";

const checks = checksOf(routes);
const pageWork = new Map(longWork).set(planCommit.name, planCommit);
const operations = new Map(routes.map((route) => [route.operation, route]));

/** A computation runs parallel queries; a file thread reads files round robin. */
const POOL_SIZES = { requests: 4, background: 1, gate: 1 };

let opened: ReturnType<typeof openServices> | undefined;

function openOnce({ config, database_url, on_terminal }: ThreadData) {
  const log = openLog(config.log_level, on_terminal ? process.stdout : undefined);
  opened ??= openServices(config, database_url, log, {}, POOL_SIZES);
  return opened;
}

/** Answers a request that the serving thread passes; the outcome is sent through the request's port. */
export async function answerHanded(handed: Handed, data: ThreadData): Promise<void> {
  const { asked, database_url, replica: use } = handed;
  const { services } = openOnce(data);
  movePools(services.pools, database_url);
  await work(handed, (_asked, { signal, ran, note }) => {
    const { caller } = asked;
    const cx = {
      ...contextFor(services, caller, logOfRequest(services.log, asked.request_id), signal),
      ran,
    };
    const { replica_url } = services.config;
    if (use === null || replica_url === null) return answerWith(services, cx, asked);
    replica ??= openReplica(replica_url, services.log);
    const first = { ...use, replica, note };
    return answerFromReplica(cx, first, (chosen) => answerWith(services, chosen, asked));
  });
}

let replica: Database | undefined;

/** Answers a request with the context of the server that was chosen for it. */
async function answerWith(services: Services, cx: Context, asked: AnyAsked): Promise<Reply> {
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
}

/** Does once what the first PDF of a thread would otherwise wait for. */
export async function prepare(): Promise<void> {
  // Loaded here, because the thread of files prints nothing.
  const { renderSample } = await import("./features/documents/printing/render-sample.ts");
  await renderSample();
}

function personal(cx: Context): PersonContext {
  const { person } = cx.caller;
  if (person === null) throw new Error("a tool call has no person");
  return { ...cx, caller: { ...cx.caller, person } };
}
