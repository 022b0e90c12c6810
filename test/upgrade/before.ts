/**
 * The stored data of an installation of an older version: its backup, what its clients knew, and its answers.
 * README.md in this folder describes its content.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Json } from "../support/world/world.ts";
import type { KeptBooking } from "./simulated-ledger.ts";

export type AccountName = "main" | "external" | "sandbox";

/** The knowledge of callers, assistants and the connected ledger of that installation. */
export interface Before {
  /** The moment of the backup, by the real clock; every later moment is of the restored installation. */
  readonly made_at: string;
  /** The address of the service in the tokens of its assistants. */
  readonly base_url: string;
  /** The time of the settable clock. */
  readonly now: string;
  readonly accounts: Readonly<Record<AccountName, KnownAccount>>;
  readonly people: Readonly<Record<string, KnownPerson>>;
  readonly plans: readonly KnownPlan[];
  readonly repeats: readonly KnownRequest[];
  /** Requests with a booking that the external ledger has not answered. */
  readonly doubts: readonly KnownRequest[];
  readonly ledger: readonly KeptBooking[];
  /** Ids by their names in the plays. */
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

/** A compared answer: values that differ from run to run are masked (normal.ts). */
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
