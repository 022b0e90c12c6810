/** Registers routes. Only this file knows the order of checks (spec 11.4). `answer.ts` answers checked requests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { type Caller, type Context, requireAccess } from "../commands/context.ts";
import type { SingleRead } from "../database/stored-read.ts";
import { Shares } from "../fairness/limits/shares.ts";
import { newId } from "../runtime/id.ts";
import { logOfRequest } from "../runtime/log.ts";
import { contextFor, type Services } from "../runtime/services.ts";
import type { HeavyThreads } from "../threads/heavy.ts";
import { ANYTHING, READING, unlessLong } from "../threads/takes-long.ts";
import type { TaskListeners } from "../threads/task.ts";
import { type Admission, type AdmissionPlace, leftOf, takePlace } from "./admission.ts";
import { answer, storedReply } from "./answer.ts";
import { answerWaiting } from "./answer-waiting.ts";
import type { CheckedRequest, Reply, SentRequest } from "./asked.ts";
import { answeredAtOnce, isForOnce, type ReadFor, readOf } from "./at-once.ts";
import { UnreadBody } from "./body.ts";
import { isCsv, isLines, type RequestCheck, validAddress } from "./check.ts";
import { conditionsOf } from "./conditional.ts";
import { fileOf } from "./csv-page.ts";
import { nameDeprecation } from "./deprecation.ts";
import { keyOf, releaseKey } from "./idempotency.ts";
import type { Route } from "./route.ts";
import { sendReply } from "./send.ts";
import { requireKnownVersion } from "./version.ts";

/** Registers a route. The checks come in this order: scope 403, version and path 400, body 400, query and body 422, then the handler. */
export function mount(
  app: FastifyInstance,
  route: Route,
  services: Services,
  checks: ReadonlyMap<string, RequestCheck>,
  admission: Admission,
): void {
  const check = checkOf(route, checks);
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await admission.admit(request, reply);
    requireAccess(callerOf(request), route.access);
    requireKnownVersion(request);
  };
  const answerInThread = answererOf(services, route, admission);
  const readFor = remembered((request) => readBy(route, request));
  const { file } = route;
  if (file !== undefined) takeFiles(app, file.content_types);
  app.route({
    method: route.method,
    url: route.path,
    ...(file && { bodyLimit: file.most_bytes, config: { content_types: file.content_types } }),
    // Before the body is read, so that a key without access learns nothing about its request.
    onRequest(request, reply, done) {
      if (route.deprecated) nameDeprecation(route.deprecated, reply);
      if (route.read !== undefined && isForOnce(request)) return done();
      enter(request, reply).then(() => done(), done);
    },
    handler: async (request, reply) => {
      try {
        if (request.caller === null) {
          const text = await answeredAtOnce(services, admission, route, readFor, request, reply);
          if (text !== undefined) {
            const stored = storedReply(route, text, services, conditionsOf(request));
            return sendReply(reply, stored);
          }
          await enter(request, reply);
        }
        // The body has been read by now, so a client that sends slowly holds no slot.
        const is_heavy = isHeavy(route, request);
        const alone = route.heavy?.one_at_a_time ? ALONE : null;
        const place = await takePlace(services, callerOf(request), is_heavy, reply, alone);
        const sent = sentOf(services, route, request);
        const cx = contextOf(services, sent.caller, request, reply);
        if (services.heavy === null)
          return sendReply(reply, await answerInThread(cx, place, check(sent)));
        // The thread that gets a large request checks it.
        const asked = sent.unread === null ? check(sent) : sent;
        if (!is_heavy && "input" in asked) {
          // A request that turns out to be long releases its idempotency key.
          const here = { ...cx, leaves_if_long: true };
          const answered = await unlessLong(() => answerInThread(here, place, asked));
          if (answered !== null) return sendReply(reply, answered);
          await place.makeHeavy();
        }
        const waiting = { signal: cx.signal, ran: cx.ran, keep: place.keep };
        const answered = await answerElsewhere(services.heavy, route, asked, waiting).catch(
          async (error: unknown) => {
            // A thread that was ended cannot release the key itself.
            if (sent.key !== undefined) await releaseKey(cx, sent.key, sent.claim);
            throw error;
          },
        );
        return sendReply(reply, answered);
      } catch (error) {
        if (error instanceof Problem) services.onRefusal?.(route, error.code);
        throw error;
      }
    },
  });
}

/** The requests of which an account does one at a time; a few others wait. */
const ALONE = new Shares({ requests: 1, heavy: 1, queue: 4 }, 30_000);

