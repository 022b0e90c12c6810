/** The pages for whoever has forgotten their password. What they answer never tells whether an address is known. */

import { requestReset } from "../features/sign-in/change-password.ts";
import { Field, Form } from "./frame/layout.tsx";
import type { Page } from "./frame/page.tsx";

export const forgotPages: readonly Page[] = [
  {
    method: "GET",
    path: "/forgot-password",
    access: "stranger",
    handle: async (request) => ({
      title: "Forgot your password?",
      content: (
        <Form action="/forgot-password" csrf={request.csrf("/forgot-password")}>
          <p>We send a link to your address with which you can choose a new one.</p>
          <Field label="E-mail address" name="email" type="email" autocomplete="username" />
          <p class="buttons">
            <button type="submit">Send the link</button>
          </p>
        </Form>
      ),
    }),
  },
  {
    method: "POST",
    path: "/forgot-password",
    access: "stranger",
    async handle(request) {
      await requestReset(request.services, request.form.email ?? "", request);
      // A page of its own: loading it again sends nothing, and the link that was sent stays good.
      return { redirect: "/forgot-password/sent" };
    },
  },
  {
    method: "GET",
    path: "/forgot-password/sent",
    access: "stranger",
    handle: async () => ({
      title: "Look into your mail",
      content: (
        <p>
          If this address can sign in here, a link is on its way to it. Then{" "}
          <a href="/sign-in">sign in</a>.
        </p>
      ),
    }),
  },
];
