/** The first page of a new account: look around in an example, start with the own firm, or neither. */
import * as z from "zod";
import { faultOfPassword } from "../../features/access/people/password.ts";
import { changeOwnFirm, isUnclaimed } from "../../features/access/sign-in/change-own-firm.ts";
import { startSession } from "../../features/access/sign-in/sign-in.ts";
import { putStepAway } from "../../features/overview/today/change-steps.ts";
import { findNewness } from "../../features/overview/today/find-welcome.ts";
import { changeConfiguration } from "../../features/settings/configuration/save.ts";
import { run } from "../../platform/commands/command.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { as, MailAddress, text } from "../../platform/http/schemas.ts";
import type { Action } from "../frame/action.ts";
import { askedAgain } from "../frame/ask-again.tsx";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults, Labelled } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { LookAround, studioActions, studioPages } from "./studio.tsx";

const WELCOME = "/welcome";
const FIRM = `${WELCOME}/firm`;
const LATER = `${WELCOME}/later`;
const SHORT = "At least 8 characters are required.";
const UNUSABLE = "This password cannot be used.";
const FIELDS = ["firm", "name", "email", "password"];

/** The fields of the form; address and password are asked of the first start's login alone. */
const Named = z.object({ firm: text(255, 1), name: text(255, 1) });
const WithSignIn = Named.extend({
  email: MailAddress,
  password: z
    .string()
    .refine((value) => faultOfPassword(value)?.code !== "too_short", as("too_short", SHORT))
    .refine((value) => faultOfPassword(value) === undefined, as("invalid_value", UNUSABLE)),
});

export const welcomePages: readonly WebPage[] = [
  ...studioPages,
  definePage(`GET ${WELCOME}`, "hidden", async (request) => {
    if (!(await findNewness(request.cx)).is_empty) return { redirect: "/today" };
    return welcome(request, {}, NO_FAULTS, 200);
  }),
  definePage(`POST ${FIRM}`, "hidden", firmAnswered),
  definePage(`POST ${LATER}`, "hidden", async ({ cx }) => {
    await run(putStepAway, cx, { step: "welcome" });
    return { redirect: "/today" };
  }),
];

export const welcomeActions: readonly Action[] = studioActions;

/** Asks again who the person is, without writing the password that was typed into the page that asks. */
async function firmAnswered(request: PageRequest): Promise<PageAnswer> {
  const { password = "", ...kept } = request.form;
  const outcome = await askedAgain({ ...request, cx: request.cx, form: kept });
  if ("ask" in outcome) return outcome.ask;
  return startOwnFirm({ ...outcome.go, form: { ...outcome.go.form, password } });
}

async function startOwnFirm(request: PageRequest): Promise<PageAnswer> {
  const { services, session, form, cx } = request;
  const { login } = session;
  if (login === null) return { redirect: "/sign-in" };
  const asks_sign_in = await isUnclaimed(services.gate, login.id);
  const { firm = "", name = "", email = "", password = "" } = form;
  const named = { firm: firm.trim(), name: name.trim() };
  const typed = asks_sign_in ? { ...named, email: email.trim(), password } : named;
  const { account_id, person } = cx.caller;
  const own = { account_id, user_id: person.user_id, login_id: login.id };
  const schema = asks_sign_in ? WithSignIn : Named;
  const outcome = await submitted<z.output<typeof Named>, Awaited<ReturnType<typeof changed>>>(
    schema,
    typed,
    FIELDS,
    { EMAIL_TAKEN: "email" },
    (valid) => changed(request, own, valid),
  );
  if (!("done" in outcome)) return welcome(request, typed, outcome.faults, outcome.status);
  const { login: now, person: found } = outcome.done;
  // Its invoices name the firm, too, and the first step asks for the rest.
  await run(changeConfiguration, cx, { seller: { name: named.firm } });
  const redirect = "/today";
  const notice = { done: "firm_started" as const, of: asks_sign_in ? now.email : "" };
  if (!asks_sign_in) return { redirect, notice };
  // The new password has ended all sessions of the login, this one too.
  const entry = { login: now, person: found, session_token: session.token, visitor: request };
  const cookie = await runAtEntryPoint(startSession, services, entry);
  return cookie === undefined ? { redirect: "/sign-in" } : { redirect, cookie, notice };
}

function changed(
  { services }: PageRequest,
  own: { readonly account_id: string; readonly user_id: string; readonly login_id: string },
  valid: z.output<typeof Named> & Partial<z.output<typeof WithSignIn>>,
) {
  const { firm, name, email, password } = valid;
  const credentials = email === undefined || password === undefined ? null : { email, password };
  return runAtEntryPoint(changeOwnFirm, services, { ...own, firm, name, credentials });
}

async function welcome(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { services, session, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.welcome;
  const asks_sign_in =
    session.login !== null && (await isUnclaimed(services.gate, session.login.id));
  const content = (
    <>
      <div class="starts">
        <Card title={words.firm} id="own-firm">
          <div class="pad">
            <p>{words.firm_means}</p>
            <FormFaults faults={faults} words={all.see_fields} />
            <Form action={FIRM} csrf={csrf(FIRM)}>
              <OwnFirm typed={typed} faults={faults} asks_sign_in={asks_sign_in} />
              <Submit text={words.start} />
            </Form>
          </div>
        </Card>
        <Card title={words.studio} id="look-around">
          <div class="pad">
            <p>{words.studio_means}</p>
            <LookAround csrf={csrf} text={words.look_around} />
          </div>
        </Card>
      </div>
      <Form action={LATER} csrf={csrf(LATER)}>
        <button type="submit" class="as-link">
          {words.neither}
        </button>
      </Form>
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}

function OwnFirm(props: { typed: TypedFields; faults: Faults; asks_sign_in: boolean }) {
  const { typed, faults, asks_sign_in } = props;
  const words = useReader().words.welcome;
  const entry = (name: string, label: string, more: { type?: "email"; hint?: string } = {}) => (
    <Entry
      name={name}
      label={label}
      value={typed[name] ?? ""}
      faults={faults}
      is_required
      {...more}
    />
  );
  return (
    <>
      {entry("firm", words.firm_name)}
      {entry("name", words.your_name)}
      {asks_sign_in && entry("email", words.email, { type: "email", hint: words.sign_in_means })}
      {asks_sign_in && (
        <Labelled
          name="password"
          label={words.password}
          hint={words.password_means}
          faults={faults}
          field={(said) => (
            <input
              class="input"
              id="password"
              name="password"
              type="password"
              autocomplete="new-password"
              maxLength={200}
              required
              {...said}
            />
          )}
        />
      )}
    </>
  );
}
