/**
 * A page is a value, like a route: its address, its audience, and its response. Only `mountPages` reads the cookie, checks the
 * origin of a form, and sets what browsers may do with a page. It checks every POST, so no page can forget the check.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { VNode } from "preact";
import { dayIn } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { type WaitingCounts, waitingAround } from "../../features/overview/today/count-side.ts";
import type { Caller, PersonContext } from "../../platform/commands/context.ts";
import { RateLimiter } from "../../platform/fairness/limits/token-bucket.ts";
import {
  type AdmissionPlace,
  leftOf,
  requireTurn,
  takePlace,
} from "../../platform/http/admission.ts";
import {
  type Fields,
  FORM_TYPE,
  fieldsFrom,
  MOST_FORM_BYTES,
  queryFrom,
} from "../../platform/http/form.ts";
import { logOfRequest } from "../../platform/runtime/log.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { withoutInterruption } from "../../platform/runtime/slices.ts";
import { csrfToken, requireCsrf, requireOwnOrigin } from "../../platform/security/sessions/csrf.ts";
import {
  readSessionWith,
  type Session,
  sessionCookie,
  tokenFromCookies,
} from "../../platform/security/sessions/session.ts";
import type { Visitor } from "../../platform/security/sessions/visitor.ts";
import { type Action, mountActions } from "./action.ts";
import { askedAgain } from "./ask-again.tsx";
import { mountAssets, speculationRules } from "./assets.ts";
import { compressed } from "./compressed.ts";
import { answerAbsent, isForPeople, safetyHeaders, sendFault } from "./fault.tsx";
import { type PageFile, sendFile } from "./file.ts";
import { mountFileForms, sentForm } from "./file-form.ts";
import { renderPage } from "./layout.tsx";
import { type Room, roomOf } from "./long-work.ts";
import { nextStepAfter } from "./next-step.tsx";
import { type Notice, noticeCookie, noticeFrom } from "./notice.ts";
import { leadToFactor } from "./pending.ts";
import type { PageReader } from "./reader.ts";
import { keepReader, readerFrom } from "./reader-of.ts";
import { isId } from "./reference.ts";
import { refuseForged } from "./refuse-forged.ts";
import type { Signed } from "./shell.tsx";
import { signedFrom } from "./signed-from.ts";
import { keepSigned } from "./signed-of.ts";
import { wayBackOf } from "./way-back.tsx";

/** The characters of a User-Agent header that are kept. */
const LONGEST_BROWSER = 400;

export interface PageRequest extends Visitor, Room {
  readonly services: Services;
  readonly session: Session;
  /** The counts of entries that wait for the person; null for visitors. */
  readonly waiting: WaitingCounts | null;
  /** What the shell shows of the person; null for visitors. */
  readonly signed: Signed | null;
  /** The reader of the page: language with its texts, theme and time zone. */
  readonly reader: PageReader;
  readonly query: Fields;
  /** The value of `:id` in the path; empty where the path has none. */
  readonly id: string;
  /** The values of all path parameters. */
  readonly named: Fields;
  /** The fields of the form; empty on GET. */
  readonly form: Fields;
  /** The file of the form; null without one. */
  readonly file: Uint8Array | null;
  /** Path and query, as they were sent. */
  readonly url: string;
  /** Returns the CSRF token of a form that posts to the given address. */
  csrf(action: string): string;
  /** The person's context. Its signal aborts when the person leaves. Only on pages for signed-in people; throws elsewhere. */
  readonly cx: PersonContext;
}

