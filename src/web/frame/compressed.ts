/** Compresses pages with Brotli, for browsers that accept it: a list of forty lines shrinks to a fifteenth (decision 0071). */
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyReply } from "fastify";

/** The size from which pages are compressed: a smaller page fits into the first packets anyway. */
const LEAST_BYTES = 2_048;
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compress = promisify(brotliCompress);

/** Returns the page as it is sent. Sets the headers for its encoding. */
export async function compressed(reply: FastifyReply, html: string): Promise<string | Buffer> {
  reply.header("vary", "accept-encoding");
  if (html.length < LEAST_BYTES || !takesBrotli(reply.request.headers["accept-encoding"])) {
    return html;
  }
  reply.header("content-encoding", "br");
  return compress(html, OPTIONS);
}

/** Whether the header names Brotli with a weight other than 0 (RFC 9110, 12.5.3). */
function takesBrotli(accepted: string | string[] | undefined): boolean {
  return String(accepted ?? "")
    .split(",")
    .map((one) =>
      one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    )
    .some(([coding, weight]) => coding === "br" && Number(weight ?? 1) > 0);
}
