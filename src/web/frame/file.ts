/** Files that pages lead to, such as PDFs: made where the API makes them, beside the thread that answers everybody. */
import type { FastifyReply } from "fastify";
import type { Caller } from "../../platform/context.ts";
import { leftOf, type takePlace } from "../../platform/http/admission.ts";
import type { Reply } from "../../platform/http/asked.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import type { Services } from "../../platform/services.ts";
import { ANYTHING } from "../../platform/threads/takes-long.ts";

/** A file, as an operation of the API answers it for whoever is signed in. */
export interface PageFile {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Makes it here, where there are no other threads. */
  make(): Promise<ReplyFile>;
}

type Place = Awaited<ReturnType<typeof takePlace>>;

/** Sends the file in one of the caller's heavy places. Throws what making it throws. */
export async function sendFile(
  services: Services,
  caller: Caller,
  place: Place,
  file: PageFile,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, body } = await madeBy(services, caller, place, file, reply);
  if (!(body instanceof Uint8Array)) throw new Error(`${file.operation} answers no file`);
  return reply
    .headers({
      ...headers,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    })
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

async function madeBy(
  { heavy, metrics }: Services,
  caller: Caller,
  { keep }: Place,
  { operation, params, make }: PageFile,
  reply: FastifyReply,
): Promise<Pick<Reply, "headers" | "body">> {
  if (heavy === null) {
    const { content_type, filename, content } = await make();
    const disposition = `inline; filename="${filename}"`;
    return {
      headers: { "content-type": content_type, "content-disposition": disposition },
      body: content,
    };
  }
  const asked = {
    operation,
    caller,
    request_id: reply.request.id,
    input: { params, query: {}, body: undefined },
    is_read: true,
    as_csv: false,
    once: null,
  };
  const waiting = { signal: leftOf(reply), ran: metrics.observeCommand, keep };
  return heavy.answer(asked, "computation", ANYTHING, waiting);
}
