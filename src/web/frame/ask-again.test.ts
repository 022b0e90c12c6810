/** A change of access asks again who the person is, when their last answer is more than ten minutes old. */
import { fastify } from "fastify";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Browser,
  hiddenFields,
  type PageReply,
  proofOf,
} from "../../../test/support/browser/browser.ts";
import { addApp, type TestApp } from "../../../test/support/browser/factor.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import type { Problem } from "../../domain/base/problem.ts";
import { RateLimiter } from "../../platform/fairness/limits/token-bucket.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { actions, pages } from "../pages.ts";
import { mountActions } from "./action.ts";

const CREATE = "/settings/developer/create-key";
const world = useWorld({ knows_origin: true });
const password = "correct horse battery staple";
let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

/** As if ten minutes had passed since every answer. */
const passTime = () =>
  world.sql("update sessions set answered_at = answered_at - interval '601 seconds'");
const keyIn = ({ html }: PageReply): string | undefined => /mbk_[0-9A-Za-z]{36}/.exec(html)?.[0];
const asksIn = ({ html }: PageReply): boolean => html.includes("<h1>Confirm that it is you</h1>");
const sendKey = async (name: string): Promise<PageReply> =>
  admin.submit(await admin.get("/settings/developer"), CREATE, { name, scope: "read" });

