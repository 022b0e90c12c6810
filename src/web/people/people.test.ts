/** The pages of people: invitation, role, deactivation, for admins alone. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { assistantOf } from "../../../test/support/mcp/assistant.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const textOf = ({ html }: PageReply): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const linksTo = async (email: string): Promise<string[]> =>
  (await world.mails())
    .filter(({ to }) => to?.[0]?.address === email)
    .map(({ text }) => /\/invitation\S+/.exec(text ?? "")?.[0] ?? "");
/** Invites a person; `location` is the address of their page, which the answer shows. */
const invite = async (name: string, email: string, role = "standard"): Promise<PageReply> => {
  const page = await admin.get("/people/new");
  const reply = await admin.submit(page, "/people/new", { name, email, role });
  const [, location = null] = /action="(\/people\/[\w-]{36})"/.exec(reply.html) ?? [];
  return { ...reply, location };
};

describe("an invitation", () => {
  it("is mailed, and the person who accepts it enters their week", async () => {
    const email = "sofie@x.example";
    const done = await invite("Sofie Bang", email);
    expect(done.status).toBe(200);
    const [shown] = /\/invitation\?token=[\w-]+/.exec(done.html) ?? [];
    expect(await linksTo(email)).toEqual([shown]);
    expect(done.html, "no mail server is set up").toContain("No mail leaves this account");
    expect(done.html).toContain('data-island="copy-text"');
    const card = await admin.get(done.location ?? "");
    expect(card.html).not.toContain("/invitation?token");
    expect(textOf(card)).toContain("Invited");
    expect(textOf(await admin.get("/people"))).toMatch(/Sofie Bang .*Standard/);
    const sofie = openBrowser(world);
    const [link = ""] = await linksTo(email);
    const password = "a long password of Sofie";
    const joined = await sofie.submit(await sofie.get(link), link, { password, again: password });
    expect(joined.location).toBe("/");
    expect((await sofie.get("/hours")).status).toBe(303);
    expect(textOf(await admin.get(done.location ?? ""))).not.toContain("Send the invitation again");
  });

  it("is sent again with a link that is shown once, and that replaces the earlier one", async () => {
    const email = "jonas@x.example";
    const { location } = await invite("Jonas Krogh", email);
    const [first = ""] = await linksTo(email);
    const card = await admin.get(location ?? "");
    const again = await admin.submit(card, `${location}/invite`, {});
    const shown = /\/invitation\?token=[\w-]+/.exec(again.html)?.[0] ?? "";
    expect((await linksTo(email)).sort()).toEqual([first, shown].sort());
    expect(shown).not.toBe(first);
    expect((await openBrowser(world).get(first)).status).toBe(404);
    expect((await openBrowser(world).get(shown)).status).toBe(200);
    expect((await admin.get(location ?? "")).html).not.toContain("/invitation?token");
  });

  it("is offered for the first time to a person who was never invited", async () => {
    const { user_id } = await assistantOf(world, { email: "known@x.example" });
    const card = textOf(await admin.get(`/people/${user_id}`));
    expect(card).toContain("Not invited");
    expect(card).toContain("Send the invitation");
    expect(card).not.toContain("Send the invitation again");
  });

  it.each([
    ["a name that is empty", { name: " ", email: "new@x.example" }, 422],
    ["an address that is none", { name: "New", email: "not an address" }, 422],
    ["the address of another person", { name: "New", email: "sofie@x.example" }, 409],
  ])("is refused with %s, which stays typed", async (_case, fields, status) => {
    const page = await invite(fields.name, fields.email);
    expect(page.status).toBe(status);
    expect(page.html).toContain('class="fault"');
    expect(page.html).toContain(`value="${fields.email}"`);
  });
});

describe("a person", () => {
  it("gets another role, name and address", async () => {
    const { location } = await invite("Mikkel", "mikkel@x.example");
    const path = location ?? "";
    const changed = await admin.submit(await admin.get(path), path, {
      name: "Mikkel Juhl",
      email: "mikkel@x.example",
      role: "admin",
    });
    expect(changed.status).toBe(303);
    const id = path.split("/").at(-1);
    expect(await world.done(`GET /users/${id}`)).toMatchObject({
      name: "Mikkel Juhl",
      role: "admin",
    });
  });

  it("is deactivated after the page has said what ends and what stays, and activated again", async () => {
    const { browser, user_id } = await oauth.person();
    const product = await world.done("POST /products", { name: "Design", default_price: 10 });
    const customer = await world.done("POST /customers", { name: "Acme" });
    await world.done("POST /invoices", {
      customer_id: customer.id,
      lines: [{ product_id: product.id, recognition_method: "value", assignees: [{ user_id }] }],
    });
    const path = `/people/${user_id}/deactivate`;
    const page = await admin.get(path);
    expect(textOf(page)).toContain("1 session and 0 connected assistants, now.");
    expect(textOf(page)).toContain("One draft names them");
    const [draft = ""] = /\/invoices\/[\w-]{36}/.exec(page.html) ?? [];
    expect((await admin.get(draft)).html).toContain("Acme");
    expect((await admin.get(`/people/${user_id}`)).html).toContain(`href="${draft}"`);
    expect((await admin.submit(page, path, {})).location).toBe(`/people/${user_id}`);
    expect((await browser.get("/hours")).html).toContain("<h1>Sign in</h1>");
    const card = await admin.get(`/people/${user_id}`);
    expect(textOf(card)).toContain("Inactive");
    await admin.submit(card, `/people/${user_id}/activate`, {});
    expect((await world.done(`GET /users/${user_id}`)).active).toBe(true);
  });

  it("cannot be deactivated or lose the role as the last admin", async () => {
    const { data } = await world.done("GET /users?role=admin&active=true");
    const own = world.account.admin.user_id;
    for (const { id } of data) {
      if (id === own) continue;
      const path = `/people/${id}/deactivate`;
      await admin.submit(await admin.get(path), path, {});
    }
    const path = `/people/${own}/deactivate`;
    const refused = await admin.submit(await admin.get(path), path, {});
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("at least one active admin");
    const card = `/people/${own}`;
    const fields = { name: "Admin", email: world.account.admin.email, role: "standard" };
    const kept = await admin.submit(await admin.get(card), card, fields);
    expect(kept.status).toBe(409);
    expect(kept.html).toContain('id="role-fault"');
  });
});

describe("the pages of people", () => {
  it("take at most 12 statements", async () => {
    expect(await statementsOf(() => admin.get("/people"))).toBeLessThanOrEqual(13);
  });

  it("do not exist for standard users, and another account's people for none", async () => {
    const { browser } = await oauth.person();
    for (const path of ["/people", "/people/new", `/people/${world.account.admin.user_id}`]) {
      expect((await browser.get(path)).status).toBe(404);
    }
    const { admin: foreign } = await world.openAnother();
    expect((await admin.get(`/people/${foreign.user_id}`)).status).toBe(404);
    expect((await admin.get(`/people/${foreign.user_id}/deactivate`)).status).toBe(404);
  });
});
