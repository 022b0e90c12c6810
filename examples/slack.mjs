// Tells a channel of Slack or Mattermost what happens: `node slack.mjs https://hooks.slack.com/services/…`, once.
// Matchbook then sends sentences itself ("Invoice 1068 to Acme ApS: 13.593,75 kr."). Run it again to change types or address.
// Every API key of the account can read the address. Where that matters, put a receiver of your own between.
import { ConflictError, Matchbook } from "@matchbook/client";

const EXTERNAL_ID = "slack";
const EVENT_TYPES = [
  "invoice.issued",
  "credit_note.issued",
  "payment.created",
  "occurrence.failed",
];

const [, , url = ""] = process.argv;
const matchbook = new Matchbook({
  baseUrl: process.env.MATCHBOOK_URL ?? "",
  apiKey: process.env.MATCHBOOK_KEY ?? "",
});

await connect({ url, event_types: EVENT_TYPES, format: "text" });
const { attempts } = await matchbook.webhookEndpoints.test(`ext:${EXTERNAL_ID}`, {
  type: "invoice.issued",
});
const [{ status, error, response_body }] = attempts;
if (status !== null && status < 300) console.log("The channel has a test message.");
else {
  console.error(`The channel answered ${status ?? error}: ${response_body ?? ""}`);
  process.exitCode = 1;
}

/** Creates the endpoint, or changes the one that is there. */
async function connect(fields) {
  try {
    await matchbook.webhookEndpoints.create({ external_id: EXTERNAL_ID, ...fields });
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== "EXTERNAL_ID_CONFLICT") throw error;
    await matchbook.webhookEndpoints.update(`ext:${EXTERNAL_ID}`, fields);
  }
}
