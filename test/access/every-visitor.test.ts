/**
 * Every page and every action, requested by a visitor without a sign-in, a standard user, an admin and another account, with
 * valid form tokens. Resources outside of the view are answered like unknown ones. Forbidden actions are not offered, and a
 * forged one is refused.
 */

import { beforeAll, describe, expect, it } from "vitest";
import type { OpenedAccount } from "../../src/features/access/accounts/create.ts";
import { csrfToken } from "../../src/platform/security/sessions/csrf.ts";
import { ACTIONS } from "../../src/web/frame/action.ts";
import type { WebPage } from "../../src/web/frame/page.tsx";
import { namesViewed } from "../../src/web/frame/refuse-forged.ts";
import { actions, pages } from "../../src/web/pages.ts";
import { type Browser, openBrowser, type PageReply } from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { userByOperator } from "../support/world/people.ts";
import { type Json, useWorld } from "../support/world/world.ts";

/** The ids of one person's resources, or of another person's, by the folder of their pages. */
type Things = Readonly<Record<string, string>>;

const world = useWorld({ knows_origin: true });
let stranger: Browser;
let standard: Browser;
let admin: Browser;
/** An admin of another account. */
let other: Browser;
let seen: Things;
let unseen: Things;
let titles: { readonly seen: string; readonly unseen: string };

