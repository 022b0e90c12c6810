/** The passkeys on a person's page: the list, the two pages on which a browser makes one and first uses it, and the removal. */
import {
  MOST_PASSKEYS,
  newPasskeyRequest,
  passkeyRequest,
  relyingParty,
} from "../../features/access/factors/check-passkey.ts";
import { factorsOf, type ShownPasskey } from "../../features/access/factors/queries.ts";
import { confirmPasskey, registerPasskey } from "../../features/access/factors/register-passkey.ts";
import { revokeFactor } from "../../features/access/factors/revoke-factors.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Fault, Field, Form, Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { PasskeyField } from "../frame/passkey-field.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { List } from "../parts/list.tsx";
import { factorStep } from "./factor-step.tsx";
import { codesPage, loginOf } from "./recovery-codes.tsx";

const ME = "/me";
const NEW = `${ME}/factors/passkey`;
const FIRST = `${NEW}/first-answer`;
const REMOVE = `${NEW}/remove`;

export const passkeyPages: readonly WebPage[] = [
  definePage(`GET ${NEW}`, "person", (request) => newPasskey(request)),
  defineGuarded(`POST ${NEW}`, "person", async (request) => {
    const { services, session, form, reader } = request;
    const made = await runAtEntryPoint(registerPasskey, services, {
      login: loginOf(request),
      session_token: session.token,
      name: form.name ?? "",
      sent: form.passkey ?? "",
    });
    if (made === undefined) return newPasskey(request, reader.words.factors.passkey_wrong);
    return { redirect: FIRST };
  }),
  definePage(`GET ${FIRST}`, "person", (request) => firstAnswer(request)),
  defineGuarded(`POST ${FIRST}`, "person", async (request) => {
    const { services, session, form, reader } = request;
    const added = await runAtEntryPoint(confirmPasskey, services, {
      login: loginOf(request),
      session_token: session.token,
      sent: form.passkey ?? "",
    });
    if (added === undefined) return firstAnswer(request, reader.words.factors.passkey_wrong);
    if (added.codes !== null) return codesPage(request, added.codes, false);
    return { redirect: ME, notice: { done: "factor_added" } };
  }),
  definePage(`GET ${REMOVE}`, "person", removal),
  defineGuarded(`POST ${REMOVE}`, "person", async (request) => {
    const removal = { login: loginOf(request), passkey_id: request.form.id ?? "" };
    const removed = await runAtEntryPoint(revokeFactor, request.services, removal);
    return { redirect: ME, ...(removed && { notice: { done: "factor_removed" as const } }) };
  }),
];

/** Shows the passkeys of a login, or why there can be none. `base_url` is the address of the installation. */
export function Passkeys(props: { passkeys: readonly ShownPasskey[]; base_url: string }) {
  const { passkeys, base_url } = props;
  const words = useReader().words.factors;
  if (relyingParty(base_url) === null) {
    return <p class="soft">{words.passkeys_not(new URL(base_url).hostname)}</p>;
  }
  return (
    <>
      <h3>{words.passkeys}</h3>
      {passkeys.length === 0 ? (
        <p class="soft">{words.passkeys_mean}</p>
      ) : (
        <List
          label={words.passkeys}
          rows={passkeys}
          empty={null}
          columns={[
            { head: words.passkey_name, fold: "lead", cell: ({ name }) => name },
            { head: words.added_on, cell: ({ created_at }) => <Moment at={created_at} /> },
            { head: words.last_used, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
            {
              head: "",
              fold: "end",
              cell: ({ id, name }) => (
                <ConfirmLink
                  class="button small"
                  href={`${REMOVE}?id=${encodeURIComponent(id)}`}
                  label={words.passkey_remove(name)}
                >
                  {words.remove}
                </ConfirmLink>
              ),
            },
          ]}
        />
      )}
      {passkeys.length < MOST_PASSKEYS ? (
        <p class="buttons">
          <a class="button" href={NEW}>
            {words.passkey_add}
          </a>
        </p>
      ) : (
        <p class="soft">{words.passkeys_full(MOST_PASSKEYS)}</p>
      )}
    </>
  );
}

/** Returns the page on which the browser makes a passkey. */
async function newPasskey(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, session, csrf, reader, form } = request;
  const words = reader.words.factors;
  const makes = await newPasskeyRequest(services, loginOf(request), session.token);
  if (makes === null) return { redirect: ME };
  const content = (
    <>
      <p>{words.passkeys_mean}</p>
      <Fault text={fault} />
      <Form action={NEW} csrf={csrf(NEW)}>
        <Field label={words.passkey_name} name="name" most={60} value={form.name ?? ""} />
        <p class="quiet">{words.passkey_hint}</p>
        <PasskeyField name="passkey" label={words.passkey_make} request={makes} />
        <noscript>
          <p class="warning">{words.passkey_script}</p>
        </noscript>
      </Form>
    </>
  );
  return factorStep(words.passkey_title, ME, fault, content);
}

/** Returns the page on which the new passkey gives its first answer. */
async function firstAnswer(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, session, csrf, reader } = request;
  const words = reader.words.factors;
  const signs = await passkeyRequest(services, loginOf(request), session.token, "new");
  if (signs === null) return { redirect: ME };
  const content = (
    <>
      <p>{words.passkey_first}</p>
      <Fault text={fault} />
      <Form action={FIRST} csrf={csrf(FIRST)}>
        <p class="quiet">{words.others_end}</p>
        <PasskeyField name="passkey" label={words.passkey_use_first} request={signs} />
      </Form>
    </>
  );
  return factorStep(words.passkey_first_title, ME, fault, content);
}

/** Returns the page that says what the removal of a passkey means. */
async function removal(request: PageRequest): Promise<PageAnswer> {
  const { cx, csrf, query, reader } = request;
  const words = reader.words.factors;
  const { app_since, passkeys } = await factorsOf(cx, loginOf(request).id);
  const key = passkeys.find(({ id }) => id === query.id);
  if (key === undefined) return { redirect: ME };
  const is_last = app_since === null && passkeys.length === 1;
  const content = (
    <div class="card confirm">
      <p>{is_last ? words.last_ends : words.others_stay}</p>
      <div class="buttons">
        <a class="button" href={ME}>
          {words.cancel}
        </a>
        <Form action={REMOVE} csrf={csrf(REMOVE)}>
          <input type="hidden" name="id" value={key.id} />
          <button type="submit" class="button main">
            {words.passkey_remove(key.name)}
          </button>
        </Form>
      </div>
    </div>
  );
  return { title: words.passkey_remove_title, content };
}
