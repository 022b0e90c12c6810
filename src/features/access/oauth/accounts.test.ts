/** One person, several accounts: a consent, its code and its tokens belong to the account that was shown, and to no other. */
import { beforeAll, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { OpenedAccount } from "../accounts/create.ts";
import { tokenAuthentication } from "./authenticate.ts";

const CHOOSE = "/choose-account";

let oauth: ReturnType<typeof openConsent>;
let sandbox: OpenedAccount;
let browser: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  sandbox = await world.openAnother({ sandbox: true });
  // The admin of one account joins the other one as a standard user.
  const { email } = world.account.admin;
  const user = { name: "Same person", email };
  await world.done("POST /users", user, sandbox.keys.read_write);
  browser = await oauth.signedInAdmin();
  const links = (await world.mails()).map(
    (mail) => /\/invitation\S+/.exec(mail.text ?? "")?.[0] ?? "",
  );
  const link = links.find((found) => found !== "") ?? "";
  await browser.submit(await browser.get(link), link, {});
});

const whoIs = (token: string) => tokenAuthentication(world.services).authenticate(token);
const enter = async (account_id: string) =>
  browser.submit(await browser.get(CHOOSE), CHOOSE, { account: account_id });

it("a token acts in the account in which it was allowed, with the role of the person there", async () => {
  const client = await oauth.client();
  await enter(sandbox.account_id);
  const made = (await client.connect(browser)).body;
  await enter(world.account.account_id);
  const real = (await client.connect(browser)).body;

  const [there, here] = [await whoIs(made.access_token), await whoIs(real.access_token)];
  expect(there).toMatchObject({
    account_id: sandbox.account_id,
    sandbox: true,
    person: { role: "standard" },
  });
  expect(here).toMatchObject({
    account_id: world.account.account_id,
    sandbox: false,
    person: { role: "admin" },
  });
  // Each has its own grant; neither replaced the other, and refreshing does not change the account.
  const again = (await client.refresh(made.refresh_token)).body;
  expect((await whoIs(again.access_token))?.account_id).toBe(sandbox.account_id);
  expect(await whoIs(real.access_token)).not.toBeNull();
});

it("a consent that was shown in one account cannot be given in another", async () => {
  const client = await oauth.client();
  await enter(sandbox.account_id);
  const url = oauth.urlFor(client.request());
  const page = await browser.get(url);
  const [{ name }] = await world.sql("select name from accounts where id = $1", [
    sandbox.account_id,
  ]);
  expect(page.html).toContain(`in the account <strong>${name}</strong>`);
  await enter(world.account.account_id);
  const reply = await browser.submit(page, url, { decision: "allow" });
  expect([reply.status, reply.location]).toEqual([400, null]);
});

it("a code that was allowed in one account becomes a grant of that account, even after its person has chosen another", async () => {
  const client = await oauth.client();
  await enter(sandbox.account_id);
  const code = await client.code(browser);
  await enter(world.account.account_id);
  const { body } = await client.exchange(code);
  expect((await whoIs(body.access_token))?.account_id).toBe(sandbox.account_id);
});

it("a person who has chosen no account can give no consent", async () => {
  const client = await oauth.client();
  const own = openBrowser(world);
  await own.signIn(world.account.admin.email, oauth.password);
  const reply = await own.get(oauth.urlFor(client.request()));
  expect(reply.location).toMatch(/^\/choose-account\?next=%2Fapi%2Foauth%2Fauthorize/);
});

it("leaving one account ends its grants, and no others", async () => {
  const client = await oauth.client();
  await enter(sandbox.account_id);
  const made = (await client.connect(browser)).body;
  await enter(world.account.account_id);
  const real = (await client.connect(browser)).body;
  const user_id = (await whoIs(made.access_token))?.person?.user_id;
  await world.done(`PATCH /users/${user_id}`, { active: false }, sandbox.keys.read_write);
  expect(await whoIs(made.access_token)).toBeNull();
  expect(await whoIs(real.access_token)).not.toBeNull();
  expect((await browser.get("/assistants")).html).toContain("Sign out");
});
