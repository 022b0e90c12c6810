/**
 * Checks what the request alone determines: its path and body are readable (400), its query and body are valid (422). These
 * checks do not depend on the server, so that another thread can check a large body.
 */
import * as z from "zod";
import { MOST_FIELD_ERRORS } from "../../domain/base/field-errors.ts";
import { Problem, requireValid } from "../../domain/base/problem.ts";
import { sha256 } from "../runtime/json.ts";
import type { CheckedRequest, SentRequest } from "./asked.ts";
import { instanceFaults, parseBody, type SentFile } from "./body.ts";
import { itemOfList, LINES_TYPE, prefers, wantsCsv } from "./csv.ts";
import { keyFaults } from "./idempotency.ts";
import {
  type Answered,
  allOf,
  answeredOf,
  type KnownFields,
  knownOf,
  nothingKnown,
  objectOf,
  strangerError,
  unknownFieldsIn,
} from "./known-fields.ts";
import { fieldErrorsFrom } from "./problems.ts";
import type { Route } from "./route.ts";

/** Turns a request into valid plain data for its route. Throws MALFORMED_REQUEST, then VALIDATION_FAILED. */
export type RequestCheck = (sent: SentRequest) => CheckedRequest;

/** Returns the checks by operation. */
export function checksOf(routes: readonly Route[]): ReadonlyMap<string, RequestCheck> {
  const answered = answeredOf(routes.flatMap(repliesOf));
  return new Map(
    routes.map((route) => {
      const known = knownTo(route, answered);
      return [route.operation, (sent) => askedOf(route, sent, known)];
    }),
  );
}

function askedOf(route: Route, sent: SentRequest, known: KnownToRoute): CheckedRequest {
  const { operation, caller, request_id, is_read, method, url, key, accept } = sent;
  const { claim, process, conditions } = sent;
  const params = pathOf(route, sent);
  const file = route.file && fileOf(sent);
  const body = sent.unread === null || file ? sent.body : parseBody(Buffer.from(sent.unread));
  if (file === undefined) requireReadableBody(route, body);
  const checked = queryAndBodyOf(route, { ...sent, body }, known);
  if (isLines(route, accept)) requireWhole(route, sent.query);
  // Repetitions of a file are compared by its hash.
  const content = file && { ...file, bytes: sha256(file.bytes).toString("hex") };
  return {
    operation,
    caller,
    request_id,
    input: { params, query: checked.query, body: file ?? checked.body },
    is_read,
    as_csv: isCsv(route, accept),
    as_lines: isLines(route, accept),
    conditions,
    once:
      key === undefined || route.keeps_no_answer
        ? null
        : { key, method, url, body: content ?? body, claim, process },
  };
}

/**
 * Returns a check of one body of a route: the body as its handler would get it. The check throws MALFORMED_REQUEST and
 * VALIDATION_FAILED, as for a request.
 */
export function bodyCheckOf(route: Route): (body: unknown) => unknown {
  const known = knownTo(route, answeredOf(repliesOf(route)));
  return (body) => {
    requireReadableBody(route, body);
    return queryAndBodyOf(route, { query: {}, key: undefined, instance_id: null, body }, known)
      .body;
  };
}

/** Returns the file of a request. Throws MALFORMED_REQUEST for a request without one. */
function fileOf({ unread, content_type, instance_id }: SentRequest): SentFile {
  if (unread !== null && unread.length > 0 && content_type !== null) {
    return { content_type, instance_id, bytes: unread };
  }
  throw new Problem("MALFORMED_REQUEST", { message: "The body must be a file." });
}

/** Whether the client wants CSV; every list is also available as CSV. */
export function isCsv(route: Route, accept: string | undefined): boolean {
  return itemOfList(route.replies[200]) !== undefined && wantsCsv(accept);
}

/** Whether the client wants lines of JSON from a list that has them. */
export function isLines(route: Route, accept: string | undefined): boolean {
  return route.lines !== undefined && !isCsv(route, accept) && prefers(LINES_TYPE, accept);
}