export type PageAnswer =
  | {
      readonly title: string;
      readonly content: VNode;
      /** A sentence about the page, below the title. */
      readonly lead?: string | VNode;
      /** The most frequent actions, next to the title. */
      readonly actions?: VNode;
      readonly status?: number;
      readonly cookie?: string;
      /** Whether the page redirects to another origin. For the consent page: `form-action` applies to redirects too. */
      readonly leads_away?: boolean;
      /** Whether people print the page: then each printed page begins with the account, the title and the day. */
      readonly is_printed?: boolean;
      /** Whether the page runs our script for a visitor who is not signed in. */
      readonly runs_script?: boolean;
      /** Whether fields are saved when left. If so, links are not prefetched, as they would show the earlier state. */
      readonly stores_itself?: boolean;
    }
  | {
      readonly redirect: string;
      readonly cookie?: string;
      /** What the form has done: the page of the redirect shows it once. */
      readonly notice?: Notice;
      /** Whether the address has moved permanently. */
      readonly is_moved?: true;
    }
  | { readonly file: PageFile };

export interface WebPage {
  readonly method: "GET" | "POST";
  readonly path: string;
  /**
   * `stranger` pages are for all visitors; the others lead to the sign-in first. A `hidden` page seems not to exist for people
   * who are no admins. An `admin` page does something to a resource: they are refused what they see, and find nothing else.
   */
  readonly access: "stranger" | "person" | "admin" | "hidden";
  /** Whether the page takes long: then it takes one of the account's few heavy slots, and returns a file. */
  readonly is_heavy: boolean;
  /** Whether its form may carry a file; then the page is hidden. */
  readonly takes_file: boolean;
  /** Whether a person whose last answer is more than ten minutes old is asked again who they are (`ask-again.tsx`). */
  readonly asks_again: boolean;
  handle(request: PageRequest): Promise<PageAnswer>;
}

/** Defines a page at a method and a path, such as `GET /settings`. */
export function definePage(
  target: `${WebPage["method"]} /${string}`,
  access: WebPage["access"],
  handle: WebPage["handle"],
): WebPage {
  const [method, path] = target.split(" ") as [WebPage["method"], string];
  return { method, path, access, handle, is_heavy: false, takes_file: false, asks_again: false };
}

/** The sign-in page, which leads on to a URL. */
type SignIn = (request: PageRequest, next: string) => PageAnswer;

/** Registers the pages, their actions and assets, and the response for unknown addresses. */
export function mountPages(
  app: FastifyInstance,
  services: Services,
  pages: readonly WebPage[],
  actions: readonly Action[],
  signIn: SignIn,
): void {
  // One bucket for each person: a script at the account's limit locks no person out.
  const limiter = new RateLimiter(services.config.rate_limit);
  mountAssets(app);
  mountActions(app, services, actions, limiter);
  app.setNotFoundHandler(async (request, reply) => {
    await knowPerson(services, request);
    return answerAbsent(request, reply);
  });
  // An unknown address is refused before the body is read.
  app.addHook("preParsing", async (request, reply) => {
    if (!request.is404) return;
    await knowPerson(services, request);
    return answerAbsent(request, reply);
  });
  app.register(async (web) => {
    web.removeAllContentTypeParsers();
    web.addContentTypeParser(
      FORM_TYPE,
      { parseAs: "string", bodyLimit: MOST_FORM_BYTES },
      async (_request: FastifyRequest, body: string) => fieldsFrom(body),
    );
    // The router takes `*` and absolute URLs for paths, but forms and links are bound to real paths.
    web.addHook("onRequest", async (request, reply) => {
      if (!request.url.startsWith("/")) return reply.callNotFound();
    });
    web.setErrorHandler((error, request, reply) => sendFault(services, error, request, reply));
    const routeOf = (page: WebPage): RouteOptions => ({
      method: page.method,
      url: page.path,
      handler: (request, reply) => answerPage(services, limiter, page, signIn, request, reply),
    });
    for (const page of pages.filter(({ takes_file }) => !takes_file)) web.route(routeOf(page));
    mountFileForms(web, services, pages.filter(({ takes_file }) => takes_file).map(routeOf));
  });
}

