/** Scopes are layered: each includes those beneath it (spec 8.2). */
import {
  type Access,
  fullAccess,
  type McpScope,
  mcpScopes,
} from "../../../platform/commands/context.ts";

/** The scope with those beneath it. */
export function layersOf(scope: McpScope): readonly McpScope[] {
  return mcpScopes.slice(0, mcpScopes.indexOf(scope) + 1);
}

/** The highest of some scopes with all beneath it; empty when none of the texts is a scope. */
function layeredScopes(texts: Iterable<string>): readonly McpScope[] {
  const named = new Set(texts);
  const highest = mcpScopes.findLast((scope) => named.has(scope));
  return highest === undefined ? [] : layersOf(highest);
}

/** The scopes of a space-separated list; undefined when it names something and nothing that is ours. */
export function scopesFromText(text: string | undefined): readonly McpScope[] | undefined {
  const words = (text ?? "").split(" ").filter((word) => word !== "");
  if (words.length === 0) return ["mcp:read"];
  const scopes = layeredScopes(words);
  return scopes.length === 0 ? undefined : scopes;
}

/**
 * What a registration is answered: the known scopes of those that it asks for, all of ours when it names none of them.
 * It binds nothing: what may be allowed is asked for at each authorization.
 */
export function knownScopes(text: string | undefined): readonly McpScope[] {
  const words = new Set((text ?? "").split(" "));
  const known = mcpScopes.filter((scope) => words.has(scope));
  return known.length === 0 ? mcpScopes : known;
}

/** What a caller with these scopes may do. */
export function accessOf(scopes: ReadonlySet<McpScope>): ReadonlySet<Access> {
  if (scopes.has("mcp:issue")) return fullAccess;
  return scopes.has("mcp:write") ? new Set<Access>(["read", "write"]) : new Set<Access>(["read"]);
}
