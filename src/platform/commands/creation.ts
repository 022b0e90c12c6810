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
  | "webhook_endpoints";

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
