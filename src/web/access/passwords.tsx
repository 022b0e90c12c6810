/** The pages on which a person chooses a password: by invitation, after forgetting it, or in the settings. */

import { faultOfPassword } from "../../features/access/people/password.ts";
import { acceptAs, acceptWithPassword, findInvited } from "../../features/access/sign-in/accept.ts";
import {
  findReset,
  resetPassword,
  setPassword,
} from "../../features/access/sign-in/change-password.ts";
import {
  checkPassword,
  enterAccount,
  findLogin,
  startSession,
} from "../../features/access/sign-in/sign-in.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { notice } from "../../platform/security/notice.ts";
import { findPerson } from "../../platform/security/person.ts";
import { hasFactor } from "../../platform/security/sessions/pending-sign-in.ts";
import { askedAgain } from "../frame/ask-again.tsx";
import { Fault, Form, Login, Password, Submit } from "../frame/form.tsx";
import { defineMoved } from "../frame/moved.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { HOME } from "../start/start.tsx";
import { forgotPages } from "./forgot-password.tsx";

/** The page on which a person changes their own password. */
const OWN = "/me/password";

export const passwordPages: readonly WebPage[] = [
  definePage("GET /invitation", "stranger", (asked) => invitation(asked)),
  definePage("POST /invitation", "stranger", acceptInvitation),
  ...forgotPages,
  definePage("GET /password-reset", "stranger", (asked) => reset(asked)),
  definePage("POST /password-reset", "stranger", async (request) => {
    const { services, query, form, address } = request;
    const fault = faultOfNew(request);
    if (fault !== undefined) return reset(request, fault);
    const given = { token: query.token ?? "", password: form.password ?? "", address };
    const changed = await runAtEntryPoint(resetPassword, services, given);
    return changed === undefined ? badReset(request) : { redirect: "/sign-in" };
  }),
  definePage("GET /me/password", "person", (request) => askedFirst(request, settings)),
  // A page cannot redirect to a form: the answer is posted here, and the form follows.
  definePage("POST /me/password/answer", "person", (request) =>
    askedFirst(request, () => ({ redirect: OWN })),
  ),
  defineMoved("/settings/password", "/me"),
  definePage("POST /me/password", "person", (request) => askedFirst(request, changeOwn)),
];

/** Returns the page that an invitation link opens: the form for a new password, the acceptance, or the sign-in before it. */
async function invitation(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, session, query, url } = request;
  const { passwords: words } = request.reader.words;
  const person = await findInvited(services.gate, query.token);
  if (person === undefined) return gone(request);
  const title = words.join_account(person.account_name);
  const login = await findLogin(services.gate, person.email);
  if (login === undefined) {
    const content = (
      <>
        <p>{words.choose_for(<strong>{person.email}</strong>)}</p>
        <NewPassword
          request={request}
          email={person.email}
          action={url}
          fault={fault}
          button={words.join}
        />
      </>
    );
    return { title, content, status: fault === undefined ? 200 : 422 };
  }
  if (session.login?.id === login.id) {
    const content = (
      <Form action={url} csrf={request.csrf(url)}>
        <p>{words.signed_in_as(<strong>{session.login.email}</strong>)}</p>
        <Submit text={words.join} />
      </Form>
    );
    return { title, content };
  }
  const content = (
    <>
      <p>{words.has_one(<strong>{person.email}</strong>)}</p>
      <Form action="/sign-out" csrf={request.csrf("/sign-out")}>
        <input
          type="hidden"
          name="next"
          value={`/sign-in?next=${encodeURIComponent(url)}&email=${encodeURIComponent(person.email)}`}
        />
        <Submit text={words.to_sign_in} />
      </Form>
    </>
  );
  return { title, content };
}

async function acceptInvitation(request: PageRequest): Promise<PageAnswer> {
  const { services, session, query, form } = request;
  const token = query.token ?? "";
  const person = await findInvited(services.gate, token);
  if (person === undefined) return gone(request);
  const login = await findLogin(services.gate, person.email);
  if (login !== undefined && session.login?.id !== login.id) return invitation(request);
  const fault = login === undefined ? faultOfNew(request) : undefined;
  if (fault !== undefined) return invitation(request, fault);
  if (login === undefined) {
    const { password = "" } = form;
    const made = await runAtEntryPoint(acceptWithPassword, services, { token, password });
    if (made === undefined) return gone(request);
    const entry = { ...made, session_token: session.token, visitor: request };
    return entered(await runAtEntryPoint(startSession, services, entry));
  }
  const joined = await runAtEntryPoint(acceptAs, services, { token, login });
  if (joined === undefined) return gone(request);
  const entry = { ...joined, session_token: session.token };
  return entered(await runAtEntryPoint(enterAccount, services, entry));
}

