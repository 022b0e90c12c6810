/** The catalogues of the tools. Only the serving thread opens them: other threads run tools that it has found there. */
import type { Role } from "../domain/base/user.ts";
import { mcpScopes } from "../platform/commands/context.ts";
import { tools } from "./catalogue.ts";
import { openCatalogues } from "./protocol/catalogue.ts";

/** Made once, because the schemas of all roles and scope levels take some milliseconds. */
export const catalogues = openCatalogues(tools);

/** Returns the tools for a role, by scope level and in full: docs/mcp-tools.<role>.json. */
export function catalogueDocument(role: Role): unknown {
  const namesAt = (level: number) =>
    catalogues.of(role, new Set(mcpScopes.slice(0, level))).listed.map(({ name }) => name);
  return {
    role,
    names: Object.fromEntries(mcpScopes.map((scope, index) => [scope, namesAt(index + 1)])),
    tools: catalogues.of(role, new Set(mcpScopes)).listed,
  };
}
