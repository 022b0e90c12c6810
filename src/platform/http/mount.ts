/**
 * Makes routes those of the server: the only place that knows the order of checks (spec 11.4). What has passed them is answered
 * by `answer.ts`.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { MOST_FIELD_ERRORS } from "../../domain/base/field-errors.ts";
import { Problem } from "../../domain/base/problem.ts";
import { type Caller, type Context, requireAccess } from "../context.ts";
import type { StoredRead } from "../database/stored-read.ts";
import { newId } from "../id.ts";
import { logOfRequest } from "../log.ts";
import { contextFor, type Services } from "../services.ts";
import type { HeavyThreads } from "../threads/heavy.ts";
import type { Waiting } from "../threads/task.ts";
import { type Admission, leftOf, takePlace } from "./admission.ts";
import { answer, storedReply } from "./answer.ts";
import type { Asked, Heavy, Reply } from "./asked.ts";
import { answeredAtOnce, isForOnce, type ReadFor, readOf } from "./at-once.ts";
import { itemOfList, wantsCsv } from "./csv.ts";
import { fileOf } from "./csv-page.ts";
import { keyFaults, keyOf, releaseKey } from "./idempotency.ts";
import {
  type Answered,
  allOf,
  answeredOf,
  type Known,
  knownOf,
  nothingKnown,
  objectOf,
  strangerError,
  strangersIn,
} from "./known-fields.ts";
import { fieldErrorsFrom } from "./problems.ts";
import type { Route } from "./route.ts";

/** Registers a route: scope 403, path 400, body 400, query and body 422, then the handler. */
export function mount(
  app: FastifyInstance,
  route: Route,
  services: Services,
  answered: Answered,
  admission: Admission,
): void {
  const known = knownTo(route, answered);
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await admission.admit(request, reply);
    requireAccess(callerOf(request), route.access);
  };
  const readFor = remembered((request) => readBy(route, request, known));
  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read: a key that may not call learns nothing about its request.
    onRequest(request, reply, done) {
      if (route.stored !== undefined && isForOnce(request)) return done();
      enter(request, reply).then(() => done(), done);
    },
    handler: async (request, reply) => {
      try {
        if (request.caller === null) {
          const text = await answeredAtOnce(services, admission, route, readFor, request, reply);
          if (text !== undefined) return send(reply, storedReply(route, text, services));
          await enter(request, reply);
        }
        // The body has been read: whoever sends slowly holds nothing.
        const is_heavy = isHeavy(route, request);
        const place = await takePlace(services, callerOf(request), is_heavy, reply);
        const asked = askedOf(route, request, known);
        const cx = contextOf(services, asked.caller, request, reply);
        if (!is_heavy || services.heavy === null)
          return send(reply, await answer(services, route, cx, asked));
        const waiting = { signal: cx.signal, ran: cx.ran, keep: place.keep };
        return send(reply, await answerElsewhere(services.heavy, route, cx, asked, waiting));
      } catch (error) {
        if (error instanceof Problem) services.onRefusal?.(route, error.code);
        throw error;
      }
    },
  });
}

/** Whether a request is answered beside the thread that serves: by what it asks for, or by how much it brings. */
function isHeavy(route: Route, request: FastifyRequest): boolean {
  return route.heavy !== undefined || isFile(route, request) || isLarge(request);
}

/** Whether it is answered with a file that is sent as it is made. */
function isFile(route: Route, request: FastifyRequest): boolean {
  return fileOf(route) !== undefined || isCsv(route, request);
}

/** A document of some hundred lines takes tens of milliseconds. */
const LARGE_BYTES = 32_768;

function isLarge({ headers }: FastifyRequest): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  return Number(headers["content-length"] ?? 0) > LARGE_BYTES;
}

/** Of what says nothing of its own. */
const ANYTHING: Heavy = { field: "lines", narrow: "Ask for less, or send less, at a time." };

/** What takes long is answered by a thread beside this one. */
async function answerElsewhere(
  heavy: HeavyThreads,
  route: Route,
  cx: Context,
  asked: Asked,
  waiting: Waiting,
): Promise<Reply> {
  const is_file = route.heavy === undefined && (asked.as_csv || fileOf(route) !== undefined);
  const lane = is_file ? "file" : "computation";
  try {
    return await heavy.answer(asked, lane, route.heavy ?? ANYTHING, waiting);
  } catch (error) {
    // A thread that was ended could not give the key back itself.
    if (asked.once !== null) await releaseKey(cx, asked.once);
    throw error;
  }
}

const MOST_REMEMBERED = 200;
const LONGEST_REMEMBERED = 300;

