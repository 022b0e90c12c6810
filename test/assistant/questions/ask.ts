/** Asks a question as an assistant does: with the official client, over the endpoint, reading only the texts of the answers. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { MCP_PATH } from "../../../src/assistant/protocol/endpoint.ts";
import { agentOf } from "../../support/mcp/mcp.ts";
import type { Json, World } from "../../support/world/world.ts";

export interface Said {
  readonly tool: string;
  readonly args: Arguments;
  readonly is_refused: boolean;
  readonly text: string;
}

/** A call of an assistant. Its arguments may need ids from the texts of earlier answers. */
export type ToolCall = readonly [
  tool: string,
  args: Arguments | ((said: readonly Said[]) => Arguments),
];
type Arguments = Readonly<Record<string, unknown>>;

/** A person's conversations with their assistant. */
export interface Conversation {
  readonly instructions: string;
  /** Makes the calls one after another; returns what each answered. */
  ask(calls: readonly ToolCall[]): Promise<Said[]>;
  end(): Promise<void>;
}

/** Connects the assistant of a user of an account, with every scope. */
export async function openConversation(
  world: World,
  account_id: string,
  user_id: string,
): Promise<Conversation> {
  const { token } = await agentOf(world, { account_id, user_id });
  const client = new Client({ name: "questions", version: "1.0.0" });
  const url = new URL(`${world.origin}${MCP_PATH}`);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    instructions: client.getInstructions() ?? "",
    async ask(calls) {
      const said: Said[] = [];
      for (const [tool, wanted] of calls) {
        const args = typeof wanted === "function" ? wanted(said) : wanted;
        const { content, isError }: Json = await client.callTool({ name: tool, arguments: args });
        said.push({ tool, args, is_refused: isError ?? false, text: content[0].text });
      }
      return said;
    },
    end: () => client.close(),
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns the ids in the first row of a text that has all of the words, in their order. */
export function idsIn(said: Said | undefined, ...words: readonly string[]): string[] {
  const { text = "" } = said ?? {};
  const row = text.split("\n").find((line) => words.every((word) => line.includes(word)));
  if (row === undefined) throw new Error(`no row has ${words.join(", ")}:\n${text}`);
  return row.match(UUID) ?? [];
}
