/** The destination of the link for a new password: people of sandboxes are fictitious, unless a real account knows them. */
import { expect, it } from "vitest";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import { requestReset } from "./change-password.ts";

const world = useMailWorld();

it("a link for a new password reaches a person of a sandbox only if a real account has invited them", async () => {
  const sandbox = await world.openAnother({ sandbox: true });
  const { email } = sandbox.admin;
  const sent = await world.useServer();
  const visitor = { address: "203.0.113.1", browser: null, concerns: () => {} };
  const ask = () => requestReset(world.services, email, visitor);
  const inOutbox = async () =>
    (await world.mails()).filter((mail) => mail.text?.includes("/password-reset?token=")).length;

  await ask();
  await expect.poll(inOutbox).toBe(1);
  expect(sent).toEqual([]);

  await world.done("POST /users", { name: "Real too", email });
  await expect.poll(() => sent.length).toBe(1);
  await ask();

  // The invitation, the invitation again, and the link.
  await expect.poll(() => sent.length).toBe(3);
  expect(String(sent[2])).toContain("Subject: En ny adgangskode til Matchbook");
  expect(await inOutbox()).toBe(1);
});
