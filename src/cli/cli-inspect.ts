/** `matchbook inspect`: shows why a resource is in its state, and what happens next. The command changes nothing. */

import { operatorContext } from "../features/access/accounts/create.ts";
import { findSubjects } from "../features/overview/inspection/find-subjects.ts";
import {
  type Inspection,
  readInspection,
} from "../features/overview/inspection/read-inspection.ts";
import { readTogether } from "../platform/database/transaction.ts";
import { inBackground } from "../platform/runtime/services.ts";
import { withServices } from "./cli-database.ts";
import { accountId, answer, optionsOf, text, UsageError } from "./cli-options.ts";

/** Shows all resources that the reference may name, each with its account. */
export async function inspectCommand([ref, ...argv]: readonly string[]): Promise<number> {
  if (!ref || ref.startsWith("-")) {
    throw new UsageError(
      "The first argument is the resource to inspect: an id, ext:…, a number, a series/period or a month.",
    );
  }
  const options = optionsOf(argv, { account: { type: "string" }, json: { type: "boolean" } });
  const given = text(options, "account");
  const account = given === undefined ? null : accountId(given);
  return withServices("existing", async (services) => {
    const found = await readTogether(services.db, async (reads) => {
      const inspections: Inspection[] = [];
      for (const subject of await findSubjects(reads, ref, account)) {
        const cx = await operatorContext(inBackground(services), subject.account_id);
        inspections.push(await readInspection({ ...cx, ...reads }, subject));
      }
      return inspections;
    });
    if (found.length === 0) throw new Error(`There is no resource ${JSON.stringify(ref)}.`);
    answer(options, { found }, found.flatMap(linesOf));
  });
}

function linesOf(one: Inspection, index: number): string[] {
  const part = (title: string, rows: Inspection["events"]) =>
    rows.length === 0 ? [] : ["", title, ...rows.map((row) => `  ${shown(row).join(", ")}`)];
  return [
    ...(index === 0 ? [] : [""]),
    `${one.kind} ${one.id}, account ${one.account_id}`,
    ...shown(one.facts).map((line) => `  ${line}`),
    ...one.says,
    ...part("Open bookings", one.bookings),
    ...part("Deliveries", one.deliveries),
    ...part("Audit events", one.events),
  ];
}

/** Returns `name value` for each known fact. */
function shown(facts: Inspection["facts"]): string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name} ${value}`],
  );
}
