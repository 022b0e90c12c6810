/** The callers that may make a series active: a person in a browser, and an assistant with the scope to issue. */
import { expect, it } from "vitest";
import { personContext } from "../../../../test/support/mcp/tools.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { McpScope, PersonContext } from "../../../platform/commands/context.ts";
import { requireMayActivate } from "./require-issuing.ts";

const world = useWorld();

async function through(scopes: readonly McpScope[] | null): Promise<PersonContext> {
  const cx = await personContext(world, world.account.admin.user_id);
  const { person } = cx.caller;
  const grant = scopes === null ? null : { id: "grant", scopes: new Set(scopes) };
  return { ...cx, caller: { ...cx.caller, person: { ...person, grant } } };
}

it("a caller is a person in a browser, or one whose assistant may issue", async () => {
  const browser = await through(null);
  const issuing = await through(["mcp:read", "mcp:write", "mcp:issue"]);
  const writing = await through(["mcp:read", "mcp:write"]);
  for (const cx of [browser, issuing]) expect(() => requireMayActivate(cx, true)).not.toThrow();
  expect(() => requireMayActivate(writing, true)).toThrow("may not issue invoices");
  expect(() => requireMayActivate(writing, false)).not.toThrow();
});
