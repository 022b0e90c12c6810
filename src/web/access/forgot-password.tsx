/** The pages for a forgotten password. They never reveal whether an address is known. */

import { requestReset } from "../../features/access/sign-in/change-password.ts";
import { Field, Form, Submit } from "../frame/form.tsx";
import { definePage, type WebPage } from "../frame/page.tsx";

export const forgotPages: readonly WebPage[] = [
  definePage("GET /forgot-password", "stranger", async ({ reader, csrf }) => {
    const { sign_in, passwords: words } = reader.words;
    return {
      title: sign_in.forgot,
      content: (
        <Form action="/forgot-password" csrf={csrf("/forgot-password")}>
          <p>{words.forgot_means}</p>
          <Field label={sign_in.email} name="email" type="email" autocomplete="username" />
          <Submit text={words.send_link} />
        </Form>
      ),
    };
  }),
  definePage("POST /forgot-password", "stranger", async (request) => {
    await requestReset(request.services, request.form.email ?? "", request);
    // A separate page: a reload sends nothing, and the link that was sent stays valid.
    return { redirect: "/forgot-password/sent" };
  }),
  definePage("GET /forgot-password/sent", "stranger", async ({ reader }) => {
    const { passwords: words } = reader.words;
    const signIn = (text: string) => <a href="/sign-in">{text}</a>;
    return { title: words.sent, content: <p>{words.sent_means(signIn)}</p> };
  }),
];
