/**
 * The rate limits of an account and of a person (spec 11.8).
 * src/platform/fairness/limits/token-bucket.ts has the arithmetic of the bucket.
 */
import { describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { type Browser, openBrowser, proofOf } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

describe("a rate limit of 5 requests a second in bursts of 5", () => {
  const hasty = useWorld({ environment: { MATCHBOOK_RATE_LIMIT: "5:5" } });

  it("refuses further requests with 429 and the time for a retry", async () => {
    const { keys } = hasty.account;
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => hasty.rest("GET /customers", undefined, keys.read)),
    );
    const [refused, allowed] = [429, 200].map((s) => replies.filter((r) => r.status === s));

    expect(allowed?.length).toBeGreaterThanOrEqual(5);
    expect((refused?.length ?? 0) + (allowed?.length ?? 0)).toBe(40);
    expect(refused?.length).toBeGreaterThan(0);
    for (const { body, headers } of refused ?? []) {
      expect(body.error.code).toBe("RATE_LIMITED");
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    for (const { headers } of replies) {
      expect(headers.get("ratelimit-policy")).toBe('"default";q=5;w=1');
      expect(headers.get("ratelimit")).toMatch(/^"default";r=[0-4];t=\d+$/);
    }
  });

  it("counts the keys of an account together, and each account separately", async () => {
    const { keys } = await hasty.openAnother();
    const asked = (key: string) =>
      Promise.all(Array.from({ length: 20 }, () => hasty.rest("GET /customers", undefined, key)));
    const [reading] = await Promise.all([asked(keys.read), asked(keys.read_write)]);
    const allowed = reading.filter(({ status }) => status === 200);
    expect(allowed.length).toBeLessThan(20);
    const other = await hasty.openAnother();
    expect((await hasty.rest("GET /customers", undefined, other.keys.read)).status).toBe(200);
  });

  it("does not count requests without a key", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => hasty.rest("GET /customers", undefined, null)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
  });
});

describe("a rate limit of 5 requests a second in bursts of 10", () => {
  const world = useWorld({ knows_origin: true, environment: { MATCHBOOK_RATE_LIMIT: "5:10" } });
  /** A person who has made no request yet. */
  const person = async (): Promise<Browser> => (await openConsent(world).person()).browser;
  const pagesOf = (browser: Browser, headers = {}) =>
    Promise.all(Array.from({ length: 60 }, () => browser.get("/customers", headers)));

  it("refuses a person's pages with a page that states when to retry", async () => {
    const pages = await pagesOf(await person());
    const refused = pages.filter(({ status }) => status === 429);

    expect(pages.filter(({ status }) => status === 200).length).toBe(60 - refused.length);
    expect(60 - refused.length).toBeGreaterThanOrEqual(9);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, html } of refused) {
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(html).toContain("Try again in a moment.");
      expect(html).toContain('<a href="/customers">Try again</a>');
    }
  });

  it("writes that page in the reader's language", async () => {
    const pages = await pagesOf(await person(), { "accept-language": "da" });
    expect(pages.findLast(({ status }) => status === 429)?.html).toContain("Prøv igen om lidt.");
  });

  it("refuses a person's actions with the JSON error envelope", async () => {
    const one = await person();
    const proof = await proofOf(one);
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => one.act("/app/search", { q: "x" }, proof)),
    );
    const refused = sent.filter(({ status }) => status === 429);

    expect(sent.filter(({ status }) => status === 200).length).toBe(60 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body } of refused) expect(body.error.code).toBe("RATE_LIMITED");
  });

  it("counts pages and actions of a person together, and each person separately", async () => {
    const [one, other] = [await person(), await person()];
    const proof = await proofOf(one);
    const began = performance.now();
    const [pages, ...sent] = await Promise.all([
      pagesOf(one),
      ...Array.from({ length: 60 }, () => one.act("/app/search", { q: "x" }, proof)),
    ]);
    const seconds = (performance.now() - began) / 1000;

    const allowed = [...pages, ...sent].filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(10 + 5 * seconds);
    expect((await other.get("/customers")).status).toBe(200);
    expect((await world.rest("GET /customers")).status).toBe(200);
    expect((await openBrowser(world).get("/sign-in")).status).toBe(200);
  });

  it("counts requests without a valid proof as well", async () => {
    const one = await person();
    const sent = await Promise.all(
      Array.from({ length: 30 }, async () => [
        (await one.act("/app/search", { q: "x" }, "forged")).status,
        (await one.post("/me/preferences", { csrf: "forged" })).status,
      ]),
    );
    expect(new Set(sent.flat())).toEqual(new Set([400, 429]));
  });

  it("does not count the assets of a page", async () => {
    const one = await person();
    const { html } = await one.get("/customers");
    const loaded = [...html.matchAll(/(?:src|href)="(\/assets\/[^"#]+)/g)].map(
      ([, url = ""]) => url,
    );
    expect(loaded.length).toBeGreaterThan(1);
    for (const url of loaded) {
      const replies = await Promise.all(Array.from({ length: 12 }, () => one.get(url)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect((await one.get("/customers")).status).toBe(200);
  });

  it("serves a person while a key of the account is at its limit", async () => {
    const one = await person();
    for (let n = 0; n < 8; n += 1) {
      let is_at_limit = false;
      while (!is_at_limit) {
        const asked = Array.from({ length: 20 }, () => world.rest("GET /customers"));
        is_at_limit = (await Promise.all(asked)).some(({ status }) => status === 429);
      }
      expect((await one.get("/customers")).status).toBe(200);
    }
  });
});

describe.skipIf(lacksChromium)(
  "beyond the rate limit, in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({ knows_origin: true, environment: { MATCHBOOK_RATE_LIMIT: "1:20" } });
    const chromium = useChromium(world);

    it("an editor saves what was typed as soon as the limit allows it", async () => {
      const admin = await openConsent(world).signedInAdmin();
      const { id: customer_id } = await world.done("POST /customers", { name: "Lindegaard" });
      const { id: product_id } = await world.done("POST /products", { name: "Workshop" });
      const lines = [{ product_id, recognition_method: "on_issue", agreed_value: 1 }];
      const { id } = await world.done("POST /invoices", { customer_id, title: "Autumn", lines });
      const page = await chromium.open(admin.cookie());
      await page.goto(`/invoices/${id}`);
      await alive(page);
      let refused = 0;
      page.on("response", (response) => {
        if (response.url().endsWith("/app/drafts/save") && response.status() === 429) refused += 1;
      });
      const pages = () => Promise.all(Array.from({ length: 20 }, () => admin.get("/customers")));
      // Other requests use up the limit; if a save still gets through, another one follows.
      const used_up = (async () => {
        while (refused === 0) await pages();
      })();
      let typed = "";
      for (let n = 1; refused === 0; n += 1) {
        typed = `Winter ${n}`;
        const answered = page.waitForResponse((one) => one.url().endsWith("/app/drafts/save"));
        await page.getByLabel("Title").fill(typed);
        await answered;
      }
      await used_up;
      await page.getByText("Saved", { exact: true }).waitFor();

      expect((await world.done(`GET /invoices/${id}`)).title).toBe(typed);
    });
  },
);
