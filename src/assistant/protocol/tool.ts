/**
 * A tool is a value: what it is called, who sees it, what it takes and answers. It calls the same command
 * or query as REST does; what it adds is words for the assistant and the person behind it.
 */
import type * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import type { McpScope, PersonContext } from "../../platform/context.ts";
import type { Heavy } from "../../platform/http/asked.ts";
import type { JsonText } from "../../platform/json.ts";

export interface ToolResult {
  /** For the model and the person: first the view line of a scoped tool, then a plain text. */
  readonly text: string;
  /** The same as data, of the form of `output`; as text where what is stored is passed on. */
  readonly structured: Readonly<Record<string, unknown>> | JsonText;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  /** Says when to use it. */
  readonly description: string;
  /** A token without it never sees the tool. */
  readonly scope: McpScope;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /** Depends on the role: a standard user is not offered what only admins may. */
  input(role: Role): z.ZodObject;
  readonly output: z.ZodObject;
  /** Of work that may take long for one account: it is done in another thread. */
  readonly heavy?: Heavy;
  call(cx: PersonContext, input: Input): Promise<ToolResult>;
}

/** Only infers the types. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
