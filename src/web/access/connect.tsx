/** Shows how to connect an assistant, ready to copy. */
import { useReader } from "../frame/reader.ts";

/** `url` is the address of the MCP endpoint. */
export function Connect({ url }: { url: string }) {
  const { connect: words } = useReader().words;
  return (
    <>
      <h2>{words.title}</h2>
      <p>{words.address}</p>
      <pre class="secret" id="mcp-url">
        {url}
      </pre>
      <p>{words.connectors}</p>
      <p>{words.code(<code>.vscode/mcp.json</code>)}</p>
      <pre>{jsonOf({ servers: { matchbook: { type: "http", url } } })}</pre>
      <p>{words.cursor(<code>.cursor/mcp.json</code>)}</p>
      <pre>{jsonOf({ mcpServers: { matchbook: { url } } })}</pre>
    </>
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
