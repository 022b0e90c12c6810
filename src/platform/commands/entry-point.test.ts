/** Door commands: the committed refusal, the actor of the audit event, and the reported name. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { Problem } from "../../domain/base/problem.ts";
import { sql } from "../database/sql.ts";
import { sha256 } from "../runtime/json.ts";
import { findPerson } from "../security/person.ts";
import { defineDoorCommand, runAtEntryPoint } from "./entry-point.ts";

const world = useWorld();

type Ending = "done" | "refused" | "thrown";

/** Uses up a subject, then ends in the given way. */
const useUp = defineDoorCommand({
  name: "use_up",
  before: async (_services, input: { subject: string; ending: Ending }) => ({
    ...input,
    key: sha256(input.subject),
  }),
  commit(tx, { key, ending }): "good" | "used before" {
    tx.write(
      sql`insert into rate_counters (key, count, ends_at) values (${key}, 1, clock_timestamp() + interval '1 hour')`,
    );
    if (ending === "thrown") throw new Problem("NOT_FOUND");
    return ending === "refused" ? "used before" : "good";
  },
  after: async (_services, committed) => `after: ${committed}`,
});

const isUsedUp = async (subject: string) =>
  (await world.sql("select 1 from rate_counters where key = $1", [sha256(subject)])).length === 1;

describe("a door command", () => {
  it.each([
    ["done", "after: good"],
    ["refused", "after: used before"],
  ] as const)("that is %s commits its changes", async (ending, answer) => {
    expect(await runAtEntryPoint(useUp, world.services, { subject: ending, ending })).toBe(answer);
    expect(await isUsedUp(ending)).toBe(true);
  });

  it("rolls back when it throws", async () => {
    const run = runAtEntryPoint(useUp, world.services, { subject: "thrown", ending: "thrown" });
    await expect(run).rejects.toThrow(new Problem("NOT_FOUND"));
    expect(await isUsedUp("thrown")).toBe(false);
  });

  it("reports its name and outcome in the metrics", async () => {
    const text = await world.services.metrics.text();
    const count = (outcome: string) =>
      `matchbook_command_seconds_count{command="use_up",outcome="${outcome}"}`;
    expect(text).toContain(`${count("done")} 2`);
    expect(text).toContain(`${count("refused")} 1`);
  });

  it("records the user as the actor, or the operator who acts for them", async () => {
    const { account_id, admin } = world.account;
    const greet = defineDoorCommand({
      name: "greet",
      async commit(tx, actor: { kind: "operator"; id: string } | undefined) {
        const person = await findPerson(tx, account_id, admin.user_id);
        if (person === undefined) return;
        tx.as(person, actor).audit("user", admin.user_id, "recovery_codes_made", {
          before: null,
          after: null,
        });
      },
    });
    await runAtEntryPoint(greet, world.services, undefined);
    await runAtEntryPoint(greet, world.services, { kind: "operator", id: "cli" });
    const events = await world.sql(
      "select actor_kind, actor_id from audit_events where action = 'recovery_codes_made' order by seq",
    );
    expect(events).toEqual([
      { actor_kind: "user", actor_id: admin.user_id },
      { actor_kind: "operator", actor_id: "cli" },
    ]);
  });
});
