/** Ids are UUIDv7: they sort by the time of their making, which is the order of every list. */
import { v7 } from "uuid";

export function newId<Id extends string>(): Id {
  return v7() as Id;
}
