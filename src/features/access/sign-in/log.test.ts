/** The log of a whole sign-in and connection contains no secret; and the address for which attempts are counted. */
import { pino } from "pino";
import { expect, it } from "vitest";
import { openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";

const lines: string[] = [];

const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1" },
  overrides: { log: pino({ level: "debug" }, { write: (line) => void lines.push(line) }) },
});

it("the log contains no password, link, cookie, code or token", async () => {
  const oauth = openConsent(world);
  const { browser } = await oauth.person();
  const client = await oauth.client();
  const code = await client.code(browser);
  const first = (await client.exchange(code)).body;
  const second = (await client.refresh(first.refresh_token)).body;
  await client.refresh(second.refresh_token);
  await client.refresh(first.refresh_token);
  await client.exchange("made up");
  await browser.post("/sign-in", { email: "x@x.example", password: "a wrong password" });
  await browser.post("/sign-in", "password=%00");
  const [mail] = await world.mails();
  const link = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "no link";

  const log = lines.join("");

  expect(log).toContain("a secret of it was used twice");
  expect(log).toContain('"path":"/invitation"');
  const secrets = [oauth.password, "a wrong password", link, browser.cookie() ?? "", code];
  const tokens = [first, second].flatMap((body) => [body.access_token, body.refresh_token]);
  for (const secret of [...secrets, ...tokens]) {
    expect(secret.length).toBeGreaterThan(6);
    expect(log).not.toContain(secret);
  }
});

it("attempts are counted for the address that a trusted proxy names", async () => {
  const attempt = async (address: string) => {
    const browser = openBrowser(world);
    const page = await browser.get("/sign-in");
    const hidden = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
    const fields = { csrf: hidden, email: `${Math.random()}@x.example`, password: "wrong" };
    return (await browser.post("/sign-in", fields, { "x-forwarded-for": address })).status;
  };
  expect(await attempt("203.0.113.1")).toBe(401);
  await world.sql("update rate_counters set count = 100");
  expect(await attempt("203.0.113.1")).toBe(429);
  expect(await attempt("203.0.113.2")).toBe(401);
});
