/** Sends files that pages link to, such as PDFs, made where the API makes them, outside of the serving thread. */
import type { FastifyReply } from "fastify";
import type { Caller } from "../../platform/commands/context.ts";
import { type AdmissionPlace, leftOf } from "../../platform/http/admission.ts";
import type { Reply } from "../../platform/http/asked.ts";
import { sendReply } from "../../platform/http/send.ts";
import type { Services } from "../../platform/runtime/services.ts";
import type { Lane } from "../../platform/threads/messages.ts";
import { ANYTHING, READING } from "../../platform/threads/takes-long.ts";
import { pageAsked } from "./page-asked.ts";

/** A file for the person who is signed in, made by an operation of the API or by the pages alone (`page-files.ts`). */
export interface PageFile {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** The query of the operation, already validated. */
  readonly query: unknown;
  /** `file` for a file that is sent while it is made. */
  readonly lane: Lane;
  /** Makes the file in this thread, where there are no other threads. */
  make(): Promise<Reply>;
}

/** Sends the file, in one of the caller's heavy slots. Throws what `make` throws. */
export async function sendFile(
  services: Services,
  caller: Caller,
  place: AdmissionPlace,
  file: PageFile,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const made = await madeBy(services, caller, place, file, reply);
  const is_file = typeof made.body === "object" && made.body !== null;
  if (!is_file) throw new Error(`${file.operation} answers no file`);
  return sendReply(reply.header("x-frame-options", "DENY"), made);
}

async function madeBy(
  { heavy, metrics }: Services,
  caller: Caller,
  { keep }: AdmissionPlace,
  { operation, params, query, lane, make }: PageFile,
  reply: FastifyReply,
): Promise<Reply> {
  if (heavy === null) return make();
  const asked = pageAsked(operation, caller, reply.request.id, { params, query }, true);
  const waiting = { signal: leftOf(reply), ran: metrics.observeCommand, keep };
  return heavy.answer(asked, lane, lane === "file" ? READING : ANYTHING, waiting);
}