async function reset(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, query, url } = request;
  const { passwords: words } = request.reader.words;
  const found = await findReset(services.gate, query.token);
  if (found === undefined) return badReset(request);
  return {
    title: words.choose_new,
    status: fault === undefined ? 200 : 422,
    content: (
      <>
        <p>{words.reset_means(<strong>{found.email}</strong>)}</p>
        <NewPassword
          request={request}
          email={found.email}
          action={url}
          fault={fault}
          button={words.set}
        />
      </>
    ),
  };
}

function settings(request: PageRequest, fault?: string, status = 200): PageAnswer {
  const action = OWN;
  const { passwords: words } = request.reader.words;
  return {
    title: words.change_title,
    status,
    content: (
      <>
        <p>{words.change_means}</p>
        <NewPassword
          request={request}
          email={request.session.login?.email ?? ""}
          action={action}
          fault={fault}
          button={words.change}
        >
          <Password label={words.now} name="old_password" />
        </NewPassword>
      </>
    ),
  };
}

/** Asks a person with a second factor again before the password changes; the form itself asks for the password. */
async function askedFirst(
  request: PageRequest,
  next: (asked: PageRequest) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { services, session } = request;
  const has_factor = await hasFactor(services.gate, session.login?.id ?? "");
  if (!has_factor) return next(request);
  const outcome = await askedAgain({ ...request, cx: request.cx, url: `${OWN}/answer` }, false);
  return "ask" in outcome ? outcome.ask : next(request);
}

async function changeOwn(request: PageRequest): Promise<PageAnswer> {
  const { services, session, form, cx } = request;
  const { login } = session;
  if (login === null) return { redirect: "/sign-in" };
  const fault = faultOfNew(request);
  if (fault !== undefined) return settings(request, fault, 422);
  const known = await checkPassword(services, login.email, form.old_password ?? "", request);
  if (known === null) return settings(request, request.reader.words.passwords.wrong_now, 422);
  const { password = "" } = form;
  const changed = await runAtEntryPoint(setPassword, services, { login: known, password });
  if (changed === undefined) return { redirect: "/sign-in" };
  cx.log.info({ user_id: cx.caller.person.user_id }, "a password was changed");
  const { account_id, person } = cx.caller;
  const found = await findPerson(services.gate, account_id, person.user_id);
  if (found === undefined) return { redirect: "/sign-in" };
  const entry = {
    login: changed,
    session_token: session.token,
    person: found,
    visitor: request,
    has_answered: true,
  };
  return entered(await runAtEntryPoint(startSession, services, entry));
}

/** Redirects to the person's start page, or to the sign-in when the session or the password has ended in the meantime. */
function entered(cookie: string | undefined): PageAnswer {
  return cookie === undefined ? { redirect: "/sign-in" } : { redirect: HOME, cookie };
}

function NewPassword(props: {
  request: PageRequest;
  /** The e-mail address of the person who sets the password. */
  email: string;
  action: string;
  fault: string | undefined;
  button: string;
  children?: preact.ComponentChildren;
}) {
  const { request, action } = props;
  const { passwords: words } = request.reader.words;
  return (
    <>
      <Fault text={props.fault} />
      <Form action={action} csrf={request.csrf(action)}>
        <Login email={props.email} />
        {props.children}
        <Password label={words.next} name="password" is_new />
        <Password label={words.again} name="again" is_new />
        <Submit text={props.button} />
      </Form>
    </>
  );
}

function faultOfNew({ form, reader }: PageRequest): string | undefined {
  const { passwords: words } = reader.words;
  const { password = "", again = "" } = form;
  if (password !== again) return words.differ;
  const fault = faultOfPassword(password);
  return fault && words.faults[fault.code];
}

function badReset(request: PageRequest): PageAnswer {
  const { services, address } = request;
  notice(services, "reset_failed", { address, reason: "the link is not good" });
  return gone(request);
}

function gone({ reader }: PageRequest): PageAnswer {
  const { passwords: words } = reader.words;
  const link = (text: string) => <a href="/forgot-password">{text}</a>;
  const signIn = (text: string) => <a href="/sign-in">{text}</a>;
  const content = (
    <>
      <p>{words.link_dead_means}</p>
      <p>{words.link_next(link, signIn)}</p>
    </>
  );
  return { title: words.link_dead, status: 404, content };
}
