/** Sends a file of a bank over REST. */
import { callPlainly } from "../http/plain-call.ts";
import type { Json, World } from "../world/world.ts";

export interface FileReply {
  readonly status: number;
  readonly body: Json;
}

interface FileOptions {
  readonly type?: string;
  /** A reference, or the path's query as text. */
  readonly bank_account?: string;
  readonly key?: string;
  readonly idempotency_key?: string;
}

/** A file as the body of a call of the example walk. */
export class BankFile {
  readonly content: string;
  readonly bank_account: string;
  readonly type: string;

  constructor(content: string, type: string, bank_account: string) {
    this.content = content;
    this.type = type;
    this.bank_account = bank_account;
  }
}

/** Posts the file as a bank statement; XML unless a type is given. */
export async function sendBankFile(
  world: World,
  content: string | Buffer,
  { type = "application/xml", bank_account, key, idempotency_key = "" }: FileOptions = {},
): Promise<FileReply> {
  const query = bank_account === undefined ? "" : `?bank_account=${bank_account}`;
  const { status, text } = await callPlainly(
    world,
    "POST",
    `/bank-statements${query}`,
    key ?? world.account.keys.read_write,
    { body: content, headers: { "content-type": type, "idempotency-key": idempotency_key } },
  );
  return { status, body: JSON.parse(text) };
}
