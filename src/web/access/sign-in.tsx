/** The pages of signing in and out, and of choosing an account (spec 12.6). */

import { Problem } from "../../domain/base/problem.ts";
import {
  checkPassword,
  enterAccount,
  signOut,
  startSession,
} from "../../features/access/sign-in/sign-in.ts";
import { findStudioOf } from "../../features/overview/studio/find-studio.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { ownPath } from "../../platform/http/form.ts";
import { personsOfLogin } from "../../platform/security/person.ts";
import { newToken } from "../../platform/security/sessions/token.ts";
import { Fault, Field, Form, Password, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { nextOf } from "./next.ts";

/** Returns the sign-in form, or the choice of an account for a visitor who is signed in. Both lead on to `next`. */
export function signInFirst(request: PageRequest, next: string): PageAnswer {
  if (request.session.login) {
    return { redirect: `/choose-account?next=${encodeURIComponent(next)}` };
  }
  return signInPage(request, next, {});
}

function signInPage(
  request: PageRequest,
  next: string,
  state: {
    readonly email?: string | undefined;
    readonly fault?: string;
    readonly status?: number;
  },
): PageAnswer {
  const { sign_in: words } = request.reader.words;
  return {
    title: words.title,
    status: state.status ?? 200,
    content: (
      <>
        <Fault text={state.fault} />
        <Form action="/sign-in" csrf={request.csrf("/sign-in")}>
          <input type="hidden" name="next" value={next} />
          <Field
            label={words.email}
            name="email"
            type="email"
            autocomplete="username"
            {...(state.email === undefined ? {} : { value: state.email })}
          />
          <Password label={words.password} name="password" />
          <Submit text={words.title} />
        </Form>
        <p>
          <a href="/forgot-password">{words.forgot}</a>
        </p>
      </>
    ),
  };
}

export const signInPages: readonly WebPage[] = [
  definePage("GET /sign-in", "stranger", async (request) => {
    const next = nextOf(request);
    if (request.session.caller) return { redirect: next };
    return signInPage(request, next, { email: request.query.email });
  }),
  definePage("POST /sign-in", "stranger", async (request) => {
    const { services, session, form } = request;
    const next = nextOf(request);
    const { email = "", password = "" } = form;
    const login = await checkPassword(services, email, password, request);
    if (login === null) {
      const fault = request.reader.words.sign_in.wrong;
      return signInPage(request, next, { email, fault, status: 401 });
    }
    const cookie = await runAtEntryPoint(startSession, services, {
      login,
      session_token: session.token,
      visitor: request,
    });
    return cookie === undefined ? { redirect: "/sign-in" } : { redirect: next, cookie };
  }),
  definePage("POST /sign-out", "stranger", async (request) => {
    await runAtEntryPoint(signOut, request.services, request.session.token);
    const next = ownPath(request.form.next, request.services.config.base_url) ?? "/sign-in";
    return { redirect: next, cookie: newToken() };
  }),
  definePage("GET /choose-account", "stranger", async (request) => {
    const { login } = request.session;
    const next = nextOf(request);
    if (login === null) return signInPage(request, next, {});
    const persons = await personsOfLogin(request.services.gate, login.id);
    return {
      title: request.reader.words.sign_in.choose,
      content: chooser(
        request,
        login.email,
        persons,
        next,
        await findStudioOf(request.services.gate, login.id),
      ),
    };
  }),
  definePage("POST /choose-account", "stranger", async (request) => {
    const { services, session, form } = request;
    const next = nextOf(request);
    const { login } = session;
    if (login === null) return signInPage(request, next, {});
    const persons = await personsOfLogin(services.gate, login.id);
    const chosen = persons.find((person) => person.account_id === form.account);
    if (chosen === undefined) throw new Problem("NOT_FOUND");
    const entry = { login, person: chosen, session_token: session.token };
    const cookie = await runAtEntryPoint(enterAccount, services, entry);
    return cookie === undefined ? signInPage(request, next, {}) : { redirect: next, cookie };
  }),
];

function chooser(
  request: PageRequest,
  email: string,
  persons: readonly { readonly account_id: string; readonly account_name: string }[],
  next: string,
  studio: { readonly account_id: string } | undefined,
) {
  const { sign_in: words, welcome } = request.reader.words;
  const here = request.session.caller?.account_id;
  return (
    <>
      <p>
        {words.signed_in_as} <strong>{email}</strong>.
      </p>
      {persons.length === 0 && <p>{words.no_account}</p>}
      {persons.length > 0 && (
        <Form action="/choose-account" csrf={request.csrf("/choose-account")}>
          <input type="hidden" name="next" value={next} />
          {persons.map(({ account_id, account_name }) => (
            <p>
              <button type="submit" class="button" name="account" value={account_id}>
                {account_id === studio?.account_id
                  ? welcome.example_named(account_name)
                  : account_name}
              </button>{" "}
              {account_id === here && <span class="soft">{welcome.here}</span>}
            </p>
          ))}
        </Form>
      )}
      <Form action="/sign-out" csrf={request.csrf("/sign-out")}>
        <input type="hidden" name="next" value={`/sign-in?next=${encodeURIComponent(next)}`} />
        <button type="submit" class="as-link">
          {words.other_address}
        </button>
      </Form>
    </>
  );
}
