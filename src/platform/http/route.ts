/**
 * A route is a value: its path, the access that it needs, its parameters and body, its reply and its refusals. `mount.ts` makes
 * it a Fastify route, and `answer.ts` answers requests that have passed its checks.
 */

import type * as z from "zod";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { Access, Context, Reader } from "../commands/context.ts";
import type { Saved } from "../commands/creation.ts";
import type { ListedTable } from "../database/page.ts";
import { readResource, type StoredRead } from "../database/stored-read.ts";
import type { JsonText } from "../runtime/json.ts";
import type { RefusingRoute } from "../runtime/services.ts";
import type { Heavy, WaitForChange } from "./asked.ts";
import type { Deprecation } from "./deprecation.ts";
import { RefParams } from "./schemas.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The result of a handler: a value or stored text as JSON, the bytes of a file, lines as a stream, or nothing. */
export type RouteAnswer =
  | { readonly status: number; readonly json: unknown }
  | {
      readonly status: number;
      readonly text: JsonText;
      /** What an idempotency key keeps instead, of an answer with a secret. */
      readonly kept?: JsonText;
      /** Beyond those of every answer. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly wait?: WaitForChange;
    }
  | { readonly status: number; readonly file: ReplyFile }
  | { readonly status: number; readonly stream: ReplyStream }
  | { readonly status: 204 };

export interface ReplyFile {
  readonly content_type: string;
  readonly filename: string;
  readonly content: Uint8Array;
  /** The hash of the content, which becomes the header `ETag`. */
  readonly etag?: string;
}

