/** The example account of a login: opening it, putting it away on `/me`, and whether its year is ready. */
import * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { enterAccount } from "../../features/access/sign-in/sign-in.ts";
import { findStudioOf, isReady } from "../../features/overview/studio/find-studio.ts";
import { changeStudio, openStudio } from "../../features/overview/studio/open-studio.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { type PersonRow, personsOfLogin } from "../../platform/security/person.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Facts } from "../parts/facts.tsx";

const OPEN = "/welcome/studio";
const PUT_AWAY = "/me/studio/put-away";

export const studioPages: readonly WebPage[] = [
  definePage(`POST ${OPEN}`, "person", async (request) => {
    const { services, session, cx } = request;
    const { login } = session;
    const is_admin = cx.caller.person.role === "admin";
    if (login === null) throw new Problem("NOT_FOUND");
    // A person who has no studio yet gets one as an admin of an account; others bring theirs back.
    if (!is_admin && (await findStudioOf(services.gate, login.id)) === undefined) {
      throw new Problem("NOT_FOUND");
    }
    const account_id = await openStudio(services, { login });
    await runAtEntryPoint(changeStudio, services, { login_id: login.id, is_put_away: false });
    return entering(request, (person) => person.account_id === account_id);
  }),
  definePage(`POST ${PUT_AWAY}`, "person", async (request) => {
    const { services, session } = request;
    if (session.login === null) throw new Problem("NOT_FOUND");
    const change = { login_id: session.login.id, is_put_away: true };
    const left = await runAtEntryPoint(changeStudio, services, change);
    const notice = { done: "studio_put_away" as const };
    if (left !== session.caller?.account_id) return { redirect: "/me", notice };
    return { ...(await entering(request, () => true)), notice };
  }),
];

export const studioActions: readonly Action[] = [
  defineAction("/app/studio", "person", z.object({ seen: z.literal("preparing") }), async (cx) => ({
    is_ready: await isReady(cx),
  })),
];

/** Takes the session into the first account of its login that `is_wanted` accepts, and leads to the start page. */
async function entering(
  { services, session }: PageRequest,
  isWanted: (person: PersonRow) => boolean,
): Promise<{ readonly redirect: string; readonly cookie?: string }> {
  const { login } = session;
  if (login === null) return { redirect: "/sign-in" };
  const person = (await personsOfLogin(services.gate, login.id)).find(isWanted);
  if (person === undefined) return { redirect: "/choose-account" };
  const entry = { login, person, session_token: session.token };
  const cookie = await runAtEntryPoint(enterAccount, services, entry);
  return cookie === undefined ? { redirect: "/sign-in" } : { redirect: "/today", cookie };
}

/** The form that opens the example. */
export function LookAround(props: {
  csrf: PageRequest["csrf"];
  text: string;
  is_secondary?: boolean;
}) {
  const { csrf, text, is_secondary = false } = props;
  return (
    <Form action={OPEN} csrf={csrf(OPEN)}>
      <Submit text={text} is_secondary={is_secondary} />
    </Form>
  );
}

/** Returns the card of the login's example; for an admin without one, the offer of it; null for others. */
export async function studioCardOf({ services, session, csrf, cx }: PageRequest) {
  if (session.login === null) return null;
  const studio = await findStudioOf(services.gate, session.login.id);
  if (studio !== undefined) return <StudioCard is_put_away={studio.is_put_away} csrf={csrf} />;
  return cx.caller.person.role === "admin" ? <StudioOffer csrf={csrf} /> : null;
}

function StudioOffer({ csrf }: { csrf: PageRequest["csrf"] }) {
  const words = useReader().words.welcome;
  return (
    <Facts title={words.studio} id="example">
      <p>{words.studio_means}</p>
      <LookAround csrf={csrf} text={words.look_around} is_secondary />
    </Facts>
  );
}

function StudioCard({ is_put_away, csrf }: { is_put_away: boolean; csrf: PageRequest["csrf"] }) {
  const words = useReader().words.welcome;
  return (
    <Facts title={words.mine} id="example">
      {is_put_away ? (
        <>
          <p>{words.away_means}</p>
          <LookAround csrf={csrf} text={words.bring_back} is_secondary />
        </>
      ) : (
        <Form action={PUT_AWAY} csrf={csrf(PUT_AWAY)}>
          <p>{words.mine_means}</p>
          <p class="soft">{words.put_away_means}</p>
          <Submit text={words.put_away} is_secondary />
        </Form>
      )}
    </Facts>
  );
}
