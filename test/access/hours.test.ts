/** A week of hours in a real browser: only by keyboard, by touch, through reloads, lost connections and second tabs. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const WEEK = "/hours/2026-W46";
const SAVE = "**/app/hours/save";
/** Polls with a timeout for slow machines. */
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 20_000 });

/** Prints a figure of this machine for the reader; no test depends on it. */
const print = (figure: string): void => {
  process.stdout.write(`${figure}\n`);
};
/** Monday to Sunday. */
const DAYS = ["09", "10", "11", "12", "13", "14", "15"].map((day) => `2026-11-${day}`);

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, at, hours, invoice, registered, list } = useWork({ knows_origin: true });
    const chromium = useChromium(world);
    let oauth: ReturnType<typeof openConsent>;
    let user_id = "";
    let cookie: string | null = null;

    beforeAll(() => {
      oauth = openConsent(world);
      at("2026-11-22");
    });
    beforeEach(async () => {
      const person = await oauth.person();
      user_id = person.user_id;
      cookie = person.browser.cookie();
    });

    const lineOf = async (title: string, fields: Json = {}): Promise<string> => {
      const own = { assignees: [{ user_id }], hourly_rate: 1150, ...fields };
      return (await invoice([hours(own)], { title })).lines[0].id;
    };
    const lines = async (...titles: string[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const title of titles) ids.push(await lineOf(title));
      return ids;
    };
    const work = (line_id: string, day: number, fields: Json = {}): Promise<Json> =>
      registered(line_id, { user_id, date: DAYS[day], ...fields });
    /** The stored registrations of a line by day, such as `10 7.5 Cart`. */
    const stored = async (line_id: string): Promise<string[]> =>
      (await list(`user=${user_id}&line=${line_id}`))
        .map((one: Json) =>
          [one.date.slice(8), one.hours, one.note, one.billable ? null : "free"]
            .filter((part) => part !== null)
            .join(" "),
        )
        .sort();

    async function opened(options: BrowserContextOptions = {}): Promise<Page> {
      const page = await chromium.open(cookie, options);
      await page.goto(WEEK);
      await alive(page);
      return page;
    }
    const cell = (page: Page, row: number, day: number) =>
      page.locator(`input.hour[data-row="${row}"][data-days="${day}"]`);
    const saved = (page: Page, words = "All saved") =>
      page.getByRole("status").filter({ hasText: words }).waitFor();
    const focused = (page: Page) =>
      page.evaluate(() => {
        const { row, days } = (document.activeElement as HTMLElement).dataset;
        return `${row} ${days}`;
      });

    it("can be filled by keyboard alone: five lines by five days", async () => {
      const ids = await lines("a", "b", "c", "d", "e");
      const page = await opened();
      const began = performance.now();
      for (let stop = 0; stop < 40 && (await focused(page)) !== "0 0"; stop += 1) {
        await page.keyboard.press("Tab");
      }
      expect(await focused(page)).toBe("0 0");
      for (let day = 0; day < 5; day += 1) {
        for (let row = 0; row < 5; row += 1) {
          await page.keyboard.type("1,5");
          await page.keyboard.press("Enter");
        }
        for (let row = 1; row < 5; row += 1) await page.keyboard.press("ArrowUp");
        await page.keyboard.press("ArrowRight");
      }
      await saved(page);
      const seconds = (performance.now() - began) / 1000;
      print(`a week of 5 × 5 cells by keyboard, all stored: ${seconds.toFixed(1)} s`);
      for (const id of ids) {
        await soon(() => stored(id)).toEqual(["09 1.5", "10 1.5", "11 1.5", "12 1.5", "13 1.5"]);
      }
      const foot = page.locator("tfoot");
      expect(await foot.textContent()).toContain("37.50");
      // The grid is one tab stop: the next one is the note.
      await page.keyboard.press("Tab");
      expect(
        await page.locator("#cell-note").evaluate((one) => one === document.activeElement),
      ).toBe(true);
    });

    it("can be filled by thumb on a phone: one day at a time, with steps of a quarter of an hour", async () => {
      const [first = "", second = ""] = await lines("a", "b");
      const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
      const page = await opened(phone);
      await page.getByRole("button", { name: /^Wed 11/ }).tap();
      await cell(page, 0, 2).tap();
      await page.keyboard.type("7,5");
      await page.getByRole("button", { name: "+0.25 a" }).tap();
      await cell(page, 1, 2).tap();
      for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "+0.25 b" }).tap();
      await page.getByRole("button", { name: "−0.25 b" }).tap();
      await saved(page);
      await soon(async () => [await stored(first), await stored(second)]).toEqual([
        ["11 7.75"],
        ["11 0.5"],
      ]);
      expect(await cell(page, 0, 1).isVisible()).toBe(false);
      expect(await page.getByRole("button", { name: /^Wed 11/ }).textContent()).toContain("8.25");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    });

    it("reads and shows numbers and times in Danish notation", async () => {
      const [id = ""] = await lines("a");
      const page = await opened({ locale: "da" });
      await cell(page, 0, 0).click();
      await page.keyboard.type("7:30");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("1.500");
      await page.keyboard.press("ArrowRight");
      await page.getByText("Det bliver 1.500 timer tirsdag.").first().waitFor();
      expect(await cell(page, 0, 0).inputValue()).toBe("7,50");
      expect(await cell(page, 0, 1).inputValue()).toBe("1.500");
      await saved(page, "1 ikke gemt endnu");
      await soon(() => stored(id)).toEqual(["09 7.5"]);
    });

    it("stores a cell when the focus leaves it, never during typing, and deletes an emptied cell", async () => {
      const [id = ""] = await lines("a");
      const page = await opened();
      await cell(page, 0, 0).click();
      await page.keyboard.type("0.8");
      await page.waitForTimeout(300);
      await soon(() => stored(id)).toEqual([]);
      await page.keyboard.type("2");
      await page.keyboard.press("Enter");
      await soon(() => stored(id)).toEqual(["09 0.82"]);
      await page.keyboard.press("F2");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("5");
      await page.keyboard.press("Escape");
      expect(await cell(page, 0, 0).inputValue()).toBe("0.82");
      await page.keyboard.press("Delete");
      await page.keyboard.press("ArrowRight");
      await soon(() => stored(id)).toEqual([]);
      await page.keyboard.press("Control+z");
      await soon(() => stored(id)).toEqual(["09 0.82"]);
    });

    it("saves the note of a cell and whether it is billable, and shows its value", async () => {
      const [id = ""] = await lines("a");
      const page = await opened();
      await cell(page, 0, 2).click();
      await page.keyboard.type("5.5");
      await page.keyboard.press("Enter");
      await page.getByText("5.50 × 1,150.00 = 6,325.00").waitFor();
      await page.keyboard.press("n");
      await page.keyboard.type("Checkout");
      await cell(page, 0, 2).focus();
      await page.keyboard.press("b");
      await soon(() => stored(id)).toEqual(["11 5.5 Checkout free"]);
      const name = await cell(page, 0, 2).getAttribute("aria-label");
      expect(name).toBe("a, Wednesday 11 November, note: Checkout");
    });

    it("pastes a block from a spreadsheet, and copies a row for one", async () => {
      const [a = "", b = ""] = await lines("a", "b");
      const page = await opened();
      const paste = (text: string) =>
        page.evaluate((given) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", given);
          const event = { clipboardData, bubbles: true, cancelable: true };
          document.activeElement?.dispatchEvent(new ClipboardEvent("paste", event));
        }, text);
      await cell(page, 0, 1).click();
      await paste("1,5\t2\n3\t7:30\n");
      await saved(page);
      await soon(async () => [await stored(a), await stored(b)]).toEqual([
        ["10 1.5", "11 2"],
        ["10 3", "11 7.5"],
      ]);
      await page.keyboard.press("Shift+Space");
      const copied = await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        const event = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new ClipboardEvent("copy", event));
        return clipboardData.getData("text/plain");
      });
      expect(copied).toBe("\t1.50\t2.00\t\t\t\t");
      await page.keyboard.press("Control+z");
      await soon(() => stored(a)).toEqual([]);
    });

    it("keeps typed values exactly across a reload", async () => {
      const [a = "", b = ""] = await lines("a", "b");
      const page = await opened();
      await cell(page, 0, 0).click();
      await page.keyboard.type("seven");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.type("7,");
      await page.reload();
      await alive(page);
      expect(await cell(page, 0, 0).inputValue()).toBe("seven");
      expect(await cell(page, 0, 0).getAttribute("aria-invalid")).toBe("true");
      expect(await cell(page, 1, 0).inputValue()).toBe("7,");
      await soon(async () => [await stored(a), await stored(b)]).toEqual([[], []]);
      await cell(page, 1, 0).click();
      await page.keyboard.press("F2");
      await page.keyboard.type("25");
      await page.keyboard.press("Enter");
      await soon(() => stored(b)).toEqual(["09 7.25"]);
    });

    it("keeps unsent changes, and sends them when the connection is back", async () => {
      const [a = "", b = "", c = ""] = await lines("a", "b", "c");
      const page = await opened();
      await page.context().setOffline(true);
      await cell(page, 0, 0).click();
      for (const typed of ["1", "2", "3"]) {
        await page.keyboard.type(typed);
        await page.keyboard.press("Enter");
      }
      await saved(page, "No connection: 3 not saved yet");
      expect(await page.locator("tfoot").textContent()).toContain("6.00");
      await page.context().setOffline(false);
      await saved(page);
      await soon(async () => [await stored(a), await stored(b), await stored(c)]).toEqual([
        ["09 1"],
        ["09 2"],
        ["09 3"],
      ]);
    });

    it("sends unsent changes after a reload, also from the page of another week", async () => {
      const [a = ""] = await lines("a");
      const page = await opened();
      await page.route(SAVE, (route) => route.abort());
      await cell(page, 0, 0).click();
      await page.keyboard.type("4");
      await page.keyboard.press("Enter");
      await saved(page, "1 not saved yet");
      await page.goto("/hours/2026-W45");
      await alive(page);
      const left = page.getByRole("link", { name: "Hours of 2026-W46 are not saved yet." });
      await left.waitFor();
      // Saves fail until now, because any open page retries them on its own.
      await page.unroute(SAVE);
      await left.click();
      await soon(() => stored(a)).toEqual(["09 4"]);
    });

    it("registers once, also when the answer is lost", async () => {
      const [a = ""] = await lines("a");
      const page = await opened();
      let lost = 0;
      await page.route(SAVE, async (route) => {
        lost += 1;
        if (lost > 2) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await cell(page, 0, 0).click();
      await page.keyboard.type("4");
      await page.keyboard.press("Enter");
      await saved(page, "No connection");
      await page.getByRole("button", { name: "Try again" }).click();
      await saved(page);
      expect(lost).toBe(3);
      await soon(() => stored(a)).toEqual(["09 4"]);
    });

    it("says why a cell is locked, and accepts no input there", async () => {
      const frozen = await invoice([hours({ assignees: [{ user_id }] })], { title: "Frozen" });
      await work(frozen.lines[0].id, 0);
      await world.done(`POST /invoices/${frozen.id}/issue`);
      await lines("Open");
      await world.done("PATCH /configuration", { work_lock_date: DAYS[1] });
      const page = await opened();
      await world.done("PATCH /configuration", { work_lock_date: null });
      const reason = /Issued on 22 Nov 2026 as invoice \d+: its hours are frozen\./;
      expect(await cell(page, 0, 0).getAttribute("aria-label")).toMatch(reason);
      await cell(page, 0, 0).click();
      await page.keyboard.type("5");
      expect(await cell(page, 0, 0).inputValue()).toBe("2.00");
      expect(await page.locator(".cellbar").textContent()).toMatch(reason);
      // The other days are one field with the reason; arrow keys cross it in one step.
      await page.keyboard.press("ArrowRight");
      expect(await focused(page)).toBe("0 1 2 3 4 5 6");
      await page.keyboard.press("ArrowDown");
      expect(await page.locator(".cellbar").textContent()).toContain(
        "Hours are locked up to and including 10 Nov 2026.",
      );
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("2");
      await page.keyboard.press("Enter");
      await saved(page);
    });

    it("keeps a refused value in its cell, with the reason", async () => {
      const [a = ""] = await lines("a");
      const page = await opened();
      await registered(await lineOf("elsewhere"), { user_id, date: DAYS[2], hours: 20 });
      await cell(page, 0, 2).click();
      await page.keyboard.type("5");
      await page.keyboard.press("Enter");
      await page.getByText("That makes 25 hours on Wednesday.").first().waitFor();
      expect(await cell(page, 0, 2).inputValue()).toBe("5.00");
      expect(await cell(page, 0, 2).getAttribute("aria-invalid")).toBe("true");
      await cell(page, 0, 2).click();
      await page.keyboard.type("4");
      await page.keyboard.press("Enter");
      await soon(() => stored(a)).toEqual(["11 4"]);
    });

    it("lets the user choose between the values of two tabs", async () => {
      const [a = ""] = await lines("a");
      const first = await opened();
      const second = await first.context().newPage();
      await second.goto(WEEK);
      await alive(second);
      const type = async (page: Page, typed: string) => {
        await cell(page, 0, 0).click();
        await page.keyboard.type(typed);
        await page.keyboard.press("Enter");
      };
      await type(first, "5");
      await soon(() => stored(a)).toEqual(["09 5"]);
      await type(second, "6");
      await second.getByText("Changed elsewhere in the meantime, to 5.00.").first().waitFor();
      expect(await cell(second, 0, 0).inputValue()).toBe("6.00");
      await second.getByRole("button", { name: "Keep mine" }).click();
      await soon(() => stored(a)).toEqual(["09 6"]);
      await type(first, "7");
      await first.getByRole("button", { name: "Show theirs" }).click();
      expect(await cell(first, 0, 0).inputValue()).toBe("6.00");
      await saved(first);
      await soon(() => stored(a)).toEqual(["09 6"]);
    });

    it("opens other weeks and adds other lines by keyboard", async () => {
      await lines("a");
      const others = (await invoice([hours()], { title: "Unassigned" })).lines[0].id;
      await registered(others, { user_id, date: "2026-11-04" });
      const page = await opened();
      await cell(page, 0, 0).click();
      expect(await page.getByText("Unassigned").isVisible()).toBe(false);
      await page.keyboard.press("l");
      await page.keyboard.press("Enter");
      await page.locator("th", { hasText: "Unassigned" }).waitFor();
      expect(await focused(page)).toBe("1 0");
      await page.keyboard.press("]");
      await page.waitForURL("**/hours/2026-W47");
      await alive(page);
      await cell(page, 0, 0).click();
      await page.keyboard.press("[");
      await page.waitForURL("**/hours/2026-W46");
      await alive(page);
      await cell(page, 0, 0).click();
      await page.keyboard.press("Control+Shift+v");
      await page.locator("th", { hasText: "Unassigned" }).waitFor();
      await page.keyboard.press("t");
      await page.waitForURL("**/hours/2026-W47");
    });

    it("redraws only the line that loses the focus and the line that receives it", async () => {
      const many = Array.from({ length: 40 }, (_, at) => `Line ${at + 10}`);
      await invoice(
        many.map((description_override) =>
          hours({ assignees: [{ user_id }], description_override }),
        ),
      );
      const page = await opened();
      await cell(page, 5, 2).click();
      await page.evaluate(() => {
        const changed = new Set<string>();
        const watch = new MutationObserver((all) => {
          for (const { target } of all) {
            const row = (target instanceof Element ? target : target.parentElement)?.closest("tr");
            if (row) changed.add(row.querySelector("th")?.textContent ?? "");
          }
        });
        const what = { subtree: true, childList: true, characterData: true, attributes: true };
        watch.observe(document.querySelector("tbody") as Node, what);
        Object.assign(globalThis, { changed, times: [] as number[] });
        document.querySelector(".hours")?.addEventListener(
          "keydown",
          ({ timeStamp }) => {
            requestAnimationFrame(() => {
              const painted = new MessageChannel();
              painted.port1.onmessage = () =>
                (globalThis as unknown as { times: number[] }).times.push(
                  performance.now() - timeStamp,
                );
              painted.port2.postMessage(null);
            });
          },
          true,
        );
      });
      for (const key of ["7", ",", "5", "2", "Enter"]) await page.keyboard.press(key);
      const { rows, times } = await page.evaluate(() => {
        const seen = globalThis as unknown as { changed: Set<string>; times: number[] };
        return { rows: [...seen.changed], times: seen.times.sort((a, b) => a - b) };
      });
      print(`40 lines: ${times.map((one) => one.toFixed(0)).join(", ")} ms from key to paint`);
      expect(rows.map((row) => row.slice(0, 7)).sort()).toEqual(["Line 15", "Line 16"]);
    });
  },
);
