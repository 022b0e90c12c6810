// Connects an assistant to the account of a signed-in person: it registers, the person allows it on the consent page, and it
// exchanges the code. For pictures of pages that need a real connection.
import { createHash, randomBytes } from "node:crypto";

const CALLBACK = "http://127.0.0.1:8976/callback";
const SCOPES = "mcp:read mcp:write mcp:issue";

/**
 * `page` is a window of the person, `look` is called when it shows the consent page. Returns a function that calls a tool and
 * returns its structured answer; it throws for a refusal.
 */
export async function connectAssistant(origin, page, client_name, look = async () => {}) {
  const code_verifier = randomBytes(32).toString("base64url");
  const { client_id } = await posted(
    `${origin}/api/oauth/register`,
    "application/json",
    JSON.stringify({ client_name, redirect_uris: [CALLBACK] }),
  );
  const asked = new URLSearchParams({
    ...{ client_id, redirect_uri: CALLBACK, response_type: "code", scope: SCOPES },
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const isCallback = (url) => url.href.startsWith(CALLBACK);
  await page.route(isCallback, (route) => route.fulfill({ body: "", contentType: "text/html" }));
  await page.goto(`/api/oauth/authorize?${asked}`);
  await look();
  const answered = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await page.locator("button[value=allow]").click();
  const code = new URL((await answered).url()).searchParams.get("code");
  const { access_token } = await posted(
    `${origin}/api/oauth/token`,
    "application/x-www-form-urlencoded",
    new URLSearchParams({
      ...{ grant_type: "authorization_code", code, client_id },
      ...{ redirect_uri: CALLBACK, code_verifier },
    }).toString(),
  );
  return async (name, args) => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    const { result, error } = await posted(
      `${origin}/api/mcp`,
      "application/json",
      JSON.stringify(call),
      { authorization: `Bearer ${access_token}`, accept: "application/json, text/event-stream" },
    );
    if (result === undefined || result.isError) {
      throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
    }
    return result.structuredContent;
  };
}

async function posted(url, type, body, headers = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
