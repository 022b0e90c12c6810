/**
 * Commands that create a resource under the caller's external id. A repetition of the same request returns the resource that the
 * first request created; a request with other content is refused (spec 11.2).
 */

import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { getStored } from "../database/resources.ts";
import { raw, sql } from "../database/sql.ts";
import { contentHash, type JsonText } from "../runtime/json.ts";
import { type Command, defineCommand } from "./command.ts";
import type { Context } from "./context.ts";
import type { ManyCommand, SavedOutcome } from "./save-many.ts";
import type { Tx } from "./tx.ts";

/** The result of a POST: the stored resource, and whether this call created it. */
export interface Saved {
  readonly created: boolean;
  readonly document: JsonText;
}

type CreatedTable =
  | "products"
  | "invoices"
  | "recurring_series"
  | "users"
  | "work_registrations"
  | "bank_accounts"
  | "payments"
  | "allocations"
  | "open_items"
  | "webhook_endpoints"
  | "opening_contracts";

interface CreationSpec<
  Input extends { readonly external_id?: string | null | undefined },
  Plan,
  Committed extends Saved,
  Result,
> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly table: CreatedTable;
  /** Returns the content that a repetition must share with the first request; by default everything that was sent. */
  contentOf?(sent: Input): unknown;
  /** Takes the locks that come before the turn of the external id. */
  lock?(tx: Tx, sent: Input): Promise<void>;
  /** Whether the plan neither locks nor writes: then it travels with the look-up of the external id. */
  readonly only_reads?: true;
  plan(tx: Tx, sent: Input, request_hash: Buffer): Promise<Plan>;
  commit(tx: Tx, plan: Plan): Promise<Committed> | Committed;
  /** Returns the result of a repetition, by the id of the created resource. */
  repeated(tx: Tx, id: string): Promise<Committed>;
  after?(cx: Context, committed: Committed): Promise<Result>;
}

/** A repetition, with the id of the resource that the first request created. */
interface Repeat {
  readonly repeat: string;
}

/** Defines a command that creates a resource. It throws EXTERNAL_ID_CONFLICT if other content has the external id. */
export function defineCreation<
  Input extends { readonly external_id?: string | null | undefined },
  Plan extends object,
  Committed extends Saved,
  Result = Committed,
>({
  name,
  input,
  table,
  contentOf,
  ...spec
}: CreationSpec<Input, Plan, Committed, Result>): Command<Input, Plan | Repeat, Committed, Result> {
  return defineCommand({
    name,
    access: "write",
    input,
    async plan(tx: Tx, sent: Input): Promise<Plan | Repeat> {
      const request_hash = contentHash(contentOf?.(sent) ?? sent);
      await spec.lock?.(tx, sent);
      const finding = findRepeat(tx, table, sent.external_id ?? null, request_hash);
      if (spec.only_reads) {
        const planning = spec.plan(tx, sent, request_hash);
        const [found] = await Promise.allSettled([finding, planning]);
        if (found.status === "rejected") throw found.reason;
        return found.value === undefined ? planning : { repeat: found.value };
      }
      const repeat = await finding;
      return repeat === undefined ? spec.plan(tx, sent, request_hash) : { repeat };
    },
    commit: (tx: Tx, plan) =>
      "repeat" in plan ? spec.repeated(tx, plan.repeat) : spec.commit(tx, plan),
    ...(spec.after && { after: spec.after }),
  });
}

/** A row that no earlier request has created, with the hash that a repetition is compared with. */
interface NewRow<Input> {
  readonly sent: Input;
  readonly request_hash: Buffer;
}

interface ManyCreationsSpec<Input> {
  readonly name: string;
  readonly table: CreatedTable;
  /** As for the command that creates one. */
  contentOf?(sent: Input): unknown;
  /** Creates the rows, and returns their ids or refusals in their order. */
  create(tx: Tx, rows: readonly NewRow<Input>[]): Promise<readonly (string | Problem)[]>;
}

/** Defines a command that creates many resources. Repetitions and conflicts are those of the command that creates one. */
export function defineCreations<Input extends { readonly external_id: string }>({
  name,
  table,
  contentOf,
  create,
}: ManyCreationsSpec<Input>): ManyCommand<Input> {
  return {
    name,
    async save(tx, rows) {
      const found = await findRepeats(tx, table, rows);
      const hashed = rows.map((sent) => ({
        sent,
        request_hash: contentHash(contentOf?.(sent) ?? sent),
      }));
      const fresh = hashed.filter(({ sent }) => !found.has(sent.external_id));
      const made = fresh.length === 0 ? [] : [...(await create(tx, fresh))];
      return hashed.map(({ sent, request_hash }): SavedOutcome => {
        const before = found.get(sent.external_id);
        if (before === undefined) {
          const id = made.shift();
          if (id === undefined) throw new Error(`${name} has not answered a row`);
          return typeof id === "string" ? { outcome: "created", id } : id;
        }
        if (before.request_hash?.equals(request_hash))
          return { outcome: "unchanged", id: before.id };
        return new Problem("EXTERNAL_ID_CONFLICT");
      });
    },
  };
}

interface Found {
  readonly id: string;
  readonly request_hash: Buffer | null;
}

/** Returns what earlier requests with the external ids created, by these. */
async function findRepeats(
  tx: Tx,
  table: CreatedTable,
  rows: readonly { readonly external_id: string }[],
): Promise<ReadonlyMap<string | null, Found>> {
  const { account_id } = tx.caller;
  const external_ids = rows.map(({ external_id }) => external_id);
  // In one order, and each as for a single request.
  tx.lock(
    sql`select pg_advisory_xact_lock(k.key) from (
      select hashtextextended(${`${table} `} || ${account_id}::text || e.external_id, 2) as key
      from unnest(${external_ids}::text[]) as e (external_id) order by key) k`,
  );
  const found = await tx.rows<Found & { readonly external_id: string | null }>(
    sql`select id, external_id, request_hash from ${raw(table)}
      where account_id = ${account_id} and external_id = any(${external_ids})`,
  );
  return new Map(found.map((one) => [one.external_id, one]));
}

/** Returns the id of the resource that an earlier request with the external id created. */
async function findRepeat(
  tx: Tx,
  table: CreatedTable,
  external_id: string | null,
  request_hash: Buffer,
): Promise<string | undefined> {
  if (external_id === null) return undefined;
  const { account_id } = tx.caller;
  // Requests with one external id run one after the other. In parallel, they would first violate other unique constraints.
  tx.lock(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${table} `} || ${account_id}::text || ${external_id}::text, 2))`,
  );
  const found = await tx.row<{ id: string; request_hash: Buffer | null }>(
    sql`select id, request_hash from ${raw(table)}
      where account_id = ${account_id} and external_id = ${external_id}`,
  );
  if (found === undefined) return undefined;
  if (!found.request_hash?.equals(request_hash)) throw new Problem("EXTERNAL_ID_CONFLICT");
  return found.id;
}

/** Returns the result of a repetition for a resource that is returned as it is stored. */
export async function storedAgain(
  tx: Tx,
  table: Exclude<
    CreatedTable,
    "work_registrations" | "allocations" | "open_items" | "webhook_endpoints"
  >,
  id: string,
): Promise<Saved> {
  return { created: false, document: (await getStored(tx, table, id)).document };
}