it("is asked by every form that changes keys, people or factors", () => {
  const asking = pages.filter(({ asks_again }) => asks_again).map(({ path }) => path);
  for (const path of [
    CREATE,
    "/people/new",
    "/people/:id",
    "/people/:id/invite",
    "/people/:id/activate",
    "/people/:id/deactivate",
    "/me/factors/app/new",
    "/me/factors/app",
    "/me/factors/app/remove",
    "/me/factors/codes",
  ]) {
    expect(asking).toContain(path);
  }
  // The connection and the password ask in their own way, because their forms have secrets.
  const changing = /^\/(people|me\/factors)\b|create-key$|ledger\/connection\/(?!new$)/;
  const posts = pages.filter(({ method, path }) => method === "POST" && changing.test(path));
  expect(posts.filter(({ asks_again }) => !asks_again).map(({ path }) => path)).toEqual([]);
  // An action of an island that concerns access asks, too.
  const concerning = /key|connect|mapping|people|person|factor|password|sign-in/;
  const silent = actions.filter(({ path, asks_again }) => concerning.test(path) && !asks_again);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

describe("an action that asks again", () => {
  /** The action that renames an account of the ledger, as if it concerned access. */
  async function openGuarded() {
    const action = actions.find(({ path }) => path === "/app/ledger/rename");
    if (action === undefined) throw new Error("there is no such action");
    const app = fastify();
    app.decorateRequest("caller", null);
    app.setErrorHandler((error, _request, reply) => {
      const { code, kind } = error as Problem;
      return reply.code(statusOfKind[kind]).send({ error: { code } });
    });
    mountActions(app, world.services, [{ ...action, asks_again: true }], new RateLimiter(null));
    return { app, url: `${await app.listen({ host: "127.0.0.1", port: 0 })}/app/ledger/rename` };
  }

  it("answers 403 REAUTHENTICATION_REQUIRED and changes nothing, until the person has answered", async () => {
    const { app, url } = await openGuarded();
    const [account] = await world.sql(
      "select number, name from ledger_accounts order by number limit 1",
    );
    const proof = await proofOf(admin);
    const rename = async () => {
      const reply = await fetch(url, {
        method: "POST",
        headers: {
          cookie: `matchbook=${admin.cookie()}`,
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          "x-csrf": proof,
        },
        body: JSON.stringify({ number: account.number, name: "Typed", seen_name: account.name }),
      });
      const { error, name } = (await reply.json()) as Json;
      return [reply.status, error?.code ?? name];
    };
    const nameNow = async () => {
      const [now] = await world.sql("select name from ledger_accounts where number = $1 limit 1", [
        account.number,
      ]);
      return now.name;
    };
    await passTime();
    expect(await rename()).toEqual([403, "REAUTHENTICATION_REQUIRED"]);
    expect(await nameNow()).toBe(account.name);
    await admin.submit(await sendKey("Answered"), CREATE, { answer_password: password });
    expect(await rename()).toEqual([200, "Typed"]);
    expect(await nameNow()).toBe("Typed");
    await app.close();
  });
});

describe("without a second factor", () => {
  beforeEach(passTime);

  it("the password is asked for, and what was typed stays", async () => {
    const asked = await sendKey('Kept "name"');
    expect([asked.status, asksIn(asked), keyIn(asked)]).toEqual([403, true, undefined]);
    expect(hiddenFields(asked.html, CREATE)).toMatchObject({ name: 'Kept "name"', scope: "read" });
    const wrong = await admin.submit(asked, CREATE, { answer_password: "not the password" });
    expect([wrong.status, keyIn(wrong)]).toEqual([422, undefined]);
    const made = await admin.submit(wrong, CREATE, { answer_password: password });
    expect([made.status, keyIn(made)]).toEqual([200, expect.any(String)]);
    expect(made.html).toContain("Kept &quot;name&quot;");
  });

  it("one answer counts for ten minutes in its session alone", async () => {
    const other = await openConsent(world).signedInAdmin();
    await passTime();
    await admin.submit(await sendKey("First"), CREATE, { answer_password: password });
    expect(keyIn(await sendKey("Second"))).toBeDefined();
    const page = await other.get("/people/new");
    const fields = { name: "New", email: "asked@x.example", role: "standard" };
    const asked = await other.submit(page, "/people/new", fields);
    expect([asked.status, asksIn(asked)]).toEqual([403, true]);
    await passTime();
    expect(asksIn(await sendKey("Third"))).toBe(true);
  });

  it("the form of the password asks for it itself", async () => {
    const page = await admin.get("/me/password");
    expect(page.html).toContain('name="old_password"');
  });

  it("reading and other changes ask nothing", async () => {
    expect((await admin.get("/settings/developer")).status).toBe(200);
    const made = await admin.submit(await admin.get("/products/new"), "/products/new", {
      name: "Asked for nothing",
    });
    expect(asksIn(made)).toBe(false);
  });
});

describe("with a second factor", () => {
  let person: Browser;
  let app: TestApp;
  beforeEach(async () => {
    ({ browser: person } = await openConsent(world).person());
    app = await addApp(world, person);
    await passTime();
  });
  const REMOVE = "/me/factors/app/remove";

  it("a code is asked for, once each, and never the password", async () => {
    const asked = await person.submit(await person.get(REMOVE), REMOVE, {});
    expect([asked.status, asksIn(asked)]).toEqual([403, true]);
    expect(asked.html).not.toContain('type="password"');
    const tried = await person.submit(asked, REMOVE, { answer_password: password });
    expect(tried.status).toBe(422);
    const code = app.code();
    expect((await person.submit(tried, REMOVE, { answer_code: code })).location).toBe("/me");
  });

  it("a used code does not count again", async () => {
    const CODES = "/me/factors/codes";
    const asked = await person.submit(await person.get("/me"), CODES, {});
    const code = app.code();
    expect((await person.submit(asked, CODES, { answer_code: code })).status).toBe(200);
    await passTime();
    expect((await person.submit(asked, CODES, { answer_code: code })).status).toBe(422);
  });

  it("it is asked for before the form of the password, and no password is written into a page", async () => {
    const asked = await person.get("/me/password");
    expect([asksIn(asked), asked.html.includes("old_password")]).toEqual([true, false]);
    const led = await person.submit(asked, "/me/password/answer", { answer_code: app.code() });
    expect(led.location).toBe("/me/password");
    const form = await person.get("/me/password");
    await passTime();
    const next = "an entirely new password";
    const late = await person.submit(form, "/me/password", {
      old_password: password,
      password: next,
      again: next,
    });
    expect([asksIn(late), late.html.includes(next)]).toEqual([true, false]);
    const [recovery = ""] = app.recovery;
    await person.submit(late, "/me/password/answer", { answer_code: recovery });
    const again = await person.get("/me/password");
    const changed = await person.submit(again, "/me/password", {
      old_password: password,
      password: next,
      again: next,
    });
    expect(changed.location).toBe("/");
    expect((await person.get("/me")).html).toContain("<h1>Me</h1>");
  });
});
