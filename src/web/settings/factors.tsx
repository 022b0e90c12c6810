/** The second factor on a person's page: the card, the set-up of an authenticator app, recovery codes, and the removal. */
import { mintCodes } from "../../features/access/factors/mint-codes.ts";
import {
  type Factors,
  factorsOf,
  findAuthenticator,
} from "../../features/access/factors/queries.ts";
import {
  beginAuthenticator,
  confirmAuthenticator,
} from "../../features/access/factors/register-authenticator.ts";
import { revokeFactor } from "../../features/access/factors/revoke-factors.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { base32, otpauthUrl } from "../../platform/security/totp.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Fault, Field, Form, Moment, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { FactList, Facts } from "../parts/facts.tsx";
import { factorStep } from "./factor-step.tsx";
import { Passkeys, passkeyPages } from "./passkeys.tsx";
import { QrCode } from "./qr-code.tsx";
import { codesPage, loginOf } from "./recovery-codes.tsx";

const ME = "/me";
const FACTORS = `${ME}/factors`;
const APP = `${FACTORS}/app`;
const NEW_APP = `${APP}/new`;
const REMOVE_APP = `${APP}/remove`;
const CODES = `${FACTORS}/codes`;

export const factorPages: readonly WebPage[] = [
  defineGuarded(`POST ${NEW_APP}`, "person", async (request) => {
    const { id: login_id } = loginOf(request);
    await runAtEntryPoint(beginAuthenticator, request.services, { login_id });
    return { redirect: APP };
  }),
  definePage(`GET ${APP}`, "person", (request) => setUp(request)),
  defineGuarded(`POST ${APP}`, "person", async (request) => {
    const { services, session, form, reader } = request;
    const first = { login: loginOf(request), session_token: session.token, code: form.code ?? "" };
    const added = await runAtEntryPoint(confirmAuthenticator, services, first);
    if (added === undefined) return setUp(request, reader.words.factors.wrong);
    if (added.codes !== null) return codesPage(request, added.codes, false);
    return { redirect: ME, notice: { done: "factor_added" } };
  }),
  defineGuarded(`POST ${CODES}`, "person", async (request) => {
    const { id: login_id } = loginOf(request);
    const codes = await runAtEntryPoint(mintCodes, request.services, { login_id });
    return codes === undefined ? { redirect: ME } : codesPage(request, codes, true);
  }),
  definePage(`GET ${REMOVE_APP}`, "person", removal),
  defineGuarded(`POST ${REMOVE_APP}`, "person", async (request) => {
    const removed = await runAtEntryPoint(revokeFactor, request.services, {
      login: loginOf(request),
      passkey_id: null,
    });
    return { redirect: ME, ...(removed && { notice: { done: "factor_removed" as const } }) };
  }),
  ...passkeyPages,
];

/** Returns the factors of the person's login, for `FactorCard`. */
export function factorsShown(request: PageRequest): Promise<Factors> {
  return factorsOf(request.cx, loginOf(request).id);
}

/** `base_url` is the address of the installation. */
export function FactorCard(props: {
  factors: Factors;
  csrf: PageRequest["csrf"];
  base_url: string;
}) {
  const { factors, csrf, base_url } = props;
  const words = useReader().words.factors;
  const { app_since, codes, passkeys } = factors;
  const has_app = app_since !== null;
  const has_factor = has_app || passkeys.length > 0;
  return (
    <Facts title={words.title} id="factors">
      <p class="soft">{has_factor ? words.factor_on : words.means}</p>
      <FactList
        facts={[
          { name: words.app, value: has_app ? <Moment at={app_since} /> : words.app_off },
          ...(has_factor ? [{ name: words.codes, value: words.codes_left(codes) }] : []),
        ]}
      />
      <div class="buttons">
        <Form action={NEW_APP} csrf={csrf(NEW_APP)}>
          <button type="submit" class="button">
            {has_app ? words.set_up_again : words.set_up}
          </button>
        </Form>
        {has_factor && (
          <Form action={CODES} csrf={csrf(CODES)}>
            <button type="submit" class="button">
              {words.new_codes}
            </button>
          </Form>
        )}
        {has_app && <ConfirmLink href={REMOVE_APP}>{words.remove}</ConfirmLink>}
      </div>
      <Passkeys passkeys={passkeys} base_url={base_url} />
    </Facts>
  );
}

/** Shows the secret of the app that waits for its first code. */
async function setUp(request: PageRequest, fault?: string): Promise<PageAnswer> {
  const { services, csrf, reader } = request;
  const words = reader.words.factors;
  const login = loginOf(request);
  const app = await findAuthenticator(services, login.id, "new");
  if (app === undefined) return { redirect: ME };
  const url = otpauthUrl(app.secret, login.email);
  const typed = (base32(app.secret).match(/.{4}/g) ?? []).join(" ");
  const content = (
    <>
      <p>{words.scan}</p>
      <QrCode text={url} label={words.qr} />
      <p>
        <a class="link" href={url}>
          {words.on_this_device}
        </a>
      </p>
      <p>{words.by_hand}</p>
      <pre class="secret">{typed}</pre>
      <Fault text={fault} />
      <Form action={APP} csrf={csrf(APP)}>
        <p>{words.first_code}</p>
        <Field label={words.code} name="code" autocomplete="one-time-code" most={20} />
        <p class="quiet">{words.others_end}</p>
        <Submit text={words.confirm} />
      </Form>
    </>
  );
  return factorStep(words.app, ME, fault, content);
}

/** Returns the page that says what the removal of the app means. */
async function removal(request: PageRequest): Promise<PageAnswer> {
  const { csrf, reader } = request;
  const words = reader.words.factors;
  const { app_since, passkeys } = await factorsShown(request);
  if (app_since === null) return { redirect: ME };
  const content = (
    <div class="card confirm">
      <p>{passkeys.length === 0 ? words.last_ends : words.others_stay}</p>
      <div class="buttons">
        <a class="button" href={ME}>
          {words.cancel}
        </a>
        <Form action={REMOVE_APP} csrf={csrf(REMOVE_APP)}>
          <button type="submit" class="button main">
            {words.remove_now}
          </button>
        </Form>
      </div>
    </div>
  );
  return { title: words.remove_title, content };
}