/** Throws VALIDATION_FAILED for parameters that only pages take. */
function requireWhole({ lines }: Route, query: unknown): void {
  const names = Object.keys((query ?? {}) as object);
  requireValid(
    names
      .filter((name) => lines?.not_with.includes(name))
      .map((field) => ({ field, code: "not_allowed", message: "The whole list takes no pages." })),
  );
}

/** Returns the parameters of a URL; undefined when they are invalid or unknown. */
export function validAddress(
  route: Route,
  sent: Pick<SentRequest, "params" | "query">,
): { readonly params: unknown; readonly query: unknown } | undefined {
  const params = route.params?.safeParse(sent.params);
  const query = route.query?.safeParse(sent.query);
  if (params?.success === false || query?.success === false) return undefined;
  if (unknownFieldsIn(sent.query, parametersOf(route), nothingKnown).length > 0) return undefined;
  return { params: params?.data, query: query?.data };
}

function pathOf(route: Route, sent: SentRequest): unknown {
  if (!route.params) return undefined;
  const parsed = route.params.safeParse(sent.params);
  if (parsed.success) return parsed.data;
  const message = fieldErrorsFrom(parsed.error)[0]?.message ?? "The path cannot be read.";
  throw new Problem("MALFORMED_REQUEST", { message });
}

function requireReadableBody(route: Route, body: unknown): void {
  if (body === undefined && (route.body_is_optional || !route.body)) return;
  // A route without a body also accepts null.
  if (body === null && !route.body) return;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Problem("MALFORMED_REQUEST", { message: "The body must be a JSON object." });
  }
}

/** Reports the received value, which distinguishes a missing field from one of a wrong type. */
const REPORTED = { reportInput: true } as const;

function queryAndBodyOf(
  route: Route,
  sent: Pick<SentRequest, "query" | "body" | "key" | "instance_id">,
  known: KnownToRoute,
): { query: unknown; body: unknown } {
  const query = route.query?.safeParse(sent.query, REPORTED);
  const sent_body = sent.body ?? (route.body_is_optional ? {} : undefined);
  const body = route.body?.safeParse(sent_body, REPORTED);
  const faults = [
    ...keyFaults(sent.key),
    ...(route.file?.has_instance_id ? instanceFaults(sent.instance_id) : []),
    ...[query, body].flatMap((parsed) =>
      parsed && !parsed.success ? fieldErrorsFrom(parsed.error) : [],
    ),
  ];
  const parameters = unknownFieldsIn(sent.query, known.parameters, nothingKnown);
  const fields = unknownFieldsIn(sent.body, known.writable, known.answered);
  const field_errors_total = faults.length + parameters.length + fields.length;
  if (field_errors_total > 0) {
    // Names are suggested only for errors that are reported.
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
  readonly parameters: KnownFields;
  readonly writable: KnownFields;
  readonly answered: KnownFields;
}

function repliesOf({ replies }: Route): z.ZodType[] {
  return Object.values(replies).filter((shape) => shape instanceof z.ZodType);
}

/** Returns the names that a request may contain, including those of resources that are sent back as they were read. */
function knownTo(route: Route, answered: Answered): KnownToRoute {
  const read = (reply: z.ZodType): KnownFields =>
    answered.get(objectOf(reply) ?? "") ?? knownOf(reply);
  const inside = Object.entries(route.takes_back ?? {}).map(
    ([field, resources]): KnownFields => ({
      ...nothingKnown,
      fields: new Map([[field, allOf(resources.map(read))]]),
    }),
  );
  return {
    parameters: parametersOf(route),
    writable: route.body ? knownOf(route.body) : NONE,
    answered: allOf([...repliesOf(route).map(read), ...inside]),
  };
}

const NONE: KnownFields = { ...nothingKnown, fields: new Map() };

function parametersOf({ query }: Route): KnownFields {
  return query ? knownOf(query) : NONE;
}