/** Reads who visits an address without a page: a person keeps the shell. Requests of machines and strangers read nothing. */
async function knowPerson(services: Services, request: FastifyRequest): Promise<void> {
  const { base_url } = services.config;
  const token = tokenFromCookies(base_url, request.headers.cookie);
  if (token === undefined || !isForPeople(request)) return;
  const [session, waiting] = await readSessionWith<WaitingCounts>(
    services.gate,
    token,
    waitingAround,
  );
  keepReader(request, readerFrom(session, request.headers["accept-language"]));
  keepSigned(
    request,
    signedFrom(services, session, waiting, (action) => csrfToken(session.token, action)),
  );
}

/** Counts the request, takes one of the account's slots for it, and sends the page's response. */
async function answerPage(
  services: Services,
  limiter: RateLimiter,
  page: WebPage,
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = leftOf(reply);
  let place: AdmissionPlace | null = null;
  let is_long = false;
  const asked = await readRequest(services, page, request, {
    left,
    count: (caller) => requireTurn(limiter, caller.actor.id, reply),
    takeHeavyPlace: async () => {
      is_long = true;
      await place?.makeHeavy();
    },
  });
  const { caller } = asked.session;
  if (caller !== null) place = await takePlace(services, caller, page.is_heavy, reply);
  const answer = await answerOf(page, asked, signIn);
  if ("file" in answer) {
    if (caller === null || place === null) throw new Error(`${page.path} is no page for persons`);
    return sendFile(services, caller, place, answer.file, reply);
  }
  const draw = (page_of: () => string): string => {
    left.throwIfAborted();
    return page_of();
  };
  return send(services, page, asked, answer, reply, (page_of) =>
    is_long ? withoutInterruption(() => draw(page_of)) : draw(page_of),
  );
}

/** What the server does for a request while it handles it. */
interface Turn {
  /** Aborts when the reader leaves. */
  readonly left: AbortSignal;
  /** Counts a request of a person. Throws RATE_LIMITED. */
  count(caller: Caller): void;
  readonly takeHeavyPlace: Room["takeHeavyPlace"];
}

async function readRequest(
  services: Services,
  page: WebPage,
  request: FastifyRequest,
  { left, count, takeHeavyPlace }: Turn,
): Promise<PageRequest> {
  const { base_url } = services.config;
  if (page.method === "POST") requireOwnOrigin(request.headers, base_url);
  const cookie = tokenFromCookies(base_url, request.headers.cookie);
  const [session, waiting] = await readSessionWith<WaitingCounts>(
    services.gate,
    cookie,
    waitingAround,
  );
  // The reader comes first, because a refusal is in the reader's language.
  const reader = keepReader(request, readerFrom(session, request.headers["accept-language"]));
  request.caller = session.caller;
  const csrf = (action: string): string => csrfToken(session.token, action);
  const signed = signedFrom(services, session, waiting, csrf);
  // A refusal from here on is shown in the shell.
  keepSigned(request, signed);
  if (session.caller !== null) count(session.caller);
  const { fields: form, file } = sentForm(request.body);
  if (page.method === "POST") requireCsrf(session.token, request.url, form.csrf);
  const contextOf = (): PersonContext => {
    const { caller } = session;
    if (caller?.person == null) throw new Error(`${page.path} is no page for persons`);
    const context = contextFor(services, caller, logOfRequest(services.log, request.id), left);
    return { ...context, caller: { ...caller, person: caller.person } };
  };
  return {
    services,
    session,
    waiting,
    signed,
    reader,
    query: queryFrom(request.url),
    id: (request.params as Fields).id ?? "",
    named: request.params as Fields,
    form,
    file,
    url: request.url,
    address: request.ip,
    browser: request.headers["user-agent"]?.slice(0, LONGEST_BROWSER) ?? null,
    concerns: (login_digest) => {
      request.login_digest = login_digest;
    },
    csrf,
    ...roomOf(services, contextOf, request.id, takeHeavyPlace),
    get cx() {
      return contextOf();
    },
  };
}