/** What an address asks for follows from it alone: clients that poll ask for the same again and again. */
function remembered(read: ReadFor): ReadFor {
  const known = new Map<string, StoredRead | undefined>();
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

/** What the route reads at once for a request that is valid. */
function readBy(
  route: Route,
  request: FastifyRequest,
  known: KnownToRoute,
): StoredRead | undefined {
  const params = route.params?.safeParse(request.params);
  const query = route.query?.safeParse(request.query);
  if (params?.success === false || query?.success === false) return undefined;
  if (strangersIn(request.query, known.parameters, nothingKnown).length > 0) return undefined;
  return readOf(route, { params: params?.data, query: query?.data });
}

function askedOf(route: Route, request: FastifyRequest, known: KnownToRoute): Asked {
  const caller = callerOf(request);
  const params = pathOf(route, request);
  requireReadableBody(route, request);
  const input = { params, ...queryAndBodyOf(route, request, known) };
  const { id: request_id, method, url, body } = request;
  const key = route.method === "POST" ? keyOf(request) : undefined;
  return {
    operation: route.operation,
    caller,
    request_id,
    input,
    is_read: route.method === "GET",
    as_csv: isCsv(route, request),
    once: key === undefined ? null : { key, method, url, body, claim: newId() },
  };
}

function send(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status).headers(headers);
  if (body === null) return reply.send();
  if (typeof body === "string") return reply.send(body);
  if (body instanceof Uint8Array)
    return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return reply.send(Readable.from(body));
}

/** Every list can be had as CSV. */
function isCsv(route: Route, request: FastifyRequest): boolean {
  return itemOfList(route.replies[200]) !== undefined && wantsCsv(request.headers.accept);
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

function pathOf(route: Route, request: FastifyRequest): unknown {
  if (!route.params) return undefined;
  const parsed = route.params.safeParse(request.params);
  if (parsed.success) return parsed.data;
  const message = fieldErrorsFrom(parsed.error)[0]?.message ?? "The path cannot be read.";
  throw new Problem("MALFORMED_REQUEST", { message });
}

function requireReadableBody(route: Route, { body }: FastifyRequest): void {
  if (body === undefined && (route.body_is_optional || !route.body)) return;
  // Where there is nothing to say, nothing may be said as null.
  if (body === null && !route.body) return;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Problem("MALFORMED_REQUEST", { message: "The body must be a JSON object." });
  }
}

/** A fault carries what was sent: only so a missing field is told from one of a wrong type. */
const REPORTED = { reportInput: true } as const;

function queryAndBodyOf(
  route: Route,
  request: FastifyRequest,
  known: KnownToRoute,
): { query: unknown; body: unknown } {
  const query = route.query?.safeParse(request.query, REPORTED);
  const sent_body = request.body ?? (route.body_is_optional ? {} : undefined);
  const body = route.body?.safeParse(sent_body, REPORTED);
  const faults = [
    ...(route.method === "POST" ? keyFaults(keyOf(request)) : []),
    ...[query, body].flatMap((parsed) =>
      parsed && !parsed.success ? fieldErrorsFrom(parsed.error) : [],
    ),
  ];
  const parameters = strangersIn(request.query, known.parameters, nothingKnown);
  const fields = strangersIn(request.body, known.writable, known.answered);
  const field_errors_total = faults.length + parameters.length + fields.length;
  if (field_errors_total > 0) {
    // What is not told is not looked for among the names.
    const field_errors = [
      ...faults,
      ...parameters.slice(0, MOST_FIELD_ERRORS).map((it) => strangerError("unknown_parameter", it)),
      ...fields.slice(0, MOST_FIELD_ERRORS).map((it) => strangerError("unknown_field", it)),
    ];
    throw new Problem("VALIDATION_FAILED", { field_errors, field_errors_total });
  }
  return { query: query?.data, body: body?.data };
}

/** The names that a request on a route may contain. */
interface KnownToRoute {
  readonly parameters: Known;
  readonly writable: Known;
  readonly answered: Known;
}

/** What all routes answer, by resource. */
export function answeredBy(routes: readonly Route[]): Answered {
  return answeredOf(routes.flatMap(repliesOf));
}

function repliesOf({ replies }: Route): z.ZodType[] {
  return Object.values(replies).filter((shape) => shape instanceof z.ZodType);
}

/** A resource may be sent back as it was read, wherever that was: in this route's own answer, in a list, in another's. */
function knownTo(route: Route, answered: Answered): KnownToRoute {
  const read = (reply: z.ZodType): Known => answered.get(objectOf(reply) ?? "") ?? knownOf(reply);
  const inside = Object.entries(route.takes_back ?? {}).map(
    ([field, resources]): Known => ({
      ...nothingKnown,
      fields: new Map([[field, allOf(resources.map(read))]]),
    }),
  );
  const none: Known = { ...nothingKnown, fields: new Map() };
  return {
    parameters: route.query ? knownOf(route.query) : none,
    writable: route.body ? knownOf(route.body) : none,
    answered: allOf([...repliesOf(route).map(read), ...inside]),
  };
}
