/**
 * The page behind the button of a document's mail: the document as paper and as PDF, for everyone who has the link. It reads no cookie,
 * sets none, and leaves no trace of a visit. Unknown, ended and revoked links are one page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { Problem } from "../../domain/base/problem.ts";
import { findLinked, readLinked } from "../../features/documents/document-links/find-linked.ts";
import { pdfReply } from "../../features/documents/issued/issued-documents.ts";
import { networkOf } from "../../platform/fairness/limits/rate-counter.ts";
import { WindowCounter } from "../../platform/fairness/limits/window-counter.ts";
import { hasLeft, leftOf, takePlace } from "../../platform/http/admission.ts";
import { fileReply } from "../../platform/http/answer.ts";
import { refusalFrom } from "../../platform/http/client-left.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { sendReply } from "../../platform/http/send.ts";
import { logOfRequest } from "../../platform/runtime/log.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { withoutInterruption } from "../../platform/runtime/slices.ts";
import { safetyHeaders } from "../frame/fault.tsx";
import { languageFrom, wordsOf } from "../words/words.ts";
import { LinkedPaper, Message, renderVisit } from "./link-page.tsx";

const REQUESTS_A_MINUTE = 60;
const UNKNOWN_A_MINUTE = 10;
const MINUTE = 60;

/** Documents with more lines are rendered in one of the account's heavy slots. */
const MANY_LINES = 500;

const HEADERS = {
  ...safetyHeaders(),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "cross-origin-opener-policy": "same-origin",
};

/** Registers `/d/{token}` and its PDF, for GET and HEAD. */
export function mountDocumentLinks(app: FastifyInstance, services: Services): void {
  const limits = {
    requests: new WindowCounter(REQUESTS_A_MINUTE, MINUTE),
    unknown: new WindowCounter(UNKNOWN_A_MINUTE, MINUTE),
  };
  app.register(async (web) => {
    web.addHook("onRequest", async (request, reply) => {
      if (!request.url.startsWith("/")) return reply.callNotFound();
      reply.headers(HEADERS);
      requireRoom(limits.requests, request);
      limits.requests.count(networkOf(request.ip), Date.now());
      requireRoom(limits.unknown, request);
    });
    web.setErrorHandler((error, request, reply) => sendFailure(services, error, request, reply));
    for (const [url, is_pdf] of [
      ["/d/:token", false],
      ["/d/:token/pdf", true],
    ] as const) {
      web.route({
        method: ["GET", "HEAD"],
        url,
        handler: async (request, reply) => {
          if (await answerVisit(services, is_pdf, request, reply)) return reply;
          limits.unknown.count(networkOf(request.ip), Date.now());
          return sendAbsent(request, reply);
        },
      });
    }
  });
}

/** Throws RATE_LIMITED while the network of a request has reached the limit. */
function requireRoom(limit: WindowCounter, request: FastifyRequest): void {
  const retry_after_seconds = limit.wait(networkOf(request.ip), Date.now());
  if (retry_after_seconds > 0) throw new Problem("RATE_LIMITED", { retry_after_seconds });
}

/** Sends the document of a link; returns false where the link opens nothing. */
async function answerVisit(
  services: Services,
  is_pdf: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { token = "" } = request.params as { readonly token?: string };
  const log = logOfRequest(services.log, request.id);
  const linked = await findLinked(services, token, log, leftOf(reply));
  if (linked === undefined) return false;
  const { cx, document_id: id } = linked;
  const place = await takePlace(services, cx.caller, is_pdf, reply);
  const shown = await readLinked(linked);
  if (is_pdf) {
    sendReply(reply, fileReply(200, await pdfReply(cx, { id, ...shown })));
    return true;
  }
  const { language, lines } = shown.snapshot;
  const draw = () => renderVisit(language, <LinkedPaper shown={shown} token={token} />, shown);
  if (lines.length > MANY_LINES) await place.makeHeavy();
  const html = await (lines.length > MANY_LINES ? withoutInterruption(draw) : draw());
  sendHtml(reply, 200, html);
  return true;
}

function sendAbsent(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendMessage(request, reply, 404, ({ absent_title, absent }) => (
    <Message title={absent_title} text={absent} />
  ));
}

/** Sends a refusal or a fault. The page does not contain the address of the request. */
function sendFailure(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = refusalFrom(thrown);
  const problem = error instanceof Problem ? error : undefined;
  if (problem === undefined) {
    services.log.error({ request_id: request.id, err: error }, "unexpected error");
  }
  const status = problem === undefined ? 500 : statusOfKind[problem.kind];
  if (hasLeft(reply)) return reply.code(status).send();
  const wait = problem?.extras.retry_after_seconds;
  if (wait !== undefined) reply.header("retry-after", String(wait));
  return sendMessage(request, reply, status, ({ too_many, failed, document }) => (
    <Message title={document} text={status === 429 ? too_many : failed} />
  ));
}

function sendMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: (words: ReturnType<typeof wordsOf>["document_links"]) => VNode,
): FastifyReply {
  const language = languageFrom(request.headers["accept-language"]);
  return sendHtml(
    reply,
    status,
    renderVisit(language, message(wordsOf(language).document_links), null),
  );
}

function sendHtml(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(html);
}