/** Returns how this thread answers requests of a route, also those that wait for a change. */
function answererOf(services: Services, route: Route, { heads }: Admission) {
  return (cx: Context, place: AdmissionPlace, asked: CheckedRequest): Promise<Reply> =>
    answerWaiting({ heads, place, left: cx.signal, asked }, (again) =>
      answer(services, route, cx, again),
    );
}

function checkOf({ operation }: Route, checks: ReadonlyMap<string, RequestCheck>): RequestCheck {
  const check = checks.get(operation);
  if (check === undefined) throw new Error(`no access check for ${operation}`);
  return check;
}

/** Takes bodies of these types as files, and no others. The size is limited by the route. */
export function takeFiles(app: FastifyInstance, content_types: readonly string[]): void {
  app.removeAllContentTypeParsers();
  for (const content_type of content_types) {
    app.addContentTypeParser(
      content_type,
      { parseAs: "buffer" },
      async (_request: FastifyRequest, body: Buffer) => new UnreadBody(body, content_type),
    );
  }
}

/** Whether another thread answers the request: because of the route, or because of the request's size. */
function isHeavy(route: Route, request: FastifyRequest): boolean {
  return isLong(route, request) || isFile(route, request) || request.body instanceof UnreadBody;
}

/** Whether the route is heavy for this request. */
function isLong({ heavy }: Route, { query }: FastifyRequest): boolean {
  if (heavy?.only_with === undefined) return heavy !== undefined;
  const { include } = query as { readonly include?: unknown };
  return typeof include === "string" && include.split(",").includes(heavy.only_with);
}

/** Whether the response is a file that is sent as a stream. */
function isFile(route: Route, { headers }: FastifyRequest): boolean {
  const { accept } = headers;
  return isStreamed(route) || isCsv(route, accept) || isLines(route, accept);
}

const isStreamed = (route: Route): boolean => route.streams === true || fileOf(route) !== undefined;

/** Lets another thread answer a request that takes long. */
function answerElsewhere(
  heavy: HeavyThreads,
  route: Route,
  asked: CheckedRequest | SentRequest,
  waiting: TaskListeners,
): Promise<Reply> {
  const is_whole = "as_csv" in asked && (asked.as_csv || asked.as_lines);
  // The CSV of a list includes nothing.
  const is_light = route.heavy === undefined || route.heavy.only_with !== undefined;
  const is_file = is_light && (is_whole || isStreamed(route));
  if (is_file) return heavy.answer(asked, "file", READING, waiting);
  return heavy.answer(asked, "computation", route.heavy ?? ANYTHING, waiting);
}

function sentOf({ watch }: Services, route: Route, request: FastifyRequest): SentRequest {
  const { id: request_id, method, url, params, query, body } = request;
  const is_unread = body instanceof UnreadBody;
  return {
    operation: route.operation,
    caller: callerOf(request),
    request_id,
    is_read: route.method === "GET",
    method,
    url,
    params,
    query,
    body: is_unread ? undefined : body,
    unread: is_unread ? body.bytes : null,
    content_type: is_unread ? body.content_type : null,
    instance_id: instanceOf(request),
    key: route.method === "POST" ? keyOf(request) : undefined,
    claim: newId(),
    process: watch.process(),
    accept: request.headers.accept,
    conditions: route.shown ? conditionsOf(request) : null,
  };
}

/** Returns the instance id of the request; an empty one counts as none. */
function instanceOf({ headers }: FastifyRequest): string | null {
  const given = headers["x-sbdh-instance-id"];
  const id = typeof given === "string" ? given.trim() : "";
  return id === "" ? null : id;
}

const MOST_REMEMBERED = 200;
const LONGEST_REMEMBERED = 300;

/** Caches the query for each URL: the query depends on the URL alone, and clients that poll send the same URL again and again. */
function remembered(read: ReadFor): ReadFor {
  const known = new Map<string, SingleRead | undefined>();
  return (request) => {
    const { url } = request.raw;
    if (url === undefined || url.length > LONGEST_REMEMBERED) return read(request);
    if (known.has(url)) return known.get(url);
    const found = read(request);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(url, found);
    return found;
  };
}

/** Returns the query that the route reads with for a valid request. */
function readBy(route: Route, request: FastifyRequest): SingleRead | undefined {
  const { params, query } = request;
  const input = validAddress(route, { params, query });
  return input && readOf(route, input);
}

function contextOf(
  services: Services,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Context {
  const log = logOfRequest(services.log, request.id);
  const cx = contextFor(services, caller, log, leftOf(reply));
  return {
    ...cx,
    ran(command, outcome, seconds) {
      request.command ??= command;
      cx.ran(command, outcome, seconds);
    },
  };
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Problem("UNAUTHORIZED");
  return request.caller;
}
