/**
 * Checks an answer with the second factor of a login: a code of the authenticator app, or a recovery code. The reads come first;
 * the statement that uses the answer decides, so that of two requests with one code only one is right.
 */
import { Problem } from "../../../domain/base/problem.ts";
import {
  type DoorTx,
  defineDoorCommand,
  runAtEntryPoint,
} from "../../../platform/commands/entry-point.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  countAttempt,
  forgetAttempts,
  type Limit,
  takeBackAttempt,
} from "../../../platform/fairness/limits/rate-counter.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { digestOf, notice } from "../../../platform/security/notice.ts";
import { type PersonRow, personsOfLogin } from "../../../platform/security/person.ts";
import { hasFactor, takePending } from "../../../platform/security/sessions/pending-sign-in.ts";
import { beginSession, renewAnswer } from "../../../platform/security/sessions/session.ts";
import type { Visitor } from "../../../platform/security/sessions/visitor.ts";
import { matchingStep } from "../../../platform/security/totp.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import {
  checkPassword,
  isStillOf,
  type Login,
  recordLogin,
  spellingOf,
} from "../sign-in/sign-in.ts";
import { checkPasskey, type SignedByPasskey } from "./check-passkey.ts";
import { hashOfTyped } from "./mint-codes.ts";
import { findAuthenticator } from "./queries.ts";

/** Wrong answers of a login from anywhere: who asks has the password already. */
const ANSWERS: Limit = { name: "answer of a second factor", most: 10, seconds: 900 };

/** An answer that may be right, with what its use has to find unchanged. */
type CheckedAnswer =
  | { readonly kind: "app"; readonly step: number; readonly sealed_secret: Buffer }
  | { readonly kind: "recovery_code"; readonly hash: Buffer }
  | SignedByPasskey;

/** What a person answers with: a typed code, or what their browser has signed with a passkey, as JSON. */
interface TypedAnswer {
  readonly code: string;
  readonly passkey: string;
}

/** Reads what an answer may be; undefined for a wrong one. `token` is the cookie for which the passkey signed. */
export function checkAnswer(
  services: Services,
  login_id: string,
  token: string,
  { code, passkey }: TypedAnswer,
): Promise<CheckedAnswer | undefined> {
  if (passkey === "") return checkCode(services, login_id, code);
  return checkPasskey(services, login_id, token, passkey);
}

/** Reads what a typed code may be; undefined for a code that is wrong. Throws a SealError. */
async function checkCode(
  services: Pick<Services, "gate" | "sealing">,
  login_id: string,
  typed: string,
): Promise<CheckedAnswer | undefined> {
  const hash = hashOfTyped(typed);
  if (hash !== null) return { kind: "recovery_code", hash };
  const app = await findAuthenticator(services, login_id, "active");
  if (app === undefined) return undefined;
  const { secret, sealed_secret, last_step } = app;
  const used = last_step === null ? null : Number(last_step);
  const step = matchingStep(secret, typed.replace(/\s/g, ""), Date.now(), used);
  return step === null ? undefined : { kind: "app", step, sealed_secret };
}

/** Uses an answer up; false where it was used before. */
async function takeAnswer(tx: DoorTx, login_id: string, answer: CheckedAnswer): Promise<boolean> {
  if (answer.kind === "passkey") {
    const used = await tx.row(sql`update passkeys
       set counter = ${answer.new_counter}, last_used_at = (select clock_timestamp())
       where login_id = ${login_id} and id = ${answer.id} and counter = ${answer.counter} returning 1`);
    return used !== undefined;
  }
  const used =
    answer.kind === "app"
      ? await tx.row(sql`update authenticators set last_step = ${answer.step}
         where login_id = ${login_id} and state = 'active' and sealed_secret = ${answer.sealed_secret}
           and last_step < ${answer.step} returning 1`)
      : await tx.row(sql`delete from recovery_codes
         where login_id = ${login_id} and hash = ${answer.hash} returning 1`);
  return used !== undefined;
}

/**
 * Counts an answer of a login, does the work, and takes the count back where the work returns a result. Throws RATE_LIMITED after
 * ten wrong answers in a quarter of an hour, and then notifies the owner of the login.
 */
