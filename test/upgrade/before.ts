/**
 * What was kept of an installation of before: its backup, what is known of it from outside, and what it answered.
 * README.md beside this file tells what is in it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Json } from "../support/world/world.ts";
import type { KeptBooking } from "./simulated-ledger.ts";

export type AccountName = "main" | "external" | "sandbox";

/** What a caller, an assistant and the connected ledger of that installation know of it. */
export interface Before {
  /** When the backup was made, by the real clock; every later moment belongs to whoever restored it. */
  readonly made_at: string;
  /** The service's own address, in its assistants' tokens. */
  readonly base_url: string;
  /** What the settable clock showed. */
  readonly now: string;
  readonly accounts: Readonly<Record<AccountName, KnownAccount>>;
  readonly people: Readonly<Record<string, KnownPerson>>;
  readonly plans: readonly KnownPlan[];
  readonly repeats: readonly KnownRequest[];
  /** Requests whose booking the external ledger has not answered. */
  readonly doubts: readonly KnownRequest[];
  readonly ledger: readonly KeptBooking[];
  /** Ids by what they are called in the plays. */
  readonly ids: Readonly<Record<string, string>>;
}

interface KnownAccount {
  readonly account_id: string;
  readonly keys: { readonly read: string; readonly read_write: string };
}

interface KnownPerson {
  readonly account: AccountName;
  readonly user_id: string;
  readonly client_id: string;
  readonly refresh_token: string;
}

interface KnownPlan {
  readonly person: string;
  readonly tool: string;
  readonly plan_id: string;
}

export interface KnownRequest {
  readonly account: AccountName;
  readonly call: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer as it is compared: what differs from run to run is masked (normal.ts). */
export interface Answer {
  readonly step: string;
  readonly status: number;
  readonly body: Json;
}

/** By play, in the order of its steps. */
type Answers = Readonly<Record<string, readonly Answer[]>>;

const fileOf = (name: string) => fileURLToPath(new URL(`before/${name}`, import.meta.url));

export const BACKUP = fileOf("books.backup");
const KNOWN = fileOf("known.json");
export const ANSWERS = fileOf("answers.json.br");

export function readBefore(): Before {
  return JSON.parse(readFileSync(KNOWN, "utf8"));
}

export function readAnswers(): Answers {
  return JSON.parse(brotliDecompressSync(readFileSync(ANSWERS)).toString());
}
