/** The pages for whoever has forgotten their password. What they answer never tells whether an address is known. */

import { requestReset } from "../features/sign-in/change-password.ts";
import { Field, Form, Submit } from "./frame/form.tsx";
import { definePage, type Page } from "./frame/page.tsx";

export const forgotPages: readonly Page[] = [
  definePage("GET /forgot-password", "stranger", async (request) => ({
    title: "Forgot your password?",
    content: (
      <Form action="/forgot-password" csrf={request.csrf("/forgot-password")}>
        <p>We send a link to your address with which you can choose a new one.</p>
        <Field label="E-mail address" name="email" type="email" autocomplete="username" />
        <Submit text="Send the link" />
      </Form>
    ),
  })),
  definePage("POST /forgot-password", "stranger", async (request) => {
    await requestReset(request.services, request.form.email ?? "", request);
    // A page of its own: loading it again sends nothing, and the link that was sent stays good.
    return { redirect: "/forgot-password/sent" };
  }),
  definePage("GET /forgot-password/sent", "stranger", async () => ({
    title: "Look into your mail",
    content: (
      <p>
        If this address can sign in here, a link is on its way to it. Then{" "}
        <a href="/sign-in">sign in</a>.
      </p>
    ),
  })),
];
