/** A request and its reply without what differs between any two of them, to compare replies byte for byte. */
import { request } from "node:http";

export interface ExactReply {
  readonly status: number | undefined;
  /** Without the date and the id of the request. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Without the id of the request. */
  readonly text: string;
}

/** The reply to a request; one with a body is a POST. Headers are sent as given, and a null key sends none. */
export function exactReply(
  url: string,
  key: string | null,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<ExactReply> {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...authorization, ...headers } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => {
        const { date: _, "x-request-id": id = "", ...others } = reply.headers;
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: reply.statusCode,
          headers: others,
          text: id === "" ? text : text.replaceAll(String(id), ""),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
