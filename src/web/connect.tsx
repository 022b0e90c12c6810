/** How to connect an assistant, ready to copy. */

/** `url` is the address of the MCP endpoint. */
export function Connect({ url }: { url: string }) {
  return (
    <>
      <h2>Connect an assistant</h2>
      <p>
        Give your assistant this address. It sends you here to sign in and to decide what it may do.
      </p>
      <pre class="secret" id="mcp-url">
        {url}
      </pre>
      <p>In assistants with connectors: add a custom connector with the address.</p>
      <p>
        VS Code, in <code>.vscode/mcp.json</code>:
      </p>
      <pre>{jsonOf({ servers: { matchbook: { type: "http", url } } })}</pre>
      <p>
        Cursor, in <code>.cursor/mcp.json</code>, and most other programs:
      </p>
      <pre>{jsonOf({ mcpServers: { matchbook: { url } } })}</pre>
    </>
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
