/**
 * Consent: a person reads who asks for what, in words, and allows it, allows less, or denies it. The same
 * address shows it (GET) and decides it (POST); everything is judged again when it decides.
 */

import type { VNode } from "preact";
import {
  AUTHORIZE_PATH,
  type AuthorizationRequest,
  judgeRequest,
  redirectTo,
  storeConsent,
} from "../features/oauth/authorize.ts";
import { scopeWords } from "../features/oauth/scopes.ts";
import { type McpScope, mcpScopes } from "../platform/context.ts";
import { runAtDoor } from "../platform/door-command.ts";
import { Form } from "./frame/form.tsx";
import { definePage, type Page, type PageAnswer, type PageRequest } from "./frame/page.tsx";
import { signInFirst } from "./sign-in.tsx";

export const consentPages: readonly Page[] = [
  definePage(`GET ${AUTHORIZE_PATH}`, "stranger", (asked) => answer(asked)),
  definePage(`POST ${AUTHORIZE_PATH}`, "stranger", (asked) => answer(asked, decide)),
];

type Next = (asked: PageRequest, request: AuthorizationRequest) => Promise<PageAnswer>;

async function answer(asked: PageRequest, next: Next = show): Promise<PageAnswer> {
  const { services, query, session, url } = asked;
  const judged = await judgeRequest(services.gate, services.config, query);
  if (judged.kind === "stranger") return refused(<p>{judged.message}</p>);
  const is_signed_in = session.caller?.person != null;
  if (judged.kind === "faulty") {
    return is_signed_in ? { redirect: judged.redirect } : refused(<Faulty {...judged} />);
  }
  if (!is_signed_in) return signInFirst(asked, url);
  return next(asked, judged.request);
}

function refused(content: VNode): PageAnswer {
  return { title: "This connection cannot be made", status: 400, content };
}

/** For somebody who has not signed in: a link to here must not lead anywhere but to us. */
function Faulty({ redirect_uri, description }: { redirect_uri: string; description: string }) {
  return (
    <>
      <p>
        A program that wants to work with Matchbook, and to go on to{" "}
        <strong>{placeOf(redirect_uri)}</strong>, has sent you here with a request that cannot be
        carried out: {description}.
      </p>
      <p>Nothing was sent there. If you were connecting it yourself, try again from the program.</p>
    </>
  );
}

async function show(asked: PageRequest, request: AuthorizationRequest): Promise<PageAnswer> {
  const { url, session } = asked;
  const caller = session.caller;
  const { client, redirect_uri, scopes } = request;
  const content = (
    <>
      <p>
        A program that calls itself <strong>{client.name}</strong> wants to work with Matchbook in
        your name. Nobody has checked that it is what it says. Allow it only if you have just asked
        it to connect.
      </p>
      <table>
        <tbody>
          <tr>
            <th>You</th>
            <td>
              {`${caller?.person?.name}, ${caller?.person?.email}`}, in the account{" "}
              <strong>{caller?.account_name}</strong>
            </td>
          </tr>
          <tr>
            <th>It goes on to</th>
            <td>
              <strong>{placeOf(redirect_uri)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
      {new URL(redirect_uri).protocol !== "https:" && (
        <p class="warning">
          The answer goes to a program on this computer. Any program that runs here could have
          asked: go on only if you started it yourself.
        </p>
      )}
      <Form action={url} csrf={asked.csrf(url)}>
        <h2>It may</h2>
        <ScopeChoices scopes={scopes} />
        <p class="quiet">
          Take away what you do not want to allow; each needs the one above it. You can end it at
          any time under My assistants; it ends by itself after 30 days.
        </p>
        <p class="buttons">
          <button type="submit" class="button main" name="decision" value="allow">
            Allow
          </button>
          <button type="submit" name="decision" value="deny" class="button">
            Deny
          </button>
        </p>
      </Form>
      <p>
        Not you, or another account?{" "}
        <a href={`/choose-account?next=${encodeURIComponent(url)}`}>Change who is signed in</a>
      </p>
    </>
  );
  return { title: "Allow this assistant?", content, leads_away: true };
}

/** One box for each scope asked for; reading is part of them all. */
function ScopeChoices({ scopes }: { scopes: AuthorizationRequest["scopes"] }) {
  return (
    <>
      {scopes.map((scope) => (
        <label class="choice">
          <input type="checkbox" name={scope} value="on" checked disabled={scope === "mcp:read"} />
          <span>
            {scopeWords[scope]} <code>{scope}</code>
          </span>
        </label>
      ))}
    </>
  );
}

async function decide(asked: PageRequest, request: AuthorizationRequest): Promise<PageAnswer> {
  const { services, session, form, cx } = asked;
  const { base_url } = services.config;
  const back = { state: request.state, iss: base_url };
  if (form.decision !== "allow") {
    const fault = { error: "access_denied", error_description: "the person denied it" };
    return { redirect: redirectTo(request.redirect_uri, { ...fault, ...back }) };
  }
  const { account_id, person } = cx.caller;
  const allowed = allowedScopes(request.scopes, form);
  const owner = { account_id, user_id: person.user_id, session_token: session.token };
  const code = await runAtDoor(storeConsent, services, { ...request, scopes: allowed, ...owner });
  if (code === undefined) return signInFirst(asked, asked.url);
  return { redirect: redirectTo(request.redirect_uri, { code, ...back }) };
}

/** What was asked for and left ticked, from the bottom up to the first that was not. */
function allowedScopes(asked: readonly McpScope[], form: PageRequest["form"]): readonly McpScope[] {
  const first_refused = mcpScopes.findIndex(
    (scope) => scope !== "mcp:read" && (!asked.includes(scope) || form[scope] !== "on"),
  );
  return first_refused < 0 ? mcpScopes : mcpScopes.slice(0, first_refused);
}

/** Where the answer goes, for people: the host, or the scheme of a program's own. */
function placeOf(redirect_uri: string): string {
  const url = new URL(redirect_uri);
  if (url.protocol === "http:" || url.protocol === "https:") return url.host;
  return `${url.protocol}//${url.host}`;
}
