/** The pages on which a password is chosen: by invitation, after it was forgotten, or in the settings. */

import { faultOfPassword } from "../features/people/password.ts";
import { acceptAs, acceptWithPassword, findInvited } from "../features/sign-in/accept.ts";
import { findReset, resetPassword, setPassword } from "../features/sign-in/change-password.ts";
import {
  checkPassword,
  enterAccount,
  findLogin,
  startSession,
} from "../features/sign-in/sign-in.ts";
import { runAtDoor } from "../platform/door-command.ts";
import { notice } from "../platform/notice.ts";
import { findPerson } from "../platform/person.ts";
import { forgotPages } from "./forgot-password.tsx";
import { Fault, Form, Password, Submit } from "./frame/form.tsx";
import { definePage, type Page, type PageAnswer, type PageRequest } from "./frame/page.tsx";

const NO_LONGER = "This link was used already, has expired, or is not complete.";

export const passwordPages: readonly Page[] = [
  definePage("GET /invitation", "stranger", (asked) => invitation(asked)),
  definePage("POST /invitation", "stranger", acceptInvitation),
  ...forgotPages,
  definePage("GET /password-reset", "stranger", (asked) => reset(asked)),
  definePage("POST /password-reset", "stranger", async (request) => {
    const { services, query, form, address } = request;
    const fault = faultOfNew(form);
    if (fault !== undefined) return reset(request, fault);
    const given = { token: query.token ?? "", password: form.password ?? "", address };
    const changed = await runAtDoor(resetPassword, services, given);
    return changed === undefined ? badReset(request) : { redirect: "/sign-in" };
  }),
  definePage("GET /settings/password", "person", async (request) => settings(request)),
  definePage("POST /settings/password", "person", changeOwn),
];

/** What the link of an invitation shows: a new password, the acceptance, or the sign-in before it. */
async function invitation(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, session, query, url } = request;
  const person = await findInvited(services.gate, query.token);
  if (person === undefined) return gone();
  const title = `Join ${person.account_name}`;
  const login = await findLogin(services.gate, person.email);
  if (login === undefined) {
    const content = (
      <>
        <p>
          Choose a password for <strong>{person.email}</strong>.
        </p>
        <NewPassword action={url} csrf={request.csrf(url)} fault={fault} button="Join" />
      </>
    );
    return { title, content, status: fault === undefined ? 200 : 422 };
  }
  if (session.login?.id === login.id) {
    const content = (
      <Form action={url} csrf={request.csrf(url)}>
        <p>
          You are signed in as <strong>{session.login.email}</strong>.
        </p>
        <Submit text="Join" />
      </Form>
    );
    return { title, content };
  }
  const content = (
    <>
      <p>
        <strong>{person.email}</strong> has a password here already. Sign in with it to accept the
        invitation.
      </p>
      <Form action="/sign-out" csrf={request.csrf("/sign-out")}>
        <input
          type="hidden"
          name="next"
          value={`/sign-in?next=${encodeURIComponent(url)}&email=${encodeURIComponent(person.email)}`}
        />
        <Submit text="Go to the sign-in" />
      </Form>
    </>
  );
  return { title, content };
}

async function acceptInvitation(request: PageRequest): Promise<PageAnswer> {
  const { services, session, query, form } = request;
  const token = query.token ?? "";
  const person = await findInvited(services.gate, token);
  if (person === undefined) return gone();
  const login = await findLogin(services.gate, person.email);
  if (login !== undefined && session.login?.id !== login.id) return invitation(request);
  const fault = login === undefined ? faultOfNew(form) : undefined;
  if (fault !== undefined) return invitation(request, fault);
  if (login === undefined) {
    const { password = "" } = form;
    const made = await runAtDoor(acceptWithPassword, services, { token, password });
    if (made === undefined) return gone();
    const entry = { ...made, session_token: session.token };
    return entered(await runAtDoor(startSession, services, entry));
  }
  const joined = await runAtDoor(acceptAs, services, { token, login });
  if (joined === undefined) return gone();
  const entry = { ...joined, session_token: session.token };
  return entered(await runAtDoor(enterAccount, services, entry));
}

async function reset(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, query, url } = request;
  const found = await findReset(services.gate, query.token);
  if (found === undefined) return badReset(request);
  return {
    title: "Choose a new password",
    status: fault === undefined ? 200 : 422,
    content: (
      <>
        <p>
          For <strong>{found.email}</strong>. You are signed out everywhere, and assistants that you
          connected have to be connected anew.
        </p>
        <NewPassword action={url} csrf={request.csrf(url)} fault={fault} button="Set password" />
      </>
    ),
  };
}

function settings(request: PageRequest, fault?: string, status = 200): PageAnswer {
  const action = "/settings/password";
  return {
    title: "Change your password",
    status,
    content: (
      <>
        <p>
          You are signed out everywhere else, and assistants that you connected have to be connected
          anew, in all accounts of your address.
        </p>
        <NewPassword action={action} csrf={request.csrf(action)} fault={fault} button="Change">
          <Password label="Password now" name="old_password" />
        </NewPassword>
      </>
    ),
  };
}

async function changeOwn(request: PageRequest): Promise<PageAnswer> {
  const { services, session, form, cx } = request;
  const { login } = session;
  if (login === null) return { redirect: "/sign-in" };
  const fault = faultOfNew(form);
  if (fault !== undefined) return settings(request, fault, 422);
  const known = await checkPassword(services, login.email, form.old_password ?? "", request);
  if (known === null) return settings(request, "The password now is not right.", 422);
  const { password = "" } = form;
  const changed = await runAtDoor(setPassword, services, { login: known, password });
  if (changed === undefined) return { redirect: "/sign-in" };
  cx.log.info({ user_id: cx.caller.person.user_id }, "a password was changed");
  const { account_id, person } = cx.caller;
  const found = await findPerson(services.gate, account_id, person.user_id);
  if (found === undefined) return { redirect: "/sign-in" };
  const entry = { login: changed, session_token: session.token, person: found };
  return entered(await runAtDoor(startSession, services, entry));
}

/** On to the settings; to the sign-in when the session or the password has ended in the meantime. */
function entered(cookie: string | undefined): PageAnswer {
  return cookie === undefined
    ? { redirect: "/sign-in" }
    : { redirect: "/settings/assistants", cookie };
}

function NewPassword(props: {
  action: string;
  csrf: string;
  fault: string | undefined;
  button: string;
  children?: preact.ComponentChildren;
}) {
  return (
    <>
      <Fault text={props.fault} />
      <Form action={props.action} csrf={props.csrf}>
        {props.children}
        <Password label="New password" name="password" is_new />
        <Password label="The same again" name="again" is_new />
        <Submit text={props.button} />
      </Form>
    </>
  );
}

function faultOfNew(form: PageRequest["form"]): string | undefined {
  const { password = "", again = "" } = form;
  return password === again ? faultOfPassword(password) : "The two passwords are not the same.";
}

function badReset({ services, address }: PageRequest): PageAnswer {
  notice(services, "reset_failed", { address, reason: "the link is not good" });
  return gone();
}

function gone(): PageAnswer {
  const content = (
    <>
      <p>{NO_LONGER}</p>
      <p>
        You can have a <a href="/forgot-password">new link</a> mailed, or{" "}
        <a href="/sign-in">sign in</a>.
      </p>
    </>
  );
  return { title: "This link does not work", status: 404, content };
}
