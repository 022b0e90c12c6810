// The upper limit of MCP: a hand-written JSON-RPC route on node:http with the same token check, the same catalogue as bytes
// and the same tool, without the framework, the protocol's server and the validation of arguments.
import { createServer } from "node:http";
import { load } from "./sources.mjs";

const [url, base_url] = process.argv.slice(2);
const { openDatabase } = await load("platform/database/database");
const { tokenAuthentication } = await load("features/access/oauth/authenticate");
const { contextFor } = await load("platform/runtime/services");
const { systemClock } = await load("platform/runtime/clock");
const { catalogues } = await load("assistant/open-catalogues");
const { resultText } = await load("assistant/protocol/tool-outcome");
const { mcpScopes } = await load("platform/commands/context");

const db = openDatabase(url, 10, () => {});
const log = { warn() {}, info() {}, error() {} };
const pools = { requests: db, background: db, gate: db };
const services = {
  db,
  gate: db,
  pools,
  log,
  clock: systemClock,
  ledgers: new Map(),
  metrics: { observeCommand() {} },
  config: { base_url },
};
const { authenticate } = tokenAuthentication(services);
const catalogue = catalogues.of("admin", new Set(mcpScopes));
const listed = JSON.stringify(catalogue.listed);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
  const caller = await authenticate(request.headers.authorization.slice("Bearer ".length));
  let result;
  if (method === "tools/list") result = `{"tools":${listed}}`;
  else {
    const { tool } = catalogue.offered.get(params.name);
    const cx = { ...contextFor(services, caller, log), caller };
    result = resultText(await tool.call(cx, params.arguments));
  }
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`port ${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
