/**
 * Asks a person again who they are before a change of keys, connections, people, factors or the password, when their last answer
 * is more than ten minutes old. What they have typed is kept in the page that asks, and the form continues after the answer.
 */
import type { VNode } from "preact";
import { provesAgain } from "../../features/access/factors/check-answer.ts";
import { passkeyRequest } from "../../features/access/factors/check-passkey.ts";
import type { Fields } from "../../platform/http/form.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { hasFactor } from "../../platform/security/sessions/pending-sign-in.ts";
import type { Session } from "../../platform/security/sessions/session.ts";
import type { Visitor } from "../../platform/security/sessions/visitor.ts";
import { Fault, Field, Form, Login, Password, Submit } from "./form.tsx";
import { PasskeyField } from "./passkey-field.tsx";
import type { PageReader } from "./reader.ts";

/** What is needed of a page's request. */
interface Asked extends Visitor {
  readonly services: Services;
  readonly session: Session;
  readonly reader: PageReader;
  readonly form: Fields;
  readonly url: string;
  csrf(action: string): string;
}

/** The page that asks. */
interface AskPage {
  readonly title: string;
  readonly content: VNode;
  readonly status: number;
}

/** The fields of the answer, which the page's own form does not see. */
const CODE = "answer_code";
const PASSWORD = "answer_password";
const PASSKEY = "answer_passkey";

/**
 * Returns the request without the fields of an answer where the person has answered, now or within the last ten minutes; otherwise
 * the page that asks. A page whose form has passwords passes `keeps: false`, so that none is written into a page.
 */
export async function askedAgain<Request extends Asked>(
  request: Request,
  keeps = true,
): Promise<{ readonly go: Request } | { readonly ask: AskPage }> {
  const { session, services, form, reader } = request;
  const { login } = session;
  if (login === null) throw new Error("a person was asked again without a login");
  const { [CODE]: code, [PASSWORD]: password, [PASSKEY]: passkey, ...rest } = form;
  const go: Request = { ...request, form: rest };
  if (session.has_answered) return { go };
  if (code === undefined && password === undefined && passkey === undefined) {
    return { ask: await askPage(request, keeps ? rest : {}) };
  }
  const typed = { code: code ?? "", password: password ?? "", passkey: passkey ?? "" };
  const asked = { login, token: session.token };
  if (await provesAgain(services, asked, request, typed)) return { go };
  return { ask: await askPage(request, keeps ? rest : {}, reader.words.factors.wrong_answer) };
}

async function askPage(
  { session, services, url, csrf, reader }: Asked,
  kept: Fields,
  fault?: string,
): Promise<AskPage> {
  const { factors: words, sign_in } = reader.words;
  const { login } = session;
  const by_factor = login !== null && (await hasFactor(services.gate, login.id));
  const signs = login && (await passkeyRequest(services, login, session.token));
  const stays = Object.entries(kept).map(([name, value]) =>
    name === "csrf" ? null : <input type="hidden" name={name} value={value} />,
  );
  const content = (
    <div class="card confirm">
      <p>{by_factor ? words.again_code : words.again_password}</p>
      <Fault text={fault} />
      <Form action={url} csrf={csrf(url)}>
        {stays}
        {by_factor ? (
          <Field label={words.code} name={CODE} autocomplete="one-time-code" most={40} />
        ) : (
          <>
            <Login email={session.login?.email ?? ""} />
            <Password label={sign_in.password} name={PASSWORD} />
          </>
        )}
        <Submit text={words.continue} />
      </Form>
      {signs !== null && (
        <Form action={url} csrf={csrf(url)}>
          {stays}
          <PasskeyField name={PASSKEY} label={words.use_passkey} request={signs} />
        </Form>
      )}
    </div>
  );
  return { title: words.again_title, content, status: fault === undefined ? 403 : 422 };
}
