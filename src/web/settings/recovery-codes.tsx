/** What the pages of the factors share: the page of recovery codes, which are shown once, and the login of the person. */
import type { PageAnswer, PageRequest } from "../frame/page.tsx";

const ME = "/me";

/** Returns the login of a signed-in person. */
export function loginOf({ session }: PageRequest) {
  if (session.login === null) throw new Error("a page of persons was asked for without a login");
  return session.login;
}

/** Shows recovery codes, once. */
export function codesPage(
  { reader }: PageRequest,
  codes: readonly string[],
  replaces: boolean,
): PageAnswer {
  const words = reader.words.factors;
  const content = (
    <div class="card confirm">
      <p class="notice" role="status">
        {words.shown_once} {replaces && words.codes_replace}
      </p>
      <pre class="secret" id="recovery-codes">
        {codes.join("\n")}
      </pre>
      <p class="buttons">
        <a class="button main" href={ME}>
          {words.done}
        </a>
      </p>
    </div>
  );
  return { title: words.codes, content };
}
