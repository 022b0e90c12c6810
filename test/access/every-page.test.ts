/**
 * Every page in a real browser: no violation of WCAG 2.2 A and AA, no message on the console, nothing that the content security
 * policy refuses, nothing wider than the window. Each page has a line in test/support/browser/every-page.ts. The suite visits each
 * page in Danish, light and wide, and in English, dark and on a phone; with EVERY_LOOK=true in all eight combinations.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, startChromium } from "../support/browser/chromium.ts";
import { everyPage, type Visit } from "../support/browser/every-page.ts";
import { useWorld } from "../support/world/world.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
const LOCALES = ["en-GB", "da-DK"] as const;
type Locale = (typeof LOCALES)[number];
type Look = readonly [colour_scheme: "light" | "dark", width: number];
const EVERY_LOOK: readonly Look[] = [
  ["light", 1280],
  ["dark", 1280],
  ["dark", 360],
  ["light", 360],
];
const has_every_look = process.env.EVERY_LOOK === "true";

/** The themes and widths in which pages of a language are checked. */
const LOOKS: Readonly<Record<Locale, readonly Look[]>> = has_every_look
  ? { "en-GB": EVERY_LOOK, "da-DK": EVERY_LOOK }
  : { "en-GB": [["dark", 360]], "da-DK": [["light", 1280]] };

/** The global that axe adds to a page. */
interface WithAxe {
  readonly axe: { run(where: Document, options: object): Promise<AxeResults> };
}

/** The rules about colours: a theme changes nothing for the other rules. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

const everyRule = { runOnly: { type: "tag", values: TAGS } };
const rulesOfColours = { runOnly: { type: "rule", values: OF_COLOURS } };
const rulesOfWords = {
  ...everyRule,
  rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])),
};

/**
 * The rules for a combination. Where all are visited, dark pages are checked for their colours alone, and light ones in Danish for
 * all but their colours.
 */
function rulesFor(locale: Locale, colorScheme: "light" | "dark"): object {
  if (!has_every_look) return everyRule;
  if (colorScheme === "dark") return rulesOfColours;
  return locale === LOCALES[0] ? everyRule : rulesOfWords;
}

