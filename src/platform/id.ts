/** Ids are UUIDv7: they sort by the time of their making, which is the order of every list. */
import { AsyncLocalStorage } from "node:async_hooks";
import { v5, v7 } from "uuid";

const made = new AsyncLocalStorage<Set<string>>();

export function newId<Id extends string>(): Id {
  const id = v7();
  made.getStore()?.add(id);
  return id as Id;
}

/** Does some work, and tells the ids that were made for it. */
export async function notingNewIds<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ids: ReadonlySet<string> }> {
  const ids = new Set<string>();
  return { result: await made.run(ids, work), ids };
}

/** An id that follows from another id and a name (UUIDv5): computed again it is the same. */
export function derivedId<Id extends string>(from: string, name: string): Id {
  return v5(name, from) as Id;
}
