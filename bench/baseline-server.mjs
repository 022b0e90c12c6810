// The upper limit of reads: a bare node:http server that sends the same bytes from one prepared query.
import { createServer } from "node:http";
import pg from "pg";

const [url, account_id] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });
const text = `select document from invoices where account_id = $1 order by id desc limit 26`;
const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: "page", text, values: [account_id] });
  const data = rows.slice(0, 25).map((row) => row.document);
  const body = `{"object":"list","data":[${data.join(",")}],"has_more":true,"next_cursor":"x"}`;
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`port ${server.address().port}\n`));
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  pool.end();
});
