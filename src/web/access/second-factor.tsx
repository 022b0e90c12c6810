/**
 * The second step of the sign-in: a visitor whose password was right answers with the second factor of the login. Until then
 * nothing else opens, apart from signing out (`frame/page.tsx`).
 */
import {
  answerAtSignIn,
  checkAnswer,
  countedAnswer,
} from "../../features/access/factors/check-answer.ts";
import { passkeyRequest } from "../../features/access/factors/check-passkey.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { Fault, Field, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { PasskeyField } from "../frame/passkey-field.tsx";
import { FACTOR_PATH } from "../frame/pending.ts";
import { nextOf } from "./next.ts";

export const secondFactorPages: readonly WebPage[] = [
  definePage(`GET ${FACTOR_PATH}`, "stranger", async (request) => factorPage(request)),
  definePage(`POST ${FACTOR_PATH}`, "stranger", answer),
];

async function answer(request: PageRequest): Promise<PageAnswer> {
  const { services, session, form } = request;
  const { pending: login, token: session_token } = session;
  if (login === null) return ended(request);
  const cookie = await countedAnswer(services, login, request, async () => {
    const checked = await checkAnswer(services, login.id, session_token, {
      code: form.code ?? "",
      passkey: form.passkey ?? "",
    });
    if (checked === undefined) return undefined;
    const given = { login, session_token, visitor: request, answer: checked };
    return runAtEntryPoint(answerAtSignIn, services, given);
  });
  if (cookie !== undefined) return { redirect: nextOf(request), cookie };
  return factorPage(request, request.reader.words.factors.wrong, 401);
}

/** Leads a visitor without a pending sign-in on: after the five minutes back to the password. */
function ended(request: PageRequest): PageAnswer {
  const next = nextOf(request);
  if (request.session.login !== null) return { redirect: next };
  return { redirect: `/sign-in?next=${encodeURIComponent(next)}` };
}

async function factorPage(request: PageRequest, fault?: string, status = 200): Promise<PageAnswer> {
  const { services, session, csrf, reader } = request;
  const { factors: words, sign_in } = reader.words;
  if (session.pending === null) return ended(request);
  const signs = await passkeyRequest(services, session.pending, session.token);
  const content = (
    <>
      <p>{words.asks(<strong>{session.pending.email}</strong>)}</p>
      <Fault text={fault} />
      <Form action={FACTOR_PATH} csrf={csrf(FACTOR_PATH)}>
        <input type="hidden" name="next" value={nextOf(request)} />
        <Field label={words.code} name="code" autocomplete="one-time-code" most={40} />
        <p class="quiet">{words.code_hint}</p>
        <Submit text={sign_in.title} />
      </Form>
      {signs !== null && (
        <Form action={FACTOR_PATH} csrf={csrf(FACTOR_PATH)}>
          <input type="hidden" name="next" value={nextOf(request)} />
          <PasskeyField name="passkey" label={words.use_passkey} request={signs} />
        </Form>
      )}
      <p class="quiet">{words.lost}</p>
      <Form action="/sign-out" csrf={csrf("/sign-out")}>
        <button type="submit" class="as-link">
          {sign_in.other_address}
        </button>
      </Form>
    </>
  );
  // Codes need no script; the page runs one only where it offers a passkey.
  return { title: words.step_title, content, status, runs_script: signs !== null };
}