/** The faults of a page in its current state, in words. */
async function faultsOf(page: Page, rules: object = everyRule): Promise<string[]> {
  const options = { ...rules, resultTypes: ["violations"] };
  const { violations, wide, high } = await page.evaluate(async (given) => {
    // The theme changes immediately, not over several frames, so that the final state is checked.
    for (const one of document.getAnimations()) one.finish();
    const results = await (globalThis as unknown as WithAxe).axe.run(document, given);
    const { scrollWidth, clientWidth } = document.documentElement;
    const rows = [...document.querySelectorAll(".folds tbody tr")];
    const highest = Math.max(0, ...rows.map((row) => row.getBoundingClientRect().height));
    const is_phone = clientWidth < 600;
    return {
      violations: results.violations,
      wide: scrollWidth - clientWidth,
      high: is_phone && highest > 96 ? highest : 0,
    };
  }, options);
  const broken = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
  );
  if (wide > 0) broken.push(`${wide} pixels wider than the window`);
  if (high > 0) broken.push(`a folded row is ${high} pixels high`);
  return broken;
}

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    let browser: Browser;
    let visits: readonly Visit[];

    const world = useWorld({ knows_origin: true });
    beforeAll(async () => {
      browser = await startChromium();
      visits = await everyPage(world);
    });
    afterAll(() => browser?.close());

    /** Visits all pages of some visitors, one after another, and checks each in every way. */
    async function faultsIn(locale: Locale, chosen: readonly Visit[]): Promise<string[]> {
      const context = await browser.newContext({ locale, reducedMotion: "reduce" });
      // The browser keeps the script for all pages: sending half a megabyte to each takes a tenth of the time.
      await context.addInitScript({ content: AXE });
      const page = await context.newPage();
      const found: string[] = [];
      let here = "";
      page.on("console", (message) => {
        // The browser logs every 4xx answer.
        if (/the server responded with a status of 4\d\d/.test(message.text())) return;
        found.push(`${here}: ${message.text()}`);
      });
      page.on("pageerror", (error) => found.push(`${here}: ${error}`));
      for (const visit of chosen) {
        here = `${locale} ${visit.path}`;
        await context.clearCookies();
        if (visit.cookie !== null) {
          await context.addCookies([{ name: "matchbook", value: visit.cookie, url: world.origin }]);
        }
        await page.goto(world.origin + visit.path);
        // A page that is left while its islands are loading reports errors.
        await page
          .locator("[data-island]:not([data-alive])")
          .first()
          .waitFor({ state: "detached" });
        for (const [colorScheme, width] of LOOKS[locale]) {
          const rules = rulesFor(locale, colorScheme);
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 800 });
          const faults = await faultsOf(page, rules);
          found.push(...faults.map((fault) => `${here}, ${colorScheme}, ${width}: ${fault}`));
        }
      }
      await context.close();
      return found;
    }

    it.each(LOCALES)("every page is without faults, in %s", async (locale) => {
      expect(await faultsIn(locale, visits)).toEqual([]);
    });

    it.each(LOCALES)("every panel of the draft editor is without faults, in %s", async (locale) => {
      const draft = visits.find(({ page }) => page === "/invoices/:id") as Visit;
      const context = await browser.newContext({ locale, reducedMotion: "reduce" });
      const cookie = { name: "matchbook", value: draft.cookie ?? "", url: world.origin };
      await context.addCookies([cookie]);
      const page = await context.newPage();
      await page.goto(world.origin + draft.path);
      await page.locator("[data-island]:not([data-alive])").waitFor({ state: "detached" });
      await page.evaluate(AXE);
      const open: Readonly<Record<string, () => Promise<void>>> = {
        "unbilled hours and the deletion": async () => {
          for (const part of ["unbilled", "delete"]) {
            await page.locator(`details.${part} > summary`).click();
          }
          await page.locator(".unbilled ul").first().waitFor();
        },
        "how a line is earned": async () => {
          await page.locator("details.method > summary").first().click();
          await page.locator(".panel").waitFor();
        },
        "the actions on a line": async () => {
          await page.locator("details.grip > summary").first().click();
          await page.locator(".panel").waitFor();
        },
        "who, and the books": async () => {
          await page.locator("details.who > summary").first().click();
          await page.locator("#tab-books").click();
          await page.locator("#beside-books .entry").waitFor();
        },
        "the products, and the e-mail": async () => {
          await page.locator("#tab-mail").click();
          await page.locator("#beside-mail .mail-shown").waitFor();
          await page.locator('.line [role="combobox"]').first().fill("D");
          await page.locator('.line [role="option"]').first().waitFor();
        },
      };
      const found: string[] = [];
      for (const [part, show] of Object.entries(open)) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await show();
        for (const [colorScheme, width] of LOOKS[locale]) {
          const rules = rulesFor(locale, colorScheme);
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 800 });
          const faults = await faultsOf(page, rules);
          found.push(...faults.map((fault) => `${part}, ${colorScheme}, ${width}: ${fault}`));
        }
      }
      await context.close();
      expect(found).toEqual([]);
    });

    it("the menu on a phone is without faults", async () => {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      const { cookie, path } = visits.find((one) => one.page === "/choose-account") as Visit;
      await page
        .context()
        .addCookies([{ name: "matchbook", value: cookie ?? "", url: world.origin }]);
      await page.goto(world.origin + path);
      await page.evaluate(AXE);
      await page.locator("details.menu > summary").click();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faultsOf(page)).toEqual([]);
      }
      await page.close();
    });

    it("the check itself finds faults of contrast, labels and width", async () => {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      await page.setContent(
        '<html lang="en"><title>x</title><p style="color: #bbb; width: 500px">Faded</p><input></html>',
      );
      await page.evaluate(AXE);
      const faults = (await faultsOf(page)).map((fault) => fault.split(" ").slice(0, 2).join(" "));
      expect(faults).toEqual([
        "color-contrast: <p",
        "label: <input>",
        expect.stringMatching("pix"),
      ]);
      await page.close();
    });
  },
);
