/**
 * A route is a value: where it is, who may call it, what it takes, answers and refuses. `mount`
 * makes it a Fastify route and is the only place that knows the order of checks (spec 11.4).
 */

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { MOST_FIELD_ERRORS } from "../../domain/base/field-errors.ts";
import { Problem, type ProblemCode } from "../../domain/base/problem.ts";
import { type Access, type Caller, type Context, requireAccess } from "../context.ts";
import type { Saved } from "../creation.ts";
import { type JsonText, jsonText } from "../json.ts";
import { contextFor, type RefusingRoute, type Services } from "../services.ts";
import { CSV_PAGE, CSV_TYPE, columnsOf, csvLines, itemOfList, wantsCsv } from "./csv.ts";
import { answerOnce, keyFaults, keyOf } from "./idempotency.ts";
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

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler answers: a value or stored text as JSON, bytes of a file, lines as they come, or nothing. */
export type Answer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: JsonText }
  | { readonly status: number; readonly file: ReplyFile }
  | { readonly status: number; readonly stream: ReplyStream }
  | { readonly status: 204 };

export interface ReplyFile {
  readonly content_type: string;
  readonly filename: string;
  readonly content: Uint8Array;
}

/** A text that is sent as it is made. */
interface ReplyStream {
  readonly content_type: string;
  readonly filename: string;
  readonly lines: AsyncIterable<string>;
}

/** What a file is: of a table also its columns, and how it begins. */
export interface FileShape {
  readonly content_type: string;
  readonly columns?: readonly { readonly name: string; readonly says: string }[];
  readonly example?: string;
}

/** A schema for JSON, the content type for a file, null for an empty answer. */
export type ReplyShape = z.ZodType | FileShape | null;

/** What a route is besides where it is. */
interface Operation<Params, Query, Body> {
  /** What generated clients call it, as `invoices.issue`; never changes. */
  readonly operation: string;
  /** The chapter of the documentation, where it is another than that of the routes beside it. */
  readonly tag?: string;
  readonly summary: string;
  /** More than the summary says; Markdown. */
  readonly description?: string;
  readonly access: Access;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Whether the body may be left out; it is then undefined parsed by the schema. */
  readonly body_is_optional?: boolean;
  /** Resources, by field of the body, that a client may send back there as it read them. */
  readonly takes_back?: Readonly<Record<string, readonly z.ZodType[]>>;
  readonly replies: Readonly<Record<number, ReplyShape>>;
  /** Of a list: the item whose fields are the columns of its CSV, where rows may show more. */
  readonly csv_item?: z.ZodObject;
  /** Besides what the frame refuses on every route. */
  readonly refuses?: readonly ProblemCode[];
  /** Stored text alone is answered with 200. */
  handle(
    cx: Context,
    input: { params: Params; query: Query; body: Body },
  ): Promise<Answer | JsonText>;
}

export interface Route extends Operation<unknown, unknown, unknown> {
  readonly method: Method;
  /** Below /api/v1, with `:ref` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly refuses: readonly ProblemCode[];
}

type Untagged = Omit<Route, "tag"> & { readonly tag?: string };

/** What answers at a method and a path, as `GET /invoices/:ref`. */
export function defineRoute<Params, Query, Body>(
  target: `${Method} /${string}`,
  operation: Operation<Params, Query, Body>,
): Untagged {
  const [method, path] = target.split(" ");
  return { method, path, refuses: [], ...operation } as unknown as Untagged;
}

/** Routes of one chapter of the documentation. */
export function routesOf(tag: string, routes: readonly Untagged[]): readonly Route[] {
  return routes.map((route) => ({ tag, ...route }));
}

export const createdText = (text: JsonText): Answer => ({ status: 201, text });
/** What this call has made, or an earlier one with the same external id. */
export const savedText = ({ created, document }: Saved): Answer => ({
  status: created ? 201 : 200,
  text: document,
});
export const noContent: Answer = { status: 204 };

/** Refusals that the frame itself may answer on a route. */
export function frameRefusals(route: RefusingRoute): ProblemCode[] {
  const codes: ProblemCode[] = ["UNAUTHORIZED", "RATE_LIMITED", "SERVICE_UNAVAILABLE"];
  if (route.access !== "read") codes.push("INSUFFICIENT_SCOPE");
  if (route.method === "POST") codes.push("IDEMPOTENCY_CONFLICT", "REQUEST_IN_PROGRESS");
  return [...codes, "MALFORMED_REQUEST", "VALIDATION_FAILED"];
}

/** Registers a route: scope 403, path 400, body 400, query and body 422, then the handler. */
export function mount(
  app: FastifyInstance,
  route: Route,
  services: Services,
  answered: Answered,
): void {
  const known = knownTo(route, answered);
  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read: a key that may not call learns nothing about its request.
    onRequest: async (request) => requireAccess(callerOf(request), route.access),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const params = pathOf(route, request);
      requireReadableBody(route, request);
      const input = { params, ...queryAndBodyOf(route, request, known) };
      const cx = contextOf(services, caller, request, reply);
      try {
        const key = route.method === "POST" ? keyOf(request) : undefined;
        if (key !== undefined) {
          const { status, text, is_repeated } = await answerOnce(cx, key, request, async (own) => {
            const answer = await answerOf(route, own, input);
            return { status: answer.status, text: textOf(route, answer, services) };
          });
          if (is_repeated) reply.header("idempotent-replayed", "true");
          return reply.code(status).type(JSON_TYPE).send(text);
        }
        const answer = await answerOf(route, cx, asked(route, request, input));
        if (isCsv(route, request)) return sendCsv(reply, route, cx, input, answer);
        return send(reply, route, answer, services);
      } catch (error) {
        if (error instanceof Problem) services.onRefusal?.(route, error.code);
        throw error;
      }
    },
  });
}

