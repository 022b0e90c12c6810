/**
 * The consent page: a person reads which program asks for which scopes, and allows them, allows fewer, or denies the request. GET
 * shows the page, POST on the same address decides; the POST validates the whole request again.
 */

import type { VNode } from "preact";
import {
  AUTHORIZE_PATH,
  type AuthorizationRequest,
  checkRequest,
  redirectTo,
  storeConsent,
} from "../../features/access/oauth/authorize.ts";
import { type McpScope, mcpScopes } from "../../platform/commands/context.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { Words } from "../words/en.ts";
import { signInFirst } from "./sign-in.tsx";

export const consentPages: readonly WebPage[] = [
  definePage(`GET ${AUTHORIZE_PATH}`, "stranger", (asked) => answer(asked)),
  definePage(`POST ${AUTHORIZE_PATH}`, "stranger", (asked) => answer(asked, decide)),
];

type Next = (asked: PageRequest, request: AuthorizationRequest) => Promise<PageAnswer>;

async function answer(asked: PageRequest, next: Next = show): Promise<PageAnswer> {
  const { services, query, session, url } = asked;
  const checked = await checkRequest(services.gate, services.config, query);
  const { consent: words } = asked.reader.words;
  if (checked.kind === "stranger")
    return refused(asked, <p>{words.unknown_clients[checked.fault]}</p>);
  const is_signed_in = session.caller?.person != null;
  if (checked.kind === "faulty") {
    return is_signed_in
      ? { redirect: checked.redirect }
      : refused(asked, <Faulty words={words} {...checked} />);
  }
  if (!is_signed_in) return signInFirst(asked, url);
  return next(asked, checked.request);
}

function refused({ reader }: PageRequest, content: VNode): PageAnswer {
  return { title: reader.words.consent.refused, status: 400, content };
}

/** Shows a faulty request to an anonymous visitor: a link to this page must not redirect them to another site. */
function Faulty(props: {
  words: Words["consent"];
  redirect_uri: string;
  error: string;
  description: string;
}) {
  const { words, redirect_uri, error, description } = props;
  const place = <strong>{placeOf(redirect_uri)}</strong>;
  return (
    <>
      <p>{words.faulty(place, { error: <code>{error}</code>, description })}</p>
      <p>{words.nothing_sent}</p>
    </>
  );
}

async function show(asked: PageRequest, request: AuthorizationRequest): Promise<PageAnswer> {
  const { url, session, reader } = asked;
  const { consent: words } = reader.words;
  const caller = session.caller;
  const { client, redirect_uri, scopes } = request;
  const person = `${caller?.person?.name}, ${caller?.person?.email}`;
  const content = (
    <>
      <p>{words.asks(<strong>{client.name}</strong>)}</p>
      <dl class="facts">
        <dt>{words.you}</dt>
        <dd>{words.you_are(person, <strong>{caller?.account_name}</strong>)}</dd>
        <dt>{words.continues_to}</dt>
        <dd>
          <strong>{placeOf(redirect_uri)}</strong>
        </dd>
      </dl>
      {new URL(redirect_uri).protocol !== "https:" && (
        <p class="warning">{words.on_this_computer}</p>
      )}
      <Form action={url} csrf={asked.csrf(url)}>
        <h2>{words.may}</h2>
        <ScopeChoices scopes={scopes} words={words} />
        <p class="quiet">{words.take_away}</p>
        <p class="buttons">
          <button type="submit" class="button main" name="decision" value="allow">
            {words.allow}
          </button>
          <button type="submit" name="decision" value="deny" class="button">
            {words.deny}
          </button>
        </p>
      </Form>
      <p>
        {words.not_you}{" "}
        <a href={`/choose-account?next=${encodeURIComponent(url)}`}>{words.change}</a>
      </p>
    </>
  );
  return { title: words.title, content, leads_away: true };
}

/** Shows one checkbox for each requested scope. Every grant includes reading, so its checkbox is disabled. */
function ScopeChoices(props: { scopes: AuthorizationRequest["scopes"]; words: Words["consent"] }) {
  const { scopes, words } = props;
  return (
    <>
      {scopes.map((scope) => (
        <label class="choice">
          <input type="checkbox" name={scope} value="on" checked disabled={scope === "mcp:read"} />
          <span>
            {words.scopes[scope]} <code>{scope}</code>
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
  const code = await runAtEntryPoint(storeConsent, services, {
    ...request,
    scopes: allowed,
    ...owner,
  });
  if (code === undefined) return signInFirst(asked, asked.url);
  return { redirect: redirectTo(request.redirect_uri, { code, ...back }) };
}

/** Returns the requested scopes from the lowest up to the first that is unticked; `mcp:read` is always included. */
function allowedScopes(asked: readonly McpScope[], form: PageRequest["form"]): readonly McpScope[] {
  const first_refused = mcpScopes.findIndex(
    (scope) => scope !== "mcp:read" && (!asked.includes(scope) || form[scope] !== "on"),
  );
  return first_refused < 0 ? mcpScopes : mcpScopes.slice(0, first_refused);
}

/** Returns the readable destination of the redirect: the host, with the scheme if it is a program's own. */
function placeOf(redirect_uri: string): string {
  const url = new URL(redirect_uri);
  if (url.protocol === "http:" || url.protocol === "https:") return url.host;
  return `${url.protocol}//${url.host}`;
}
