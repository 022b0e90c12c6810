/**
 * Failures as pages: refusals, faults of the server, and addresses without a page. Each page offers a next step. For an unknown
 * address only a client that asks for HTML gets the page; machines get the envelope.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { Problem } from "../../domain/base/problem.ts";
import { hasLeft } from "../../platform/http/admission.ts";
import { refusalFrom } from "../../platform/http/client-left.ts";
import { statusOfKind, unreadableStatus } from "../../platform/http/problems.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { refusalOf } from "../words/refusal.ts";
import { renderPage } from "./layout.tsx";
import { type PageReader, useReader } from "./reader.ts";
import { readerOf } from "./reader-of.ts";
import { signedOf } from "./signed-of.ts";

/**
 * Returns headers that forbid frames, inline code, foreign sources and caching. A page with `is_alive` loads our
 * script, which calls our server. A page with `leads_away` posts a form whose response redirects to another origin.
 */
export function safetyHeaders({
  leads_away = false,
  is_alive = false,
}: {
  readonly leads_away?: boolean | undefined;
  readonly is_alive?: boolean;
} = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ...(is_alive ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(leads_away ? [] : ["form-action 'self'"]),
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    // With `no-referrer`, browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

/** Sends a refusal as a page. An unexpected error is logged, and its page shows only the id of the request. */
export function sendFault(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = refusalFrom(thrown);
  const reader = readerOf(request);
  const { status, message } = faultOf(services, error, request, reader);
  // A reader who has left needs no page.
  if (hasLeft(reply)) return reply.code(status).send();
  const wait = error instanceof Problem ? error.extras.retry_after_seconds : undefined;
  if (wait !== undefined) reply.header("retry-after", String(wait));
  // A refusal from the database says nothing about the request.
  const next_step = error === thrown ? nextStepAfter(error, request, reader) : <ToStart />;
  const { absent, failed, no_such_page } = reader.words.faults;
  // A page that the person may not see is one that does not exist.
  if (status === 404 && request.method === "GET") {
    return sendPage(reply, request, status, absent, no_such_page, next_step);
  }
  return sendPage(reply, request, status, failed, message, next_step);
}

/** Throws NOT_FOUND, which is sent in the envelope, unless a browser requests a path where pages are. */
export function answerAbsent(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isForPeople(request)) throw new Problem("NOT_FOUND");
  const { absent, no_such_page } = readerOf(request).words.faults;
  return sendPage(reply, request, 404, absent, no_such_page, <ToStart />);
}

/** Whether a request for an unknown address comes from a person's browser and not from a program. */
export function isForPeople({ headers, method, url }: FastifyRequest): boolean {
  const accepts_html = headers.accept?.includes("text/html") ?? false;
  const is_for_machines = /^\/(api|\.well-known|assets)(?![^/?])/.test(url);
  return method === "GET" && accepts_html && !is_for_machines;
}

function sendPage(
  reply: FastifyReply,
  request: FastifyRequest,
  status: number,
  title: string,
  message: string,
  next_step: VNode,
): FastifyReply {
  const content = (
    <>
      <p>{message}</p>
      <p>{next_step}</p>
    </>
  );
  const signed = signedOf(request);
  const is_alive = signed !== null;
  reply.headers(safetyHeaders({ is_alive }));
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .send(
      renderPage(
        {
          title,
          lead: null,
          actions: null,
          reader: readerOf(request),
          here: "/",
          at: request.url,
          notice: null,
          way_back: null,
          next_step: null,
          printed_on: null,
          signed,
          is_alive,
          cookies: request.headers.cookie,
        },
        content,
      ),
    );
}

function ToStart() {
  return <a href="/">{useReader().words.faults.to_start}</a>;
}

function Again({ url }: { url: string }) {
  return (
    <>
      <a href={url}>{useReader().words.faults.again}</a> · <ToStart />
    </>
  );
}

function nextStepAfter(error: unknown, request: FastifyRequest, { words }: PageReader): VNode {
  const code = error instanceof Problem ? error.code : undefined;
  if (code !== "RATE_LIMITED") return <ToStart />;
  // Signed-in people are counted on every page, others only where they sign in.
  if (request.caller !== null) {
    return request.method === "GET" ? <Again url={request.url} /> : <ToStart />;
  }
  if (request.url.startsWith("/forgot-password"))
    return <a href="/sign-in">{words.sign_in.title}</a>;
  return <a href="/forgot-password">{words.sign_in.forgot}</a>;
}

/** The longest wait, in seconds, for which "in a moment" is true. */
const SOON = 60;

function faultOf(
  services: Services,
  error: unknown,
  request: FastifyRequest,
  { words }: PageReader,
) {
  if (error instanceof Problem) {
    const { retry_after_seconds: wait = SOON + 1 } = error.extras;
    if (request.caller !== null && error.code === "RATE_LIMITED" && wait <= SOON) {
      return { status: 429, message: words.faults.too_many };
    }
    return { status: statusOfKind[error.kind], message: words.refused(refusalOf(error)) };
  }
  if (unreadableStatus(error) !== undefined) {
    return { status: 400, message: words.faults.unreadable };
  }
  services.log.error({ request_id: request.id, err: error }, "unexpected error");
  return { status: 500, message: words.faults.internal(request.id) };
}
