/**
 * A route is a value: where it is, who may call it, what it takes, answers and refuses. `mount.ts` makes it a
 * Fastify route, `answer.ts` answers what has passed its checks.
 */

import type * as z from "zod";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { Access, Context } from "../commands/context.ts";
import type { Saved } from "../commands/creation.ts";
import type { StoredRead } from "../database/stored-read.ts";
import type { JsonText } from "../runtime/json.ts";
import type { RefusingRoute } from "../runtime/services.ts";
import type { Heavy } from "./asked.ts";

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
  /** Of work that may take long for one account. */
  readonly heavy?: Heavy;
  /** Besides what the frame refuses on every route. */
  readonly refuses?: readonly ProblemCode[];
  /**
   * Of a GET: the one statement that reads what `handle` answers, which may then travel with the look-up of the caller;
   * undefined where this input takes more. It only looks at its input.
   */
  stored?(input: { params: Params; query: Query }): StoredRead | undefined;
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
  const codes: ProblemCode[] = [
    "UNAUTHORIZED",
    "RATE_LIMITED",
    "RESOURCE_BUSY",
    "SERVICE_UNAVAILABLE",
  ];
  if (route.access !== "read") codes.push("INSUFFICIENT_SCOPE");
  if (route.method === "POST") codes.push("IDEMPOTENCY_CONFLICT", "REQUEST_IN_PROGRESS");
  return [...codes, "MALFORMED_REQUEST", "VALIDATION_FAILED"];
}
