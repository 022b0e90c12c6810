/** Finds the names of the resources to which a plan refers by id: the person who confirms the plan knows no ids. */

import type { PersonReader } from "../../platform/commands/context.ts";
import { namesById } from "../../platform/database/resources.ts";
import type { PlanNames, PlannedChange } from "./plan-words.ts";

const TABLES = { customer_id: "customers", product_id: "products", user_id: "users" } as const;
type Field = keyof typeof TABLES;

/** Returns the names of the customers, products and users that changes refer to, by id. */
export async function namesOfChanges(
  cx: PersonReader,
  changes: readonly PlannedChange[],
): Promise<PlanNames> {
  const ids: Record<Field, Set<string>> = {
    customer_id: new Set(),
    product_id: new Set(),
    user_id: new Set(),
  };
  for (const { field, before, after } of changes) {
    const name = field.slice(field.lastIndexOf(".") + 1);
    for (const value of [before, after]) collect(name, value, ids);
  }
  const found = await Promise.all(
    (Object.keys(TABLES) as Field[]).map((field) => namesById(cx, TABLES[field], [...ids[field]])),
  );
  return new Map(found.flatMap((names) => [...names]));
}

function collect(name: string, value: unknown, ids: Record<Field, Set<string>>): void {
  if (Array.isArray(value)) for (const one of value) collect(name, one, ids);
  else if (typeof value === "object" && value !== null) {
    for (const [key, entry] of Object.entries(value)) collect(key, entry, ids);
  } else if (typeof value === "string" && name in ids) ids[name as Field].add(value);
}
