/** The welcome of a new account: who sees it, its three ways, the example with its banner, and the own firm. */
import pg from "pg";
import { describe, expect, it } from "vitest";
import {
  type Browser,
  hiddenFields,
  openBrowser,
  proofOf,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { openAccount } from "../../features/access/accounts/create.ts";
import { type Notice, noticeCookie } from "../frame/notice.ts";

const PASSWORD = "correct horse battery staple";
const HELD_UP = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const BANNER = /<p class="example">/;
let count = 0;
const world = useWorld({ knows_origin: true });

/** A new account with its admin, signed in; the first start's login if that is asked for. */
async function newAccount(is_first_start = false) {
  count += 1;
  const email = `new-${count}@x.example`;
  const opened = await openAccount(world.services, {
    name: "Demo",
    admin_email: email,
    admin_password: PASSWORD,
    sandbox: false,
    currency: "DKK",
    ...(is_first_start && { is_first_start }),
  });
  const browser = openBrowser(world);
  await browser.signIn(email, PASSWORD);
  return { ...opened, browser, email };
}

const startOf = async (browser: Browser) => (await browser.get("/")).location;
const submit = async (browser: Browser, action: string, fields: Record<string, string> = {}) =>
  browser.submit(await browser.get("/welcome"), action, fields);

describe("the start of an account without customers, products and documents", () => {
  it("is the welcome for admins, until something exists", async () => {
    const { browser, keys } = await newAccount();
    expect(await startOf(browser)).toBe("/welcome");
    const { status, html } = await browser.get("/welcome");
    expect(status).toBe(200);
    for (const way of ["/welcome/studio", "/welcome/firm", "/welcome/later"]) {
      expect(html).toContain(`action="${way}"`);
    }
    expect(html, "asked of the first start's login alone").not.toContain('name="password"');
    expect((await browser.get("/me")).html, "the example is offered there, too").toContain(
      'action="/welcome/studio"',
    );
    await world.done("POST /products", { name: "Design", default_price: 1 }, keys.read_write);
    expect(await startOf(browser)).toBe("/today");
    expect((await browser.get("/welcome")).location, "no longer empty").toBe("/today");
  });

  it("is the usual one after neither way was chosen", async () => {
    const { browser } = await newAccount();
    expect((await submit(browser, "/welcome/later")).location).toBe("/today");
    expect(await startOf(browser)).toBe("/today");
  });

  it("is the usual one for standard users, for whom the welcome does not exist", async () => {
    const { browser } = await openConsent(world).person();
    expect(await startOf(browser)).toBe("/hours");
    expect((await browser.get("/welcome")).status).toBe(404);
    const admin = await newAccount();
    const page = await admin.browser.get("/welcome");
    for (const path of ["/welcome/firm", "/welcome/later", "/welcome/studio"]) {
      const { status } = await browser.submit(page, path, { firm: "X", name: "X" });
      expect([path, status]).toEqual([path, 400]);
    }
  });
});

describe("the example", () => {
  it("is entered at once, says so on every page, is prepared in the background, and is put away and brought back", async () => {
    const { browser, account_id } = await newAccount();
    const entered = await submit(browser, "/welcome/studio");
    expect([entered.status, entered.location]).toEqual([303, "/today"]);
    const preparing = await browser.get("/today");
    expect(preparing.html).toMatch(BANNER);
    expect(preparing.html).toContain("The year is being prepared");
    const proof = await proofOf(browser);
    expect((await browser.act("/app/studio", { seen: "preparing" }, proof)).body).toEqual({
      is_ready: false,
    });

    // The year itself is played in the tests of the feature.
    await world.sql("update studios set finished_at = clock_timestamp()");
    expect((await browser.act("/app/studio", { seen: "preparing" }, proof)).body).toEqual({
      is_ready: true,
    });
    const ready = await browser.get("/today");
    expect(ready.html).not.toContain("The year is being prepared");
    expect(ready.html, "an example has no first steps").not.toContain('id="steps"');
    for (const path of ["/invoices", "/customers", "/me", "/products"]) {
      expect((await browser.get(path)).html, path).toMatch(BANNER);
    }
    expect((await browser.get("/welcome")).location).toBe("/today");
    expect(await startOf(browser)).toBe("/today");

    const away = await browser.submit(await browser.get("/me"), "/me/studio/put-away", {});
    expect(away.location).toBe("/today");
    const own = await browser.get("/me");
    expect(own.html).not.toMatch(BANNER);
    expect(own.html).toContain("put away");
    expect(await accountOf(browser)).toBe(account_id);
    expect((await browser.get("/choose-account")).html).not.toContain("Nordlys");
    expect(
      await world.sql("select 1 from users join studios using (account_id)"),
      "its data stay",
    ).toHaveLength(1);

    const back = await browser.submit(await browser.get("/me"), "/welcome/studio", {});
    expect(back.location).toBe("/today");
    expect((await browser.get("/today")).html).toMatch(BANNER);
    const actions = await world.sql(
      "select action from audit_events e join studios s using (account_id) where action in ('put_away', 'brought_back') order by seq",
    );
    expect(actions.map(({ action }) => action)).toEqual(["put_away", "brought_back"]);
  });

  it("is one for each login, also when its button is pressed twice at once", async () => {
    const { browser, email } = await newAccount();
    const page = await browser.get("/welcome");
    const cookie = browser.cookie();
    const press = () => {
      const other = openBrowser(world);
      other.setCookie(cookie);
      return other.submit(page, "/welcome/studio", {});
    };
    const client = new pg.Client({ connectionString: world.database_url });
    await client.connect();
    try {
      // Both wait for the login: the first one to end replaces the session that the other has shown.
      await client.query("begin");
      await client.query("select from logins where email = $1 for no key update", [email]);
      const answers = Promise.all([press(), press()]);
      await expect.poll(() => world.sql(HELD_UP), { timeout: 20_000 }).toHaveLength(2);
      await client.query("rollback");
      expect((await answers).map(({ status }) => status)).toEqual([303, 303]);
    } finally {
      await client.end();
    }
    const before: Json = (await world.sql("select count(*)::int as n from studios"))[0];
    expect(before.n).toBe(2);
  });

  it("is no longer chosen at the sign-in when it is put away", async () => {
    const { browser, email } = await newAccount();
    await submit(browser, "/welcome/studio");
    const again = openBrowser(world);
    await again.signIn(email, PASSWORD);
    expect((await again.get("/")).location).toBe("/choose-account?next=%2F");
    const choice = await browser.get("/choose-account");
    expect(
      choice.html.match(/ \(example\)<\/button> <span class="soft">You are here/g),
    ).toHaveLength(1);
    expect(choice.html).toMatch(/>Demo<\/button>/);
    await browser.submit(await browser.get("/me"), "/me/studio/put-away", {});
    expect((await again.get("/today")).location).toBe("/choose-account?next=%2Ftoday");
    const alone = openBrowser(world);
    await alone.signIn(email, PASSWORD);
    expect((await alone.get("/")).location).toBe("/welcome");
  });
});

describe("the own firm", () => {
  it("names the account and the person, and leads to the first steps", async () => {
    const { browser, account_id, keys } = await newAccount();
    const done = await submit(browser, "/welcome/firm", { firm: " Holm & Co ", name: "Anna Holm" });
    expect(done.headers.getSetCookie().join()).toContain("firm_started");
    expect([done.status, done.location]).toEqual([303, "/today"]);
    const [account] = await world.sql("select name from accounts where id = $1", [account_id]);
    expect(account.name).toBe("Holm & Co");
    const { seller } = await world.done("GET /configuration", undefined, keys.read_write);
    expect(seller.name, "its invoices name it").toBe("Holm & Co");
    const { html } = await browser.get("/today");
    expect(html).toContain("Holm &amp; Co");
    expect(html).toContain("Anna Holm");
    expect(html).toContain('id="steps"');
    expect(await startOf(browser)).toBe("/today");
  });

  it("sets address and password of the first start's login, once and without a mail", async () => {
    const { browser, account_id, email } = await newAccount(true);
    const other = openBrowser(world);
    await other.signIn(email, PASSWORD);
    const mails = (await world.mails()).length;
    const typed = {
      firm: "Holm",
      name: "Anna",
      email: "anna@holm.example",
      password: "my own password",
    };
    const done = await submit(browser, "/welcome/firm", typed);
    expect([done.status, done.location]).toEqual([303, "/today"]);
    expect((await browser.get("/today")).status).toBe(200);
    expect((await other.get("/today")).status, "its other sessions end").toBe(200);
    expect((await other.get("/today")).html).toContain('name="password"');
    expect((await world.mails()).length).toBe(mails);
    const fresh = openBrowser(world);
    expect((await fresh.signIn(email, PASSWORD)).status).toBe(401);
    expect((await fresh.signIn(typed.email, typed.password)).status).toBe(303);
    const [user] = await world.sql(
      "select email, name, document::json->>'email' as shown from users where account_id = $1",
      [account_id],
    );
    expect(user).toEqual({ email: typed.email, name: "Anna", shown: typed.email });
    expect((await browser.get("/welcome")).html).not.toContain('name="password"');
    const forged = await submit(browser, "/welcome/firm", {
      ...typed,
      email: "other@holm.example",
    });
    expect(forged.location).toBe("/today");
    expect(await world.sql("select 1 from logins where email = 'other@holm.example'")).toEqual([]);
  });

  it("asks again after ten minutes, keeps what was typed, and writes no password into the page", async () => {
    await world.sql("delete from first_start");
    const { browser } = await newAccount(true);
    await world.sql("update sessions set answered_at = answered_at - interval '601 seconds'");
    const typed = { firm: "Holm", name: "Anna", email: "late@holm.example" };
    const asked = await submit(browser, "/welcome/firm", { ...typed, password: "my own password" });
    expect([asked.status, asked.html.includes("my own password")]).toEqual([403, false]);
    expect(hiddenFields(asked.html, "/welcome/firm")).toMatchObject(typed);
    const answer = { answer_password: PASSWORD };
    const back = await browser.submit(asked, "/welcome/firm", answer);
    expect([back.status, back.html.includes('id="password-fault"')]).toEqual([422, true]);
    expect(back.html).toContain('value="late@holm.example"');
    const done = await browser.submit(back, "/welcome/firm", {
      ...typed,
      password: "my own password",
    });
    expect(done.location).toBe("/today");
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["an address in use", { email: "" }, 409, "email-fault"],
    ["no address", { email: "anna" }, 422, "email-fault"],
    ["a short password", { email: "b@holm.example", password: "short" }, 422, "password-fault"],
    ["no name of the firm", { email: "b@holm.example", firm: " " }, 422, "firm-fault"],
  ])("keeps what was typed with %s", async (_what, fields, status, fault) => {
    await world.sql("delete from first_start");
    const { browser } = await newAccount(true);
    const used = world.account.admin.email;
    const typed = { firm: "Holm", name: "Anna", password: "my own password", ...fields };
    const sent = { ...typed, email: fields.email === "" ? used : (fields.email ?? "") };
    const refused = await submit(browser, "/welcome/firm", sent);
    expect([refused.status, refused.html.includes(`id="${fault}"`)]).toEqual([status, true]);
    expect(refused.html).toContain('value="Anna"');
    expect(refused.html, "never shown again").not.toContain("my own password");
    expect(await startOf(browser), "nothing was changed").toBe("/welcome");
  });
});

describe("a first step that is done", () => {
  it("leads to the next one, until none is left; a person who writes an invoice is not led away", async () => {
    const { browser, keys } = await newAccount();
    const nextAt = async (path: string, done: Notice["done"]) => {
      const cookie = noticeCookie(world.origin, { done }).split(";", 1);
      const { html } = await browser.get(path, {
        cookie: `matchbook=${browser.cookie()}; ${cookie[0]}`,
      });
      return /class="next-step example">.*?<a href="([^"]*)"/.exec(html)?.[1] ?? null;
    };
    const make = (call: string, body?: Json) => world.done(call, body, keys.read_write);
    expect(await nextAt("/settings/company", "settings_saved"), "not yet done").toBeNull();
    const { id: customer_id } = await make("POST /customers", { name: "Acme" });
    expect(await nextAt(`/customers/${customer_id}`, "customer_saved")).toBe("/settings/company");
    expect(await nextAt("/invoices/new?q=Acme", "customer_saved")).toBeNull();
    const address = { street: "Vej 1", zip_code: "8000", city: "Aarhus" };
    const seller = { name: "Holm", ...address, vat_number: "DK13585628" };
    await make("PATCH /configuration", { seller });
    expect(await nextAt("/settings/company", "settings_saved")).toBe("/products/new");
    const { id: product_id } = await make("POST /products", { name: "Design", default_price: 5 });
    expect(await nextAt("/products", "product_saved")).toBe("/invoices/new");
    const line = { product_id, recognition_method: "value" };
    const draft = await make("POST /invoices", { customer_id, lines: [line], auto_send: false });
    await make(`POST /invoices/${draft.id}/issue`);
    expect(await nextAt(`/invoices/${draft.id}`, "invoice_issued")).toBe("/assistants");
    await browser.submit(await browser.get("/today"), "/today/steps", { step: "assistant" });
    expect(await nextAt(`/invoices/${draft.id}`, "invoice_issued")).toBeNull();
  });
});

