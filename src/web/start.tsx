/** What stands at the root: for people the way to their start page, for strangers what this is and where its doors are. */
import { definePage, type Page } from "./frame/page.tsx";

/** Where a person begins. */
export const HOME = "/settings/assistants";

export const startPages: readonly Page[] = [
  definePage("GET /", "stranger", async ({ session, reader }) => {
    if (session.login !== null) return { redirect: session.caller ? HOME : "/choose-account" };
    const { start: words } = reader.words;
    const content = (
      <>
        <p>{words.what}</p>
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
