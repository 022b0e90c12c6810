/**
 * A page is a value, as a route is: where it is, who may see it, what it answers. `mountPages` is the
 * only place that reads the cookie, checks where a form came from, and says what browsers may do with
 * a page. Every POST is checked; none can forget it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { Problem } from "../../domain/problem.ts";
import type { Caller, Context, Person } from "../context.ts";
import { problemFromDatabase, statusOfKind } from "../http/problems.ts";
import { contextFor, type Services } from "../services.ts";
import { csrfToken, requireCsrf, requireOwnOrigin } from "./csrf.ts";
import { type Fields, FORM_TYPE, fieldsFrom, MOST_FORM_BYTES, queryFrom } from "./form.ts";
import { renderPage, STYLESHEET_PATH } from "./layout.tsx";
import { readSession, type Session, sessionCookie, tokenFromCookies } from "./session.ts";
import { STYLESHEET } from "./style.ts";

export type PersonCaller = Caller & { readonly person: Person };

export interface PageRequest {
  readonly services: Services;
  readonly session: Session;
  readonly query: Fields;
  /** Empty on GET. */
  readonly form: Fields;
  /** Path and query, as they were sent. */
  readonly url: string;
  /** The client's address. */
  readonly address: string;
  /** The hidden value of a form that is posted to that address. */
  csrf(action: string): string;
  /** The person's context. Only on pages for persons; throws elsewhere. */
  readonly cx: Context & { readonly caller: PersonCaller };
}

export type PageAnswer =
  | {
      readonly title: string;
      readonly content: VNode;
      readonly status?: number;
      readonly cookie?: string;
      /** The consent page only: browsers apply `form-action` to the redirect into the client too. */
      readonly leads_away?: boolean;
    }
  | { readonly redirect: string; readonly cookie?: string };

export interface Page {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** `stranger` pages are for everybody; the others lead to the sign-in first. */
  readonly access: "stranger" | "person" | "admin";
  handle(request: PageRequest): Promise<PageAnswer>;
}

/** Registers the pages and their stylesheet. `signIn` shows the sign-in that leads on to a URL. */
export function mountPages(
  app: FastifyInstance,
  services: Services,
  pages: readonly Page[],
  signIn: (request: PageRequest, next: string) => PageAnswer,
): void {
  app.get(STYLESHEET_PATH, (_request, reply) =>
    reply
      .headers({ "cache-control": "public, max-age=300" })
      .type("text/css; charset=utf-8")
      .send(STYLESHEET),
  );
  app.register(async (web) => {
    web.removeAllContentTypeParsers();
    web.addContentTypeParser(
      FORM_TYPE,
      { parseAs: "string", bodyLimit: MOST_FORM_BYTES },
      async (_request: FastifyRequest, body: string) => fieldsFrom(body),
    );
    // `*` and whole addresses are taken for paths by the router; forms and links are bound to real ones.
    web.addHook("onRequest", async (request, reply) => {
      if (!request.url.startsWith("/")) return reply.callNotFound();
    });
    web.setErrorHandler((error, request, reply) => sendFault(services, error, request, reply));
    for (const page of pages) {
      web.route({
        method: page.method,
        url: page.path,
        handler: async (request, reply) => {
          const asked = await readRequest(services, page, request);
          const answer = await answerOf(page, asked, signIn);
          return send(services, page, asked, answer, reply);
        },
      });
    }
  });
}

async function readRequest(
  services: Services,
  page: Page,
  request: FastifyRequest,
): Promise<PageRequest> {
  const { base_url } = services.config;
  if (page.method === "POST") requireOwnOrigin(request.headers, base_url);
  const cookie = tokenFromCookies(base_url, request.headers.cookie);
  const session = await readSession(services.db, cookie);
  const form = (request.body ?? {}) as Fields;
  if (page.method === "POST") requireCsrf(session.token, request.url, form.csrf);
  return {
    services,
    session,
    query: queryFrom(request.url),
    form,
    url: request.url,
    address: request.ip,
    csrf: (action) => csrfToken(session.token, action),
    get cx() {
      const { caller } = session;
      if (caller?.person == null) throw new Error(`${page.path} is no page for persons`);
      const context = contextFor(services, caller, request.log);
      return { ...context, caller: caller as PersonCaller };
    },
  };
}

async function answerOf(
  page: Page,
  asked: PageRequest,
  signIn: (request: PageRequest, next: string) => PageAnswer,
): Promise<PageAnswer> {
  if (page.access === "stranger") return page.handle(asked);
  const person = asked.session.caller?.person;
  // A form's answer is no place to go back to; its page is.
  if (person == null) return signIn(asked, page.method === "GET" ? asked.url : "/");
  if (page.access === "admin" && person.role !== "admin") {
    throw new Problem("INSUFFICIENT_SCOPE", { message: "Only an admin may see this page." });
  }
  return page.handle(asked);
}

function send(
  services: Services,
  page: Page,
  asked: PageRequest,
  answer: PageAnswer,
  reply: FastifyReply,
): FastifyReply {
  const { base_url } = services.config;
  const token = answer.cookie ?? asked.session.token;
  // Never a cookie that the browser sent: by now a sign-in in another tab may have replaced it.
  if (token !== tokenFromCookies(base_url, reply.request.headers.cookie)) {
    reply.header("set-cookie", sessionCookie(base_url, token));
  }
  // Programs on the web open the consent in a window and wait for its answer: no page on that way may part with them.
  if (page.access !== "stranger") reply.header("cross-origin-opener-policy", "same-origin");
  if ("redirect" in answer) {
    reply.headers(safetyHeaders(false));
    return reply.code(303).header("location", answer.redirect).send();
  }
  const { caller } = asked.session;
  // What a new cookie stands for is not known here: its page has no menu.
  const shown = answer.cookie === undefined ? (caller?.person ?? null) : null;
  const html = renderPage(
    {
      title: answer.title,
      person: shown && caller ? { ...shown, account_name: caller.account_name } : null,
      sign_out_csrf: shown ? asked.csrf("/sign-out") : null,
    },
    answer.content,
  );
  reply.headers(safetyHeaders(answer.leads_away ?? false));
  return reply
    .code(answer.status ?? 200)
    .type("text/html; charset=utf-8")
    .send(html);
}

/** No script, no frame, nothing from elsewhere, nothing kept. */
function safetyHeaders(leads_away: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(leads_away ? [] : ["form-action 'self'"]),
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    // `no-referrer` would make browsers send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** A refusal as a page. What is no refusal of ours is logged and shown as nothing but its request's id. */
function sendFault(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = problemFromDatabase(thrown);
  const { status, message } = faultOf(services, error, request);
  const wait = error instanceof Problem ? error.extras.retry_after_seconds : undefined;
  if (wait !== undefined) reply.header("retry-after", String(wait));
  const frame = { title: "That did not work", person: null, sign_out_csrf: null };
  reply.headers(safetyHeaders(false));
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .send(renderPage(frame, <p>{message}</p>));
}

function faultOf(services: Services, error: unknown, request: FastifyRequest) {
  if (error instanceof Problem) {
    return { status: statusOfKind[error.kind], message: error.message };
  }
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return { status: 400, message: "The request cannot be read." };
  }
  services.log.error({ request_id: request.id, err: error }, "unexpected error");
  return { status: 500, message: `Something went wrong on our side. Request ${request.id}.` };
}
