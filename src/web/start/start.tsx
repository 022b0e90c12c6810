/** The root address: it leads people to their start page, and shows visitors a description with links to sign-in and API. */
import { findUnusedFirstLogin } from "../../features/access/sign-in/find-first-login.ts";
import { findNewness } from "../../features/overview/today/find-welcome.ts";
import { definePage, type WebPage } from "../frame/page.tsx";
import { START_PAGES, startPageOf } from "../frame/start-page.ts";

/** The address that leads each person to their start page. */
export const HOME = "/";
/** The page that admins of an empty account see first. */
const WELCOME = "/welcome";

export const startPages: readonly WebPage[] = [
  definePage("GET /", "stranger", async (request) => {
    const { session, reader, services } = request;
    if (session.login !== null) {
      const person = session.caller?.person;
      if (person == null) return { redirect: `/choose-account?next=${encodeURIComponent(HOME)}` };
      if (person.role === "admin" && (await findNewness(request.cx)).awaits_welcome)
        return { redirect: WELCOME };
      return { redirect: START_PAGES[startPageOf(person.role, session.start_page)] };
    }
    const { start: words } = reader.words;
    const email = await findUnusedFirstLogin(services.gate);
    const content = (
      <>
        <p>{words.what}</p>
        {email !== undefined && (
          <p class="notice">
            {words.first_start(<code>{`matchbook sign-in-link --email ${email}`}</code>)}
          </p>
        )}
        <p class="buttons">
          <a class="button main" href="/sign-in">
            {words.sign_in}
          </a>
          <a class="button" href="/api/docs">
            {words.api}
          </a>
          <a class="button" href="/api/v1/openapi.json">
            {words.openapi}
          </a>
        </p>
      </>
    );
    return { title: words.title, content };
  }),
];
