// The time from the HTML of a page to the last of its islands and lists that works, in Chromium with a processor at a quarter
// of its speed: in a firm of 100,000 invoices, 5,000 customers and 500 retainers of 36 months. BENCH_INVOICES sets the number of
// invoices, BENCH_PAGES texts, separated by commas, of which a visited page has one in its name, CHROMIUM_PATH the browser.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { pagesOfFirm } from "./firm-pages.mjs";
import { median } from "./load.mjs";
import { seedFirm } from "./seed-firm.mjs";
import { startService } from "./service.mjs";

const INVOICES = Number(process.env.BENCH_INVOICES ?? 100_000);
const WANTED = process.env.BENCH_PAGES ?? "";
const SLOWER = 4;
const ROUNDS = 5;

export async function benchAlive(report) {
  const path = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
    (one) => one && existsSync(one),
  );
  if (path === undefined) {
    console.log("alive: no Chromium was found; CHROMIUM_PATH names one.");
    return;
  }
  const service = await startService();
  const browser = await chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    const seeded = await seedFirm(service, INVOICES);
    await measureAlive(service.origin, browser, seeded, report);
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Visits the pages in turn, each in a window that has loaded their scripts before, and reports the medians. */
export async function measureAlive(origin, browser, seeded, report) {
  const pages = pagesOfFirm(seeded).filter(({ name }) =>
    WANTED.split(",").some((one) => name.includes(one)),
  );
  const windows = {
    false: await windowOf(browser, origin, seeded.admin),
    true: await windowOf(browser, origin, seeded.standard),
  };
  const times = new Map(pages.map(({ name }) => [name, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { name, path, is_standard } of pages) {
      const time = await slowed(windows[is_standard], (page) => aliveAfter(page, origin + path));
      if (round >= 0 && time !== null) times.get(name).push(time);
    }
  }
  for (const { name, alive_ms } of pages) {
    const found = times.get(name);
    if (found.length === 0) continue;
    report(name, {
      "median ms from the HTML until it works": median(found),
      "may take ms": alive_ms,
      "fastest and slowest": Math.min(...found),
      "": Math.max(...found),
    });
  }
}

async function windowOf(browser, origin, cookie) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([{ name: "matchbook", value: cookie, url: origin }]);
  await context.addInitScript(watch);
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}

/** Slows a window down only while it is measured: a slow window occupies a processor even when it has nothing to do. */
async function slowed({ page, devtools }, measure) {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const measured = await measure(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.goto("about:blank");
  return measured;
}

/** Runs in the page: notes when the last mark of a part that works was set. */
function watch() {
  const seen = new MutationObserver(() => {
    window.lastAlive = performance.now();
  });
  seen.observe(document, { subtree: true, attributes: true, attributeFilter: ["data-alive"] });
}

/** Returns the milliseconds from the end of the HTML until everything works; null for a page without islands and lists. */
async function aliveAfter(page, url) {
  const reply = await page.goto(url, { waitUntil: "load" });
  if (reply.status() !== 200) throw new Error(`${url}: ${reply.status()}`);
  const parts = page.locator("[data-island], [data-list]");
  if ((await parts.count()) === 0) return null;
  const waiting = "[data-island]:not([data-alive]), [data-list]:not([data-alive])";
  await page.locator(waiting).first().waitFor({ state: "detached" });
  return page.evaluate(
    () => window.lastAlive - performance.getEntriesByType("navigation")[0].responseEnd,
  );
}
