/** Scopes are layered: each scope includes the lower scopes (spec 8.2). */
import {
  type Access,
  fullAccess,
  type McpScope,
  mcpScopes,
} from "../../../platform/commands/context.ts";

/** The scope with all lower ones. */
export function layersOf(scope: McpScope): readonly McpScope[] {
  return mcpScopes.slice(0, mcpScopes.indexOf(scope) + 1);
}

/** The highest of some scopes with all lower ones; empty when none of the texts is a scope. */
function layeredScopes(texts: Iterable<string>): readonly McpScope[] {
  const named = new Set(texts);
  const highest = mcpScopes.findLast((scope) => named.has(scope));
  return highest === undefined ? [] : layersOf(highest);
}

/** The scopes of a space-separated list; `mcp:read` for an empty list, undefined for one without any known scope. */
export function scopesFromText(text: string | undefined): readonly McpScope[] | undefined {
  const words = (text ?? "").split(" ").filter((word) => word !== "");
  if (words.length === 0) return ["mcp:read"];
  const scopes = layeredScopes(words);
  return scopes.length === 0 ? undefined : scopes;
}

/** Returns the scopes of a registration: the known ones, or all if none is. Each authorization requests its own. */
export function knownScopes(text: string | undefined): readonly McpScope[] {
  const words = new Set((text ?? "").split(" "));
  const known = mcpScopes.filter((scope) => words.has(scope));
  return known.length === 0 ? mcpScopes : known;
}

/** The access of a caller with these scopes. */
export function accessOf(scopes: ReadonlySet<McpScope>): ReadonlySet<Access> {
  if (scopes.has("mcp:issue")) return fullAccess;
  return scopes.has("mcp:write") ? new Set<Access>(["read", "write"]) : new Set<Access>(["read"]);
}