async function answerOf(page: WebPage, asked: PageRequest, signIn: SignIn): Promise<PageAnswer> {
  if (asked.session.pending !== null) {
    const lead = leadToFactor(page.method, page.path, asked.url);
    if (lead !== null) return { redirect: lead };
  }
  if (page.access === "stranger") return page.handle(asked);
  const person = asked.session.caller?.person;
  // After the sign-in the person returns to a page, never to the response of a form.
  if (person == null) return signIn(asked, page.method === "GET" ? asked.url : "/");
  if (person.role !== "admin" && page.access === "hidden") throw new Problem("NOT_FOUND");
  if (page.path.includes("/:id") && !isId(asked.id)) throw new Problem("NOT_FOUND");
  if (person.role !== "admin" && page.access === "admin") {
    await refuseForged(asked.cx, page.path, asked.id);
  }
  if (!page.asks_again) return page.handle(asked);
  const outcome = await askedAgain(asked);
  return "ask" in outcome ? outcome.ask : page.handle(outcome.go);
}

async function send(
  services: Services,
  page: WebPage,
  asked: PageRequest,
  answer: Exclude<PageAnswer, { readonly file: PageFile }>,
  reply: FastifyReply,
  /** Renders the page by calling `page_of` once. Throws when the reader has left. */
  draw: (page_of: () => string) => string | Promise<string>,
): Promise<FastifyReply> {
  const { base_url } = services.config;
  const token = answer.cookie ?? asked.session.token;
  // The cookie that the browser sent is never set again: a sign-in in another tab may have replaced it.
  if (token !== tokenFromCookies(base_url, reply.request.headers.cookie)) {
    reply.header("set-cookie", sessionCookie(base_url, token));
  }
  // Web programs open the consent in a window and wait for its response, so no page on that way may cut off the opener.
  if (page.access !== "stranger") reply.header("cross-origin-opener-policy", "same-origin");
  if ("redirect" in answer) {
    if (answer.notice !== undefined) {
      reply.header("set-cookie", noticeCookie(base_url, answer.notice));
    }
    reply.headers(safetyHeaders());
    const code = answer.is_moved ? 301 : 303;
    return reply.code(code).header("location", answer.redirect).send();
  }
  const { title, content, lead = null, actions = null, cookie, status = 200 } = answer;
  // The person behind a new cookie is not known here, so the page has no shell for a person.
  const signed = cookie === undefined ? asked.signed : null;
  const printed_on = answer.is_printed
    ? dayIn(asked.reader.time_zone ?? "UTC", asked.cx.clock.now())
    : null;
  const notice = noticeFrom(reply.request.headers.cookie, asked.reader.words);
  if (notice !== null) reply.header("set-cookie", noticeCookie(base_url, null));
  const is_admin = signed?.person.role === "admin";
  const account_id = is_admin ? (asked.session.caller?.account_id ?? null) : null;
  const visit = { url: asked.url, query: asked.query, account_id };
  const way = wayBackOf(visit, base_url, reply.request.headers.cookie);
  const sets_up = is_admin && asked.waiting?.example === null;
  if (way.cookie !== null) reply.header("set-cookie", way.cookie);
  // The consent page runs no script.
  const is_alive = (signed !== null || answer.runs_script === true) && !answer.leads_away;
  const frame = {
    title,
    lead,
    actions,
    reader: asked.reader,
    here: hereOf(page, asked, status),
    at: asked.url,
    notice,
    way_back: way.month,
    next_step: await nextStepAfter({ url: asked.url, notice, sets_up }, () => asked.cx),
    printed_on,
    signed,
    is_alive,
    cookies: reply.request.headers.cookie,
  };
  const html = await draw(() => renderPage(frame, content));
  reply.headers(safetyHeaders({ leads_away: answer.leads_away, is_alive }));
  if (is_alive && !answer.stores_itself) reply.header("speculation-rules", speculationRules);
  const body = signed === null ? html : await compressed(reply, html);
  return reply.code(status).type("text/html; charset=utf-8").send(body);
}

/** Returns the page to return to after a preference is set; the start page for the response of a form and for a refusal. */
function hereOf(page: WebPage, { url }: PageRequest, status: number): string {
  return page.method === "GET" && status < 400 ? url : "/";
}