describe("the first steps", () => {
  it("are ticked by fact, put away one by one, and disappear when none is left", async () => {
    const { browser, keys } = await newAccount();
    const stepsOf = async () => {
      const { html } = await browser.get("/today");
      const card = /<section[^>]*aria-labelledby="steps"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
      return {
        open: [...card.matchAll(/name="step" value="(\w+)"/g)].map(([, step]) => step),
        done: [...card.matchAll(/<b>Done<\/b>/g)].length,
      };
    };
    expect(await stepsOf()).toEqual({
      open: ["company", "customer", "product", "invoice", "assistant"],
      done: 0,
    });
    for (const path of ["/customers/new", "/products/new", "/invoices/new"])
      await browser.get(path);
    expect((await stepsOf()).done, "a visit ticks nothing").toBe(0);
    const make = (call: string, body?: Json) => world.done(call, body, keys.read_write);
    const { id: customer_id } = await make("POST /customers", { name: "Acme" });
    const { id: product_id } = await make("POST /products", { name: "Design", default_price: 5 });
    const line = { product_id, recognition_method: "value" };
    const draft = await make("POST /invoices", { customer_id, lines: [line], auto_send: false });
    expect(await stepsOf()).toEqual({ open: ["company", "invoice", "assistant"], done: 2 });
    await make(`POST /invoices/${draft.id}/issue`);
    expect((await stepsOf()).open).toEqual(["company", "assistant"]);
    const away = async (step: string) =>
      browser.submit(await browser.get("/today"), "/today/steps", { step });
    expect((await away("nothing")).location).toBe("/today");
    await away("assistant");
    expect(await stepsOf()).toEqual({ open: ["company"], done: 3 });
    const seller = {
      name: "Holm",
      street: "Vej 1",
      zip_code: "8000",
      city: "Aarhus",
      vat_number: "DK13585628",
    };
    await make("PATCH /configuration", { seller });
    expect(await stepsOf(), "each is done or put away").toEqual({ open: [], done: 0 });
  });
});

/** The account of the browser's session. */
async function accountOf(browser: Browser): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256")
    .update(browser.cookie() ?? "")
    .digest("hex");
  const [row] = await world.sql("select account_id from sessions where encode(hash, 'hex') = $1", [
    hash,
  ]);
  return row.account_id;
}
