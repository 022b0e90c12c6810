/** A tool as a value. It calls the same command or query as REST and adds words for the assistant and its user. */
import type * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import type {
  McpScope,
  Personal,
  PersonContext,
  PersonReader,
} from "../../platform/commands/context.ts";
import type { StoredRead } from "../../platform/database/stored-read.ts";
import type { Heavy } from "../../platform/http/asked.ts";
import type { JsonText } from "../../platform/runtime/json.ts";

export interface ToolResult {
  /** A plain text for the model and the person. For a tool with views, it begins with the line that names the view. */
  readonly text: string;
  /** The same result as data, in the form of `output`. As text where stored text is passed on. */
  readonly structured: Readonly<Record<string, unknown>> | JsonText;
}

/** A read of the data of a call, which returns the result for a person. */
export type ToolRead = StoredRead<(cx: PersonReader) => Promise<ToolResult>>;

/** By argument, the schemas of results that an assistant may send back in the argument as it read them. */
export type TakesBack = Readonly<Record<string, readonly z.ZodType[]>>;

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  /** States when to use the tool. */
  readonly description: string;
  /** A token without this scope never sees the tool. */
  readonly scope: McpScope;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /** Returns the input schema for a role: a standard user does not get arguments that only admins may use. */
  input(role: Role): z.ZodObject;
  readonly takes_back?: TakesBack;
  readonly output: z.ZodObject;
  /** Whether the instructions describe the output, which the catalogue then leaves out: the same for every `plan_*` tool. */
  readonly has_known_output?: boolean;
  /** Set for work that may take long for one account: another thread does it. */
  readonly heavy?: Heavy;
  /** The read that `call` uses, for a tool that `defineReadTool` defines; it may be combined with the lookup of the person. */
  read?(person: Personal, input: Input): ToolRead;
  call(cx: PersonContext, input: Input): Promise<ToolResult>;
}

/** Returns the given tool; the function only lets TypeScript infer the types. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** Defines a tool that reads stored resources. Its read depends only on the person and the input, whose references are ids. */
export function defineReadTool<Input>(
  tool: Omit<Tool<Input>, "call"> & Required<Pick<Tool<Input>, "read">>,
): Tool {
  return defineTool<Input>({
    ...tool,
    async call(cx, input) {
      const answerTo = await tool.read(cx, input).answer(cx);
      return answerTo(cx);
    },
  });
}
