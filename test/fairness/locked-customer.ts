/** A customer who is locked for as long as a test wants: changes of the customer and creations for the customer wait. */
import { setTimeout as delay } from "node:timers/promises";
import type { UsedWorld } from "../support/world/world.ts";

interface LockedCustomer {
  /** Resolves when a transaction waits for the lock. */
  waitedFor(): Promise<void>;
  /** Releases the lock; resolves when no transaction waits any more. */
  release(): Promise<void>;
}

export async function lockCustomer(world: UsedWorld, customer_id: string): Promise<LockedCustomer> {
  const holder = await world.owner.runner.connect();
  await holder.query("begin");
  await holder.query("select from customers where id = $1 for update", [customer_id]);
  const someWait = async (): Promise<boolean> => {
    const waiting = await world.sql(
      `select from pg_locks join pg_stat_activity using (pid)
       where not granted and datname = current_database()`,
    );
    return waiting.length > 0;
  };
  return {
    async waitedFor() {
      while (!(await someWait())) await delay(10);
    },
    async release() {
      await holder.query("rollback");
      holder.release();
      while (await someWait()) await delay(10);
    },
  };
}