beforeAll(async () => {
  const oauth = openConsent(world);
  stranger = openBrowser(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  other = await adminOf(await world.openAnother());
  const product = await world.done("POST /products", { name: "Guarded product" });
  seen = await thingsOf("Visible ApS", "Visible work", product.id, [{ user_id: person.user_id }]);
  unseen = await thingsOf("Hidden ApS", "Hidden work", product.id, []);
  titles = { seen: "Visible", unseen: "Hidden" };
});

/** A user of another account, invited by that account. */
async function adminOf({ account_id }: OpenedAccount): Promise<Browser> {
  const email = "elsewhere@x.example";
  await userByOperator(world, { name: "Elsewhere", email }, account_id);
  const mail = (await world.mails()).find(({ to }) => to?.[0]?.address === email);
  const link = /\/invitation\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  const browser = openBrowser(world);
  const password = "a long password of another account";
  await browser.submit(await browser.get(link), link, { password, again: password });
  return browser;
}

async function thingsOf(
  name: string,
  title: string,
  product_id: string,
  assignees: readonly Json[],
): Promise<Things> {
  const customer = await world.done("POST /customers", { name });
  const lines = [{ product_id, recognition_method: "value", agreed_value: 4711, assignees }];
  const make = (more: string) =>
    world.done("POST /invoices", {
      customer_id: customer.id,
      title: `${title}, ${more}`,
      auto_send: false,
      lines,
    });
  const draft = await make("draft");
  const issued = await make("issued");
  await world.done(`POST /invoices/${issued.id}/issue`);
  const note = await world.done("POST /credit-notes", {
    external_id: title,
    invoice: issued.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
  const awaited = await world.done("POST /invoices", {
    customer_id: customer.id,
    title: `${title}, milestone`,
    auto_send: false,
    lines: [{ ...lines[0], recognition_method: "milestone" }],
  });
  await world.done(`POST /invoices/${awaited.id}/issue`);
  const payment = await world.done("POST /payments", {
    external_id: title,
    date: "2026-03-10",
    amount: 100,
    allocations: [{ invoice: awaited.id }],
  });
  const retainer = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-04-01",
    lines,
  });
  return {
    awaited: awaited.id,
    line: awaited.lines[0].id,
    "/customers": customer.id,
    "/invoices": draft.id,
    issued: issued.id,
    "/credit-notes": note.id,
    "/payments": payment.id,
    "/allocations": payment.allocations[0].id,
    "/products": product_id,
    "/retainers": retainer.id,
  };
}

const folderOf = ({ path }: WebPage) => /^\/[a-z-]+/.exec(path)?.[0] ?? "";
const nameOf = ({ method, path }: WebPage) => `${method} ${path}`;
const each = (applies: (page: WebPage) => boolean) =>
  pages.filter(applies).map((page) => [nameOf(page), page] as const);
const namesOne = ({ path }: WebPage) => path.includes("/:id");
const OF_THINGS = {
  "/customers": true,
  "/invoices": true,
  "/credit-notes": true,
  "/products": true,
  "/payments": true,
  "/allocations": true,
};
/** Pages of resources that depend on the view; a day of hours or a key in the settings has other ids. */
const isOfThings = (page: WebPage) => namesOne(page) && Object.hasOwn(OF_THINGS, folderOf(page));
const VIEWED = ["/customers", "/invoices", "/credit-notes"];

/** A deletion removes the resource, so it is tested in `src/web/frame/permit.test.ts`. */
const deletes = ({ path }: WebPage) => path.endsWith("/delete");

/** Requests a page. A form also has the valid token of the visitor's own session. */
async function ask(browser: Browser, page: WebPage, things: Things): Promise<PageReply> {
  const id = page.path.endsWith("/credit")
    ? things.issued
    : page.path.includes("/complete/")
      ? things.awaited
      : things[folderOf(page)];
  const path = page.path.replace(":id", id ?? "nothing").replace(":line", things.line ?? "nothing");
  if (page.method === "GET") return browser.get(path);
  return browser.post(path, { csrf: csrfToken(browser.cookie() ?? "", path), agreed: "forged" });
}

const everything = async () =>
  JSON.stringify([
    await world.done("GET /customers?active=all&limit=100"),
    await world.done("GET /invoices?origin=all&limit=100"),
    await world.done("GET /products?active=all&limit=100"),
  ]);

describe("a visitor who is not signed in reaches only the sign-in by", () => {
  it.each(each(({ access }) => access !== "stranger"))("%s", async (_name, page) => {
    await stranger.get("/sign-in");
    const { html } = await ask(stranger, page, seen);
    expect(html).toContain("<h1>Sign in</h1>");
    expect(html).not.toContain(titles.seen);
  });
});

describe("a standard user", () => {
  it.each(each(({ access }) => access === "admin" || access === "hidden"))(
    "is refused %s",
    async (_name, page) => {
      const before = await everything();
      for (const things of [seen, unseen]) {
        const reply = await ask(standard, page, things);
        // What they see is forbidden; anything else does not exist.
        expect(reply.status).toBe(page.access === "admin" && things === seen ? 403 : 404);
        expect(reply.html).not.toMatch(/Visible work|Hidden/);
      }
      expect(await everything()).toBe(before);
    },
  );

  it.each(each((page) => page.access === "person" && isOfThings(page) && !deletes(page)))(
    "sees in %s their own resources and no others",
    async (_name, page) => {
      expect((await ask(standard, page, unseen)).status).toBe(404);
      expect((await ask(admin, page, unseen)).status).not.toBe(404);
      expect([403, 404]).not.toContain((await ask(standard, page, seen)).status);
    },
  );

  it("is refused only what is done to a resource that they see", () => {
    const forbidden = pages.filter(({ access }) => access === "admin");
    expect(forbidden.length).toBeGreaterThan(5);
    expect(forbidden.filter(({ path }) => !namesViewed(path)).map(nameOf)).toEqual([]);
  });

  it("sees only their own issued documents", async () => {
    for (const [things, status] of [
      [seen, 200],
      [unseen, 404],
    ] as const) {
      for (const path of [`/invoices/${things.issued}`, `/invoices/${things.issued}/pdf`]) {
        expect([path, (await standard.get(path)).status]).toEqual([path, status]);
      }
    }
  });

  it.each(["/customers", "/invoices", "/invoices?tab=issued", "/invoices?tab=credit-notes"])(
    "sees only their own resources in %s, where an admin sees all",
    async (path) => {
      const [mine, all] = [(await standard.get(path)).html, (await admin.get(path)).html];
      expect(mine).toContain(titles.seen);
      expect(mine).not.toContain(titles.unseen);
      expect(all).toContain(titles.seen);
      expect(all).toContain(titles.unseen);
    },
  );

  it("finds only their own resources, and learns no name from an address", async () => {
    expect((await standard.get("/search?q=visible")).html).toContain(seen["/customers"]);
    expect((await standard.get("/search?q=hidden")).html).not.toContain(unseen["/customers"]);
    const found = await standard.get("/search?q=hidden");
    expect(found.html).toContain("Nothing matches this name");
    const filtered = await standard.get(`/invoices?customer=${unseen["/customers"]}`);
    expect(filtered.html).not.toContain(titles.unseen);
    expect((await standard.get("/search?q=guarded")).html).not.toContain("Guarded product");
  });

  it("is offered no action that is forbidden to them", async () => {
    const forbidden = pages.filter(({ access }) => access === "admin");
    const isForbidden = (href: string) =>
      forbidden.some(({ path }) => {
        const form = path.replace(":id", "[0-9a-f-]{36}").replaceAll("/", "\\/");
        return new RegExp(`^${form}$`).test(href);
      });
    const visited = ["/customers", "/invoices", "/search", "/assistants"];
    for (const folder of VIEWED) visited.push(`${folder}/${seen[folder]}`);
    visited.push((await standard.get("/hours")).location ?? "");
    visited.push(`/invoices/${seen.issued}`, `/invoices/${seen["/invoices"]}/issue`);
    for (const path of visited) {
      const { html, status } = await standard.get(path);
      expect([path, status]).toEqual([path, 200]);
      const offered = [...html.matchAll(/ (?:href|action)="(\/[^"?#]*)/g)].map(([, to = ""]) => to);
      expect(offered.length).toBeGreaterThan(5);
      expect([path, offered.filter(isForbidden)]).toEqual([path, []]);
    }
  });

  it("issues their own draft as it was shown", async () => {
    const path = `/invoices/${seen["/invoices"]}/issue`;
    const shown = await standard.get(path);
    const { status, location } = await standard.submit(shown, path, {});
    expect([status, location]).toEqual([303, `/invoices/${seen["/invoices"]}`]);
    expect((await standard.get(location ?? "")).status).toBe(200);
  });
});

describe("another account's resource is answered like an unknown one by", () => {
  it.each(each(isOfThings))("%s", async (_name, page) => {
    const before = await everything();
    const reply = await ask(other, page, unseen);
    expect(reply.status).toBe(404);
    expect(reply.html).not.toContain(titles.unseen);
    expect(await everything()).toBe(before);
  });

  it.each(each((page) => page.method === "GET" && page.access !== "stranger" && !namesOne(page)))(
    "%s",
    async (_name, page) => {
      const { html } = await ask(other, page, unseen);
      for (const title of Object.values(titles)) expect(html).not.toContain(title);
    },
  );
});

describe("every action requires a session, its own token, and the right role", () => {
  it.each(actions.map((action) => [action.path, action] as const))("%s", async (path, action) => {
    const proof = (browser: Browser) => csrfToken(browser.cookie() ?? "", ACTIONS);
    expect((await stranger.act(path, {}, proof(stranger))).status).toBe(401);
    expect((await admin.act(path, {}, "none")).status).toBe(400);
    expect((await admin.act(path, {}, proof(standard))).status).toBe(400);
    const { status } = await standard.act(path, {}, proof(standard));
    expect(status).toBe({ admin: 403, hidden: 404, person: 422 }[action.access]);
  });
});
