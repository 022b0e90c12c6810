/**
 * An action is a value, like a page: a request that an island sends to the server while a person works. Only `mountActions`
 * identifies the caller and checks the origin of the request. Refusals are those of the API, in its envelope.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { RateLimiter } from "../../platform/fairness/limits/token-bucket.ts";
import { leftOf, requireTurn, takePlace } from "../../platform/http/admission.ts";
import { type SentFile, UnreadBody } from "../../platform/http/body.ts";
import { takeFiles } from "../../platform/http/mount.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import { logOfRequest } from "../../platform/runtime/log.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { requireCsrf, requireOwnOrigin } from "../../platform/security/sessions/csrf.ts";
import { readSession, tokenFromCookies } from "../../platform/security/sessions/session.ts";
import { MOST_FILE_BYTES } from "./file-form.ts";
import { type Room, roomOf } from "./long-work.ts";
import { type Notice, noticeCookie } from "./notice.ts";

/** The CSRF token of actions is bound to this path, in addition to the session. */
export const ACTIONS = "/app";
/** The header that carries the token. */
const PROOF = "x-csrf";

export interface Action {
  readonly path: `/app/${string}`;
  /** An `admin` action is refused to other people, and a `hidden` one seems not to exist for them. */
  readonly access: "person" | "admin" | "hidden";
  /** Whether it needs an answer of the last ten minutes, as the forms of `defineGuarded` do. */
  readonly asks_again: boolean;
  /** The types of the files that it takes as its body, with its input in the query; undefined for an action that takes JSON. */
  readonly content_types?: readonly string[];
  handle(cx: PersonContext, sent: unknown, room: Room, file: SentFile | null): Promise<unknown>;
}

/**
 * Defines an action that handles a POST of JSON at a path below `/app`; the response is JSON as well. `isHeavy` decides from the
 * valid input whether the action takes one of the account's few heavy slots.
 */
export function defineAction<Input>(
  path: Action["path"],
  access: Action["access"],
  input: z.ZodType<Input>,
  work: (cx: PersonContext, input: Input, room: Room) => Promise<unknown>,
  isHeavy: (cx: PersonContext, input: Input) => Promise<boolean> = async () => false,
): Action {
  return {
    path,
    access,
    asks_again: false,
    async handle(cx, sent, room) {
      const parsed = input.safeParse(sent, { reportInput: true });
      if (!parsed.success) {
        throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(parsed.error) });
      }
      if (await isHeavy(cx, parsed.data)) await room.takeHeavyPlace();
      return work(cx, parsed.data, room);
    },
  };
}

/**
 * Defines an action that takes a file of one of the types as the body, of at most `MOST_FILE_BYTES`, and its input from the query.
 * For admins alone.
 */
export function defineFileAction<Input>(
  path: Action["path"],
  content_types: readonly string[],
  input: z.ZodType<Input>,
  work: (cx: PersonContext, input: Input, file: SentFile, room: Room) => Promise<unknown>,
): Action {
  return {
    path,
    access: "hidden",
    asks_again: false,
    content_types,
    async handle(cx, sent, room, file) {
      const parsed = input.safeParse(sent, { reportInput: true });
      if (!parsed.success) {
        throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(parsed.error) });
      }
      if (file === null) throw new Problem("MALFORMED_REQUEST", { message: "There is no file." });
      return work(cx, parsed.data, file, room);
    },
  };
}

/** An answer after which the island leaves for another page, which shows the notice. */
export class WithNotice {
  readonly answer: object;
  readonly notice: Notice;

  constructor(answer: object, notice: Notice) {
    this.answer = answer;
    this.notice = notice;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    /** The caller of an action; null for other requests. */
    person: PersonContext | null;
  }
}

/** Registers the actions. `limiter` counts the requests of each person. */
export function mountActions(
  app: FastifyInstance,
  services: Services,
  actions: readonly Action[],
  limiter: RateLimiter,
): void {
  app.decorateRequest("person", null);
  for (const action of actions) {
    const { content_types } = action;
    if (content_types === undefined) mountAction(app, services, action, limiter);
    else {
      app.register(async (files) => {
        takeFiles(files, content_types);
        mountAction(files, services, action, limiter);
      });
    }
  }
}

function mountAction(
  app: FastifyInstance,
  services: Services,
  action: Action,
  limiter: RateLimiter,
): void {
  app.post(action.path, {
    ...(action.content_types && {
      bodyLimit: MOST_FILE_BYTES,
      config: { content_types: action.content_types },
    }),
    // Runs before the body is read: the headers suffice to refuse an unknown caller.
    onRequest: async (request, reply) => {
      request.person = await callerOf(services, action, request, reply, limiter);
    },
    handler: async (request, reply) => {
      const cx = request.person;
      if (cx === null) throw new Problem("UNAUTHORIZED");
      const place = await takePlace(services, cx.caller, false, reply);
      const room = roomOf(services, () => cx, request.id, place.makeHeavy);
      const answer = await action.handle(cx, sentOf(request), room, fileOf(request));
      if (!(answer instanceof WithNotice)) return reply.send(answer ?? {});
      reply.header("set-cookie", noticeCookie(services.config.base_url, answer.notice));
      return reply.send(answer.answer);
    },
  });
}

/** A file has its input in the query. */
function sentOf({ body, query }: FastifyRequest): unknown {
  return body instanceof UnreadBody ? query : body;
}

function fileOf({ body }: FastifyRequest): SentFile | null {
  if (!(body instanceof UnreadBody) || body.content_type === null) return null;
  return { content_type: body.content_type, bytes: body.bytes };
}

/**
 * Returns the caller of an action. Throws UNAUTHORIZED without a person's session, RATE_LIMITED beyond the person's rate,
 * MALFORMED_REQUEST for a request from another page or session, INSUFFICIENT_SCOPE or NOT_FOUND where only an admin may,
 * REAUTHENTICATION_REQUIRED where the action asks again and the last answer is more than ten minutes old.
 */
async function callerOf(
  services: Services,
  { access, asks_again }: Action,
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
): Promise<PersonContext> {
  const { base_url } = services.config;
  requireOwnOrigin(request.headers, base_url);
  const { caller, token, has_answered } = await readSession(
    services.gate,
    tokenFromCookies(base_url, request.headers.cookie),
  );
  if (caller?.person == null) throw new Problem("UNAUTHORIZED");
  request.caller = caller;
  requireTurn(limiter, caller.actor.id, reply);
  const proof = request.headers[PROOF];
  requireCsrf(token, ACTIONS, typeof proof === "string" ? proof : undefined);
  if (caller.person.role !== "admin") {
    if (access === "hidden") throw new Problem("NOT_FOUND");
    if (access === "admin") {
      throw new Problem("INSUFFICIENT_SCOPE", { message: "Only an admin may do this." });
    }
  }
  if (asks_again && !has_answered) throw new Problem("REAUTHENTICATION_REQUIRED");
  const log = logOfRequest(services.log, request.id);
  const context = contextFor(services, caller, log, leftOf(reply));
  return { ...context, caller: { ...caller, person: caller.person } };
}