async function answerOf(route: Route, cx: Context, input: Input): Promise<Answer> {
  const answer = await route.handle(cx, input);
  return typeof answer === "string" ? { status: 200, text: answer } : answer;
}

type Input = { params: unknown; query: unknown; body: unknown };

/** Every list can be had as CSV. */
function isCsv(route: Route, request: FastifyRequest): boolean {
  return itemOfList(route.replies[200]) !== undefined && wantsCsv(request.headers.accept);
}

function asked(route: Route, request: FastifyRequest, input: Input): Input {
  return isCsv(route, request) ? pageFrom(input, undefined) : input;
}

/** The same request for a page of many rows; a list that has no pages ignores it. */
function pageFrom(input: Input, cursor: string | undefined): Input {
  if (input.query === undefined) return input;
  // What is put beside rows has no columns: it would be read in vain.
  const include = undefined;
  return { ...input, query: { ...(input.query as object), limit: CSV_PAGE, cursor, include } };
}

/** Sends the first page's rows and those of all pages after it, without holding them all. */
function sendCsv(
  reply: FastifyReply,
  route: Route,
  cx: Context,
  input: Input,
  first: Answer,
): FastifyReply {
  const item = route.csv_item ?? itemOfList(route.replies[200]);
  if (item === undefined) throw new Error(`${route.path} is no list`);
  const lines = csvLines(columnsOf(item), pagesOf(route, cx, input, first));
  const name = route.path.split("/").filter((part) => part !== "" && !part.startsWith(":"));
  reply.header("content-disposition", `attachment; filename="${name.join("-")}.csv"`);
  return reply.code(200).type(CSV_TYPE).send(Readable.from(lines));
}

async function* pagesOf(
  route: Route,
  cx: Context,
  input: Input,
  first: Answer,
): AsyncGenerator<JsonText> {
  let answer = first;
  for (;;) {
    if (!("text" in answer)) throw new Error(`${route.path} answers no stored text`);
    yield answer.text;
    const { next_cursor } = JSON.parse(answer.text) as { readonly next_cursor: string | null };
    if (next_cursor === null) return;
    answer = await answerOf(route, cx, pageFrom(input, next_cursor));
  }
}

/** What a request may use: until its client leaves, and with its commands in the line that is logged of it. */
function contextOf(
  services: Services,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Context {
  const left = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  const cx = contextFor(services, caller, request.log, left.signal);
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

function send(reply: FastifyReply, route: Route, answer: Answer, services: Services): FastifyReply {
  reply.code(answer.status);
  if ("file" in answer) {
    const { content_type, content, filename } = answer.file;
    reply.header("content-disposition", `inline; filename="${filename}"`);
    return reply.type(content_type).send(Buffer.from(content));
  }
  if ("stream" in answer) {
    const { content_type, filename, lines } = answer.stream;
    reply.header("content-disposition", `attachment; filename="${filename}"`);
    return reply.type(content_type).send(Readable.from(lines));
  }
  if (!("text" in answer) && !("json" in answer)) return reply.send();
  return reply.type(JSON_TYPE).send(textOf(route, answer, services));
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The body of an answer, which its route declares. */
function textOf(route: Route, answer: Answer, services: Services): JsonText {
  const shape = route.replies[answer.status];
  const has_body = "text" in answer || "json" in answer;
  if (!(shape instanceof z.ZodType) || !has_body) {
    throw new Error(`${route.method} ${route.path} declares no ${answer.status}`);
  }
  if ("json" in answer) return jsonText(shape.parse(answer.json));
  // Stored text was checked when it was written; tests check it again on its way out.
  if (services.checks_replies) shape.parse(JSON.parse(answer.text));
  return answer.text;
}
