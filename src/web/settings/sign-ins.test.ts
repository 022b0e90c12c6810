/** Where a person is signed in: the list on their page, and signing out there and everywhere else. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36";

const world = useWorld({ knows_origin: true });
let admin: Browser;
beforeAll(async () => {
  admin = await signedInWith(FIREFOX);
});

/** The admin in another browser. */
async function signedInWith(user_agent: string): Promise<Browser> {
  const browser = openBrowser(world);
  const { html } = await browser.get("/sign-in");
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const { email } = world.account.admin;
  const { password } = openConsent(world);
  const headers = { "user-agent": user_agent };
  await browser.post("/sign-in", { email, password, csrf, next: "/" }, headers);
  return browser;
}

const textOf = ({ html }: PageReply): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/me")).html.includes("<h1>Me</h1>");
const idsOn = ({ html }: PageReply): string[] =>
  [...html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id = ""]) => id);

describe("the sign-ins of a person", () => {
  it("are listed with browser and network, their own first", async () => {
    const other = await signedInWith(CHROME);
    const page = textOf(await admin.get("/me"));
    expect(page).toMatch(/Firefox, Linux .*127\.0\.0\.1.*This browser.*Chrome, Windows/);
    expect(await isSignedIn(other)).toBe(true);
  });

  it("end one by one, with an audit event, and the own stays", async () => {
    const other = await signedInWith(CHROME);
    const page = await admin.get("/me");
    const [id = ""] = idsOn(page);
    const ended = await admin.submit(page, "/me/sign-out", { id });
    expect(ended.location).toBe("/me");
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(admin)).toBe(true);
    const { user_id } = world.account.admin;
    const { data } = await world.done(
      `GET /audit-events?resource_type=user&resource_id=${user_id}&limit=1`,
    );
    expect(data[0]).toMatchObject({ action: "signed_out", actor: { kind: "user", id: user_id } });
  });

  it("end everywhere else", async () => {
    const others = [await signedInWith(CHROME), await signedInWith(FIREFOX)];
    const page = await admin.get("/me");
    await admin.submit(page, "/me/sign-out-others", {});
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect(textOf(await admin.get("/me"))).toContain("You are signed in here only.");
  });

  it("of another person are neither listed nor ended", async () => {
    const { browser } = await openConsent(world).person();
    const [{ id }] = await world.sql("select id from sessions order by created_at desc limit 1");
    const page = await admin.get("/me");
    expect(page.html).not.toContain(id);
    const other = await signedInWith(CHROME);
    const shown = await admin.get("/me");
    await admin.submit(shown, "/me/sign-out", { id });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
    expect((await admin.submit(shown, "/me/sign-out", { id: "none" })).location).toBe("/me");
  });

  it("from before the upgrade are listed without a browser", async () => {
    await world.sql(
      "update sessions set browser = null, network = null where login_id is not null",
    );
    expect(textOf(await admin.get("/me"))).toMatch(/Unknown .*This browser/);
  });
});
