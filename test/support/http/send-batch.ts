/** Sends rows as a batch over REST, and reads the lines of the answer. */
import type { Json, World } from "../world/world.ts";
import { callPlainly } from "./plain-call.ts";

/** Rows as the body of a call of the example walk. */
export class BatchRows {
  readonly rows: readonly unknown[];

  constructor(rows: readonly unknown[]) {
    this.rows = rows;
  }
}

/** Sends a call of the walk whose body are rows, and returns the outcome of the first one. */
export async function postRows(
  world: World,
  call: string,
  { rows }: BatchRows,
  key: string,
): Promise<{ readonly status: number; readonly body: Json }> {
  const { status, rows: outcomes } = await sendBatch(world, call.replace("POST ", ""), rows, {
    key,
  });
  const refused = outcomes.find(({ outcome }) => outcome === "refused");
  if (refused) throw new Error(`${call} refused ${JSON.stringify(refused)}`);
  return { status, body: outcomes[0] };
}

interface BatchOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface BatchReply {
  readonly status: number;
  /** The outcome of each row. */
  readonly rows: readonly Json[];
  /** The envelope of a refusal of the whole call. */
  readonly error: Json;
}

/** Posts rows to `path`; a text is sent as it is. */
export async function sendBatch(
  world: World,
  path: string,
  rows: readonly unknown[] | string,
  { key = world.account.keys.read_write, headers = {} }: BatchOptions = {},
): Promise<BatchReply> {
  const body =
    typeof rows === "string" ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const { status, text } = await callPlainly(world, "POST", path, key, {
    body,
    headers: { "content-type": "application/x-ndjson", ...headers },
  });
  if (status !== 200) return { status, rows: [], error: JSON.parse(text).error };
  const lines = text.split("\n").filter(Boolean);
  return { status, rows: lines.map((line) => JSON.parse(line)), error: null };
}
