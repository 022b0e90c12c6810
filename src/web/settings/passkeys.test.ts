/** Passkeys: when they count, how many a login has, and what their answers must prove. An authenticator in software signs. */
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../../../test/support/browser/browser.ts";
import { codesOn } from "../../../test/support/browser/factor.ts";
import { addPasskey, beginPasskey, makePasskey } from "../../../test/support/browser/passkey.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const NEW = "/me/factors/passkey";
const FIRST = `${NEW}/first-answer`;
const FACTOR = "/sign-in/factor";
const password = "correct horse battery staple";
const world = useWorld({ knows_origin: true, host: "localhost" });

let person: Browser;
let email: string;
let login_id: string;
beforeEach(async () => {
  const { browser, user_id } = await openConsent(world).person();
  person = browser;
  ({ email } = await world.done(`GET /users/${user_id}`));
  [{ id: login_id }] = await world.sql("select id from logins where email = $1", [email]);
});

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/me")).html.includes("<h1>Me</h1>");
const mailsTo = async (): Promise<string[]> =>
  (await world.mails())
    .filter(({ to }) => to?.[0]?.address === email)
    .map(({ subject }) => subject ?? "")
    .filter((subject) => !subject.startsWith("Invitation"));
const keysOf = () => world.sql("select id, name from passkeys where login_id = $1", [login_id]);
/** A browser whose password was right, with the page that asks for the factor. */
async function pending() {
  const browser = openBrowser(world);
  await browser.signIn(email, password);
  return { browser, page: await browser.get(FACTOR) };
}

/** Gives the login passkeys that count. */
async function withKeys(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await world.sql(
      `insert into passkeys (id, login_id, name, public_key, counter, transports, last_used_at)
       values ($1, $2, $3, $4, 0, '{}', now())`,
      [randomBytes(32).toString("base64url"), login_id, `Key ${n}`, Buffer.from([1])],
    );
  }
}

describe("a new passkey", () => {
  it("counts after its first right answer: only then other sessions end and the owner gets a mail", async () => {
    const other = openBrowser(world);
    await other.signIn(email, password);
    const { passkey, first } = await beginPasskey(world, person, "Key on the desk");
    expect(first?.html).toContain("<h1>Use the passkey once</h1>");
    expect(textOf(await person.get("/me"))).not.toContain("Key on the desk");
    expect((await openBrowser(world).signIn(email, password)).location).toBe("/");
    expect([await isSignedIn(other), await mailsTo()]).toEqual([true, []]);

    const page = await person.get(FIRST);
    const done = await person.submit(page, FIRST, { passkey: passkey.answer(page) });
    expect(codesOn(done)).toHaveLength(10);
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    expect(await mailsTo()).toEqual(["En adgangsnøgle er føjet til dit login"]);
    expect(textOf(await person.get("/me"))).toContain("Key on the desk");
    expect((await person.get(FIRST)).location).toBe("/me");

    const { browser, page: asked } = await pending();
    const answered = await browser.submit(asked, FACTOR, { passkey: passkey.answer(asked) });
    expect([answered.status, await isSignedIn(browser)]).toEqual([303, true]);
  });

  it("does not count by a wrong answer, of another passkey or without a touch", async () => {
    const { passkey, first } = await beginPasskey(world, person, "Mine");
    const { passkey: stranger } = makePasskey(world, await person.get(NEW));
    if (first === null) throw new Error("no page");
    const tries = [stranger.answer, (page: typeof first) => passkey.answer(page, false), () => "x"];
    for (const answer of tries) {
      const page = await person.get(FIRST);
      const tried = await person.submit(page, FIRST, { passkey: answer(page) });
      expect([tried.status, codesOn(tried)]).toEqual([422, []]);
    }
    expect((await openBrowser(world).signIn(email, password)).location).toBe("/");
  });

  it("is refused without a touch, and by an answer that was sent before", async () => {
    const page = await person.get(NEW);
    const { made } = makePasskey(world, page, false);
    expect((await person.submit(page, NEW, { name: "x", passkey: made })).status).toBe(422);
    const again = await person.get(NEW);
    const { made: once } = makePasskey(world, again);
    expect((await person.submit(again, NEW, { name: "x", passkey: once })).location).toBe(FIRST);
    expect((await person.submit(again, NEW, { name: "x", passkey: once })).status).toBe(422);
  });

  it("replaces another one that waits for its first answer, and none that counts", async () => {
    await addPasskey(world, person, "Counts");
    await beginPasskey(world, person, "Waits");
    await beginPasskey(world, person, "Newer");
    expect((await keysOf()).map(({ name }) => name).sort()).toEqual(["Counts", "Newer"]);
  });
});

describe("a passkey that counts", () => {
  it("is no answer for another login, and works once for each request", async () => {
    const { passkey } = await addPasskey(world, person, "Mine");
    const { browser: stranger } = await openConsent(world).person();
    const { passkey: other_key } = await addPasskey(world, stranger, "Other");
    const { browser: wrong, page: on } = await pending();
    expect((await wrong.submit(on, FACTOR, { passkey: other_key.answer(on) })).status).toBe(401);
    const { browser, page } = await pending();
    const answer = passkey.answer(page);
    expect((await browser.submit(page, FACTOR, { passkey: answer })).status).toBe(303);
    const { browser: next, page: asked } = await pending();
    expect((await next.submit(asked, FACTOR, { passkey: answer })).status).toBe(401);
  });

  it("is one of ten at most", async () => {
    await withKeys(9);
    expect((await person.get("/me")).html).toContain(`href="${NEW}"`);
    await addPasskey(world, person, "Tenth");
    const page = await person.get(NEW);
    const { made } = makePasskey(world, page);
    expect((await person.submit(page, NEW, { name: "Eleventh", passkey: made })).status).toBe(422);
    expect(await keysOf()).toHaveLength(10);
    const me = await person.get("/me");
    expect(textOf(me)).toContain("You have 10 passkeys, which is the most.");
    expect(me.html).not.toContain(`href="${NEW}"`);
  });

  it("is refused where the tenth came before its first answer", async () => {
    await withKeys(9);
    const { passkey, first } = await beginPasskey(world, person, "Late");
    if (first === null) throw new Error("no page");
    await withKeys(1);
    const late = await person.submit(first, FIRST, { passkey: passkey.answer(first) });
    expect([late.status, codesOn(late)]).toEqual([422, []]);
  });
});
