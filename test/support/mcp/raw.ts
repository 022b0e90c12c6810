/** A request of the MCP endpoint with headers that fetch would not send. */
import { request } from "node:http";
import { MCP_PATH } from "../../../src/assistant/protocol/endpoint.ts";
import type { Json, World } from "../world/world.ts";
import { MCP_HEADERS } from "./mcp.ts";

export function rawRequest(
  world: World,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<{ readonly status: number; readonly body: Json }> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers: { ...MCP_HEADERS, ...headers } };
    const sent = request(`${world.origin}${MCP_PATH}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}
