/** A call to the API without interpretation or defaults: for bodies that are not JSON and replies compared as text. */
import type { World } from "../world/world.ts";

export interface PlainReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface PlainFields {
  readonly body?: string | Buffer | undefined;
  /** Override the defaults; an empty header is not sent. The content type JSON is sent with a body. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `callPlainly(world, "GET", "/customers", key)`; null sends no key. */
export async function callPlainly(
  world: World,
  method: string,
  path: string,
  key: string | null,
  { body, headers = {} }: PlainFields = {},
): Promise<PlainReply> {
  const all = {
    authorization: key === null ? "" : `Bearer ${key}`,
    "content-type": body === undefined ? "" : "application/json",
    ...headers,
  };
  const response = await fetch(`${world.origin}/api/v1${path}`, {
    method,
    headers: Object.entries(all).filter(([, value]) => value !== "") as [string, string][],
    // As bytes, because fetch adds a content type to a text.
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
