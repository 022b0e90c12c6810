/** The page behind a sign-in link. Opening it changes nothing, because mail scanners open links too: its button signs in. */
import { startSession } from "../../features/access/sign-in/sign-in.ts";
import { findLinkedLogin, takeSignInLink } from "../../features/access/sign-in/sign-in-link.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";
import { notice } from "../../platform/security/notice.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { HOME } from "../start/start.tsx";

const PATH = "/sign-in/link";

export const signInLinkPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "stranger", async (request) => {
    const { services, query, url, csrf, reader } = request;
    const login = await findLinkedLogin(services.gate, query.token);
    if (login === undefined) return deadLink(request);
    const words = reader.words.start;
    const content = (
      <Form action={url} csrf={csrf(url)}>
        <p>{words.link_means(<strong>{login.email}</strong>)}</p>
        <Submit text={words.sign_in} />
      </Form>
    );
    return { title: words.sign_in, content };
  }),
  definePage(`POST ${PATH}`, "stranger", async (request) => {
    const { services, session, query } = request;
    const login = await runAtEntryPoint(takeSignInLink, services, query.token ?? "");
    if (login === undefined) return deadLink(request);
    const entry = { login, session_token: session.token, visitor: request };
    const cookie = await runAtEntryPoint(startSession, services, entry);
    return cookie === undefined ? { redirect: "/sign-in" } : { redirect: HOME, cookie };
  }),
];

function deadLink({ services, address, reader }: PageRequest): PageAnswer {
  notice(services, "sign_in_failed", { address, reason: "the link is not good" });
  const words = reader.words.start;
  const content = (
    <>
      <p>{reader.words.passwords.link_dead_means}</p>
      <p>{words.link_again(<code>matchbook sign-in-link --email …</code>)}</p>
      <p>
        <a href="/sign-in">{words.sign_in}</a>
      </p>
    </>
  );
  return { title: reader.words.passwords.link_dead, status: 404, content };
}