export async function countedAnswer<Result>(
  services: Services,
  login: Login,
  visitor: Visitor,
  work: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { gate } = services;
  const digest = await digestOf(gate, await spellingOf(gate, login.email));
  visitor.concerns(digest);
  try {
    await countAttempt(gate, ANSWERS, login.id);
  } catch (error) {
    if (error instanceof Problem) {
      const news = { kind: "factor_locked", minutes: ANSWERS.seconds / 60 } as const;
      const owner = await ownerOfLogin(services, login);
      await notifyOwner(services, owner, news);
    }
    throw error;
  }
  const result = await work();
  if (result === undefined) {
    notice(services, "factor_failed", { address: visitor.address, login: digest });
    return undefined;
  }
  await takeBackAttempt(gate, ANSWERS, login.id);
  return result;
}

/** Deletes the counted answers of a login whose factors were reset. */
export function forgetAnswers(db: Reads, login_id: string): Promise<void> {
  return forgetAttempts(db, ANSWERS, login_id);
}

interface SignInAnswer {
  readonly login: Login;
  /** The cookie of the pending sign-in. */
  readonly session_token: string;
  readonly visitor: Visitor;
  readonly answer: CheckedAnswer;
}

/**
 * Begins the session of a pending sign-in by an answer. Returns the new cookie; undefined for a used answer, and where the five
 * minutes are over or the sign-in has ended. As `startSession`, it enters the account of a login with one.
 */
export const answerAtSignIn = defineDoorCommand({
  name: "answer_second_factor",
  async before({ gate }, given: SignInAnswer) {
    const persons = await personsOfLogin(gate, given.login.id);
    return { ...given, person: persons.length === 1 ? persons[0] : undefined };
  },

  async commit(tx, { login, session_token, visitor, answer, person }) {
    // A new password or factor waits for this lock and ends the session; or it precedes, and has ended the pending sign-in.
    tx.lock(sql`select 1 from logins where id = ${login.id} for share`);
    if (person !== undefined && !(await isStillOf(tx, login.id, person))) return undefined;
    if (!(await takeAnswer(tx, login.id, answer))) return undefined;
    if (!(await takePending(tx, login.id, session_token))) return undefined;
    return begin(tx, login, person, session_token, visitor);
  },
});

/** Renews the answer of a session by its factor. Returns true; undefined for a used answer. */
const answerAgain = defineDoorCommand({
  name: "answer_again",
  async commit(
    tx,
    given: {
      readonly login: Login;
      readonly session_token: string;
      readonly answer: CheckedAnswer | null;
    },
  ): Promise<true | undefined> {
    const { login, session_token, answer } = given;
    if (answer !== null && !(await takeAnswer(tx, login.id, answer))) return undefined;
    renewAnswer(tx, session_token);
    return true;
  },
});

/**
 * Checks the answer of a signed-in person: a code where their login has a second factor, otherwise the password. Returns whether
 * it was right; the session then counts as answered. Throws RATE_LIMITED, as each kind of answer does.
 */
export async function provesAgain(
  services: Services,
  session: { readonly login: Login; readonly token: string },
  visitor: Visitor,
  typed: TypedAnswer & { readonly password: string },
): Promise<boolean> {
  const { login, token: session_token } = session;
  const { gate } = services;
  if (!(await hasFactor(gate, login.id))) {
    const known = await checkPassword(services, login.email, typed.password, visitor);
    if (known?.id !== login.id) return false;
    await runAtEntryPoint(answerAgain, services, { login, session_token, answer: null });
    return true;
  }
  const done = await countedAnswer(services, login, visitor, async () => {
    const answer = await checkAnswer(services, login.id, session_token, typed);
    if (answer === undefined) return undefined;
    return runAtEntryPoint(answerAgain, services, { login, session_token, answer });
  });
  return done === true;
}

function begin(
  tx: DoorTx,
  login: Login,
  person: PersonRow | undefined,
  before: string,
  visitor: Visitor,
): string {
  const token = beginSession(tx, login.id, person ?? null, before, visitor);
  if (person) recordLogin(tx.as(person), "signed_in", person.user_id, "session");
  return token;
}
