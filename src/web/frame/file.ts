/** Files that pages lead to, such as PDFs: made where the API makes them, beside the thread that answers everybody. */
import type { FastifyReply } from "fastify";
import type { Caller } from "../../platform/context.ts";
import { leftOf, type takePlace } from "../../platform/http/admission.ts";
import { fileReply } from "../../platform/http/answer.ts";
import type { Reply } from "../../platform/http/asked.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { sendReply } from "../../platform/http/send.ts";
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
  const made = await madeBy(services, caller, place, file, reply);
  if (!(made.body instanceof Uint8Array)) throw new Error(`${file.operation} answers no file`);
  return sendReply(reply.header("x-frame-options", "DENY"), made);
}

async function madeBy(
  { heavy, metrics }: Services,
  caller: Caller,
  { keep }: Place,
  { operation, params, make }: PageFile,
  reply: FastifyReply,
): Promise<Reply> {
  if (heavy === null) return fileReply(200, await make());
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