/** A text that is sent as a stream; bytes are sent without waiting for more. Browsers save it when it has a name. */
export interface ReplyStream {
  readonly content_type: string;
  readonly filename?: string;
  readonly lines: AsyncIterable<string | Uint8Array>;
  /** Beyond those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file as the response; for a table also its columns and its beginning. */
export interface FileShape {
  readonly content_type: string;
  /** What the file may be instead, as a parameter of the request asks. */
  readonly other_content_types?: readonly string[];
  readonly columns?: readonly { readonly name: string; readonly says: string }[];
  readonly example?: string;
  /** Beginnings of a file without columns, by its content type. */
  readonly examples?: Readonly<Record<string, string>>;
  /** What each line is, for lines of JSON. */
  readonly line?: z.ZodType;
}

/** The files that a route takes as its body. */
interface FileBody {
  readonly content_types: readonly string[];
  readonly most_bytes: number;
  /** Whether access points name it in the header `X-SBDH-Instance-ID`. */
  readonly has_instance_id?: true;
}

/** A schema for JSON, the content type for a file, null for an empty response. */
export type ReplyShape = z.ZodType | FileShape | null;

/** A list that is sent whole, one item in a line. */
interface WholeList<Params, Query> {
  /** The parameters that only pages take. */
  readonly not_with: readonly string[];
  read(
    cx: Context,
    input: { params: Params; query: Query },
  ): Promise<Omit<ReplyStream, "content_type">>;
}

/** A route's properties other than its path. */
interface Operation<Params, Query, Body> {
  /** The operation's name for generated clients, such as `invoices.issue`; it never changes. */
  readonly operation: string;
  /** The chapter of the documentation, if it differs from that of the neighbouring routes. */
  readonly tag?: string;
  readonly summary: string;
  /** Details beyond the summary; Markdown. */
  readonly description?: string;
  readonly access: Access;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Set when the body is a file: its content types, and its size at most. The handler gets a `SentFile`. */
  readonly file?: FileBody;
  /** Whether the body may be omitted; the schema then parses undefined. */
  readonly body_is_optional?: boolean;
  /** Resources that a client may send back as it read them, by field of the body. */
  readonly takes_back?: Readonly<Record<string, readonly z.ZodType[]>>;
  readonly replies: Readonly<Record<number, ReplyShape>>;
  /** For a list: the item whose fields are the columns of its CSV, when rows may show more. */
  readonly csv_item?: z.ZodObject;
  /** For a list: its rest as lines of JSON, for `Accept: application/x-ndjson`. */
  readonly lines?: WholeList<Params, Query>;
  /** Set for work that may take long for one account. */
  readonly heavy?: Heavy;
  /** Set when the answer is a file that is made while it is sent, as those of `defineCsvFile`. */
  readonly streams?: true;
  /** Set when an idempotency key is taken and keeps nothing: a repetition does what is left. */
  readonly keeps_no_answer?: true;
  /** Set for an operation that clients should leave; it stays. */
  readonly deprecated?: Deprecation;
  /** Codes beyond those that the framework refuses with on every route. */
  readonly refuses?: readonly ProblemCode[];
  /** Handles a checked request. A handler that returns only stored text responds with status 200. */
  handle(
    cx: Context,
    input: { params: Params; query: Query; body: Body },
  ): Promise<RouteAnswer | JsonText>;
}

/** The properties of a route that reads stored resources. */
interface ReadOperation<Params, Query>
  extends Omit<Operation<Params, Query, undefined>, "access" | "body" | "handle"> {
  /** Returns the read, which depends on its input only. Throws VALIDATION_FAILED. */
  read(input: { params: Params; query: Query }): StoredRead;
}

export interface Route extends Operation<unknown, unknown, unknown> {
  readonly method: Method;
  /** The path below /api/v1, with `:ref` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly refuses: readonly ProblemCode[];
  /** The read that `handle` uses, for a route that `defineRead` defines; it may be combined with the look-up of the caller. */
  read?(input: { params: unknown; query: unknown }): StoredRead;
  /**
   * The resource at the path as the caller sees it, which makes the route conditional. `defineGet` and `defineShown` say it;
   * changes of the same path have it from there.
   */
  shown?(cx: Reader, params: unknown): Promise<JsonText>;
  /** The fields of the resource that change without a change of it; `If-Match` ignores them. */
  readonly progress?: readonly string[];
}

type Untagged = Omit<Route, "tag"> & { readonly tag?: string };

/** Defines the route for a method and a path, such as `GET /invoices/:ref`. */
export function defineRoute<Params, Query, Body>(
  target: `${Method} /${string}`,
  operation: Operation<Params, Query, Body>,
): Untagged {
  const [method, path] = target.split(" ");
  return { method, path, refuses: [], ...operation } as unknown as Untagged;
}

/** Defines a route that reads stored resources at a path. */
export function defineRead<Params, Query>(
  target: `GET /${string}`,
  operation: ReadOperation<Params, Query>,
): Untagged {
  const { read } = operation;
  return defineRoute(target, {
    ...operation,
    access: "read",
    handle: async (cx, input) => read(input).answer(cx),
  });
}

interface ResourceOperation {
  readonly table: ListedTable;
  readonly operation: string;
  readonly summary: string;
  readonly resource: z.ZodType;
}

/** Defines the route that returns one stored resource by its reference. */
export function defineGet(
  target: `GET /${string}/:ref`,
  { table, operation, summary, resource }: ResourceOperation,
): Untagged {
  const read = (params: z.infer<typeof RefParams>) => readResource(table, params.ref);
  const route = defineRead(target, {
    operation,
    summary,
    params: RefParams,
    replies: { 200: resource },
    refuses: ["NOT_FOUND"],
    read: ({ params }) => read(params),
  });
  return { ...route, shown: (cx, params) => read(params as z.infer<typeof RefParams>).answer(cx) };
}

/** Defines the route that returns one resource which takes more than one statement to read. */
export function defineShown<Params>(
  target: `GET /${string}`,
  {
    show,
    progress,
    ...operation
  }: Omit<Operation<Params, unknown, undefined>, "access" | "handle"> & {
    show(cx: Reader, params: Params): Promise<JsonText>;
    readonly progress?: readonly string[];
  },
): Untagged {
  const handle = (cx: Context, { params }: { params: Params }) => show(cx, params);
  const route = defineRoute(target, { ...operation, access: "read", handle });
  return {
    ...route,
    ...(progress && { progress }),
    shown: (cx, params) => show(cx, params as Params),
  };
}

/** Puts routes into one chapter of the documentation. Changes of a resource that a route shows become conditional. */
export function routesOf(tag: string, routes: readonly Untagged[]): readonly Route[] {
  return routes.map((route) => {
    const is_change = route.method === "PATCH" || route.method === "DELETE";
    const { shown, progress } =
      (is_change && routes.find(({ path, shown }) => shown && path === route.path)) || route;
    return { tag, ...route, ...(shown && { shown }), ...(progress && { progress }) };
  });
}

export const createdText = (text: JsonText): RouteAnswer => ({ status: 201, text });
/** Returns the resource that this call, or an earlier one with the same external id, created. */
export const savedText = ({ created, document }: Saved): RouteAnswer => ({
  status: created ? 201 : 200,
  text: document,
});
export const noContent: RouteAnswer = { status: 204 };

/** Returns the refusals that the framework itself may send on a route. */
export function frameRefusals(route: RefusingRoute): ProblemCode[] {
  const codes: ProblemCode[] = [
    "UNAUTHORIZED",
    "RATE_LIMITED",
    "RESOURCE_BUSY",
    "SERVICE_UNAVAILABLE",
  ];
  if (route.access !== "read") codes.push("INSUFFICIENT_SCOPE");
  if (route.method === "POST") codes.push("IDEMPOTENCY_CONFLICT", "REQUEST_IN_PROGRESS");
  if (route.shown) codes.push("PRECONDITION_FAILED");
  return [...codes, "VERSION_UNKNOWN", "MALFORMED_REQUEST", "VALIDATION_FAILED"];
}
