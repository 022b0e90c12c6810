/**
 * A tool is a value: what it is called, who sees it, what it takes and answers. It calls the same command
 * or query as REST does; what it adds is words for the assistant and the person behind it.
 */
import type * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import type {
  McpScope,
  Personal,
  PersonContext,
  PersonReader,
} from "../../platform/commands/context.ts";
import type { FoundRow, OneRead } from "../../platform/database/stored-read.ts";
import type { Heavy } from "../../platform/http/asked.ts";
import type { JsonText } from "../../platform/runtime/json.ts";

export interface ToolResult {
  /** For the model and the person: first the view line of a scoped tool, then a plain text. */
  readonly text: string;
  /** The same as data, of the form of `output`; as text where what is stored is passed on. */
  readonly structured: Readonly<Record<string, unknown>> | JsonText;
}

/** What a call reads as one statement, and what it answers of the row. */
export interface ToolRead extends OneRead {
  answer(cx: PersonReader, found: FoundRow): Promise<ToolResult>;
}

/** What an assistant may send back inside of arguments as it read it, by argument: the schemas of the answers. */
export type TakesBack = Readonly<Record<string, readonly z.ZodType[]>>;

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
  readonly takes_back?: TakesBack;
  readonly output: z.ZodObject;
  /** Of work that may take long for one account: it is done in another thread. */
  readonly heavy?: Heavy;
  /**
   * The one statement of what `call` answers, which may then travel with the look-up of the person; undefined where this
   * input takes more. It only looks at the person and the input, whose references are ids.
   */
  stored?(person: Personal, input: Input): ToolRead | undefined;
  call(cx: PersonContext, input: Input): Promise<ToolResult>;
}

/** Only infers the types. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
