/** Ids are UUIDv7: they sort by the time of their making, which is the order of every list. */
import { v5, v7 } from "uuid";

export function newId<Id extends string>(): Id {
  return v7() as Id;
}

/** An id that follows from another id and a name (UUIDv5): computed again it is the same. */
export function derivedId<Id extends string>(from: string, name: string): Id {
  return v5(name, from) as Id;
}
