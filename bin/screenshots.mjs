// Takes the pictures in docs/screens: every screen of the studio's example year, whose clock stands on one day, in Chromium
// (CHROMIUM_PATH names it). `npm run screenshots` takes all; `npm run screenshots -- today close` takes those.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { call, root, startService } from "../bench/service.mjs";
import { connectAssistant } from "./connect-assistant.mjs";
import { shrunk } from "./shrink-png.mjs";

/** The last day of the year; the clock stands on the day after. */
const ENDS_ON = "2026-11-19";
const PASSWORD = "only on this machine";
const EMAIL = "anna@nordlys.example";
/** The most bytes of all pictures together. */
const MOST_BYTES = 15_000_000;

const LOOKS = [
  { name: "light", width: 1280, colorScheme: "light", language: "en" },
  { name: "dark", width: 1280, colorScheme: "dark", language: "da" },
  { name: "phone", width: 360, colorScheme: "light", language: "da" },
];

const service = await startService();
try {
  const own = matchbook(
    ...["account", "create", "--name", "Holm Design", "--admin-name", "Anna Holm"],
    ...["--admin-email", EMAIL, "--admin-password", PASSWORD],
  );
  const studio = matchbook("studio", "create", "--email", EMAIL, "--ends-on", ENDS_ON);
  const { id: key_id, key } = matchbook(
    ...["key", "create", "--account", studio.account_id, "--scope", "read", "--name", "Webshop"],
  );
  const get = (path) => call(service, "GET", path, undefined, key);
  const pages = { ...(await pagesOf(get)), ...(await pagesOfDevelopers(get, key_id)) };
  await lookAt(pages, studio.account_id, own.account_id);
} finally {
  await service.stop();
}

/** Runs a command of the command line on the service's database, and parses its JSON. */
function matchbook(...args) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "bin", "matchbook"), ...args, "--json"],
    { encoding: "utf8", env: { ...process.env, MATCHBOOK_DATA_DIR: service.folder } },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Returns the address of every screen by its name; `get` reads from the API. */
async function pagesOf(get) {
  const id = async (path) => (await get(path)).id;
  const campaign = await id("/invoices/ext:project-campaign");
  const brand = await get("/invoices/ext:project-brand");
  const exhibition = await get("/invoices/ext:project-exhibition");
  const credited = await id("/invoices/ext:project-website-2");
  const note = await id("/credit-notes/ext:studio-credit");
  const bank = await id("/customers/ext:fjord");
  const debtor = await id("/customers/ext:gron");
  const retainer = await id("/recurring-series/ext:retainer-fjord");
  const { data: lines } = await get(`/recurring-series/${retainer}/lines`);
  const { data: people } = await get("/users?limit=100");
  const sofie = people.find(({ name }) => name === "Sofie Bang").id;
  const { data: products } = await get("/products?limit=1");
  const { data: entries } = await get("/ledger/entries?limit=1");
  const partly = await onlyOf(get, "/invoices?origin=all&payment_state=partly_paid");
  const paid = await id("/payments/ext:studio-paid-twice");
  const line = await onlyOf(
    get,
    `/bank-lines?search=${encodeURIComponent("Havnens Bryggeri, retainer")}`,
  );
  const { data: reminders } = await get("/reminders?limit=1");
  return {
    today: "/today",
    week: `/hours/2026-W47?user=${sofie}`,
    team: "/hours/team?week=2026-W47",
    customers: "/customers",
    customer: `/customers/${bank}`,
    "customer-revenue": `/customers/${bank}?tab=revenue`,
    "customer-accruals": `/customers/${bank}?tab=accruals`,
    "customer-account": `/customers/${debtor}?tab=account`,
    statement: `/customers/${debtor}/statement`,
    receivables: "/receivables",
    bank: "/bank",
    "bank-line": `/bank/lines/${line}`,
    payments: "/payments",
    payment: `/payments/${paid}`,
    "payment-new": `/payments/new?invoice=${partly}`,
    reminders: "/reminders",
    reminder: `/reminders/${reminders[0].id}`,
    "customer-form": `/customers/${bank}/edit`,
    "customer-import": "/customers/import",
    invoices: "/invoices?tab=issued",
    drafts: "/invoices?tab=drafts",
    "credit-notes": "/invoices?tab=credit-notes",
    "invoice-editor": `/invoices/${campaign}`,
    "issue-dialog": `/invoices/${campaign}/issue`,
    "invoice-issued": `/invoices/${brand.id}`,
    "invoice-partly-paid": `/invoices/${partly}`,
    "invoice-credit": `/invoices/${credited}/credit`,
    milestone: `/invoices/${exhibition.id}/complete/${exhibition.lines[0].id}`,
    "credit-note": `/credit-notes/${note}`,
    retainers: "/retainers",
    retainer: `/retainers/${retainer}`,
    "retainer-period": `/retainers/${retainer}/2026-11`,
    "retainer-new": `/retainers/new?customer=${bank}`,
    "retainer-line": `/retainers/${retainer}/lines/${lines[0].line_id}`,
    "retainer-end": `/retainers/${retainer}/end`,
    products: "/products",
    product: `/products/${products[0].id}`,
    revenue: "/revenue",
    explanation: `/revenue?explain=${brand.lines[0].id}.2026-06#panel`,
    deferred: "/revenue/deferred?month=2026-10",
    remaining: "/revenue/remaining?month=2026-10",
    close: "/close/2026-10",
    "trial-balance": "/ledger/trial-balance",
    accounts: "/ledger/accounts",
    entries: "/ledger/entries",
    entry: `/ledger/entries/${entries[0]?.guid}`,
    vat: "/ledger/vat",
    reconciliation: "/ledger/reconciliation",
    verification: "/ledger/verification",
    connection: "/ledger/connection",
    queue: "/ledger/queue",
    assistants: "/assistants",
    people: "/people",
    person: `/people/${sofie}`,
    company: "/settings/company",
    invoicing: "/settings/invoicing",
    "vat-and-accounts": "/settings/vat",
    "bank-accounts": "/settings/bank-accounts",
    months: "/settings/months",
    developer: "/settings/developer",
    audit: "/settings/audit",
    me: "/me",
    palette: "/ledger/queue",
  };
}

/** Returns the id of the only row of a list. */
async function onlyOf(get, path) {
  const { data } = await get(path);
  if (data.length !== 1) throw new Error(`${path} has ${data.length} rows`);
  return data[0].id;
}

/** Returns the requests of a key, the outbox, and the page behind the button of the mail with the credited invoice. */
async function pagesOfDevelopers(get, key_id) {
  const credited = await get("/invoices/ext:project-website-2");
  const { data: mails } = await get(`/invoices/${credited.id}/deliveries`);
  const folder = join(service.folder, "outbox");
  const file = readdirSync(folder).find((name) => name.startsWith(mails[0].id));
  const [link] = /\/d\/[\w-]{43}/.exec(readFileSync(join(folder, file), "latin1")) ?? [];
  return {
    requests: `/settings/developer/keys/${key_id}`,
    outbox: "/settings/developer/outbox",
    document: link,
  };
}

/**
 * Plans as an assistant makes them: one that the person does, one that they decline, and one that waits for a quarter of an hour.
 * Returns the address of the waiting one.
 */
async function planned(call, page) {
  const change = { customer: "ext:fjord", phone: "33 12 45 78", att_person: "Mette Holst" };
  const made = (await call("plan_save_customer", change)).url;
  const declined = (await call("plan_save_product", { name: "Press photos", unit: "hours" })).url;
  for (const [url, verb] of [
    [declined, "decline"],
    [made, "commit"],
  ]) {
    await page.goto(url);
    await page.locator(`form[action$="/${verb}"] button`).click();
    await page.locator(`form[action$="/${verb}"]`).waitFor({ state: "detached" });
  }
  return (await call("plan_issue_invoice", { invoice: "ext:project-campaign" })).url;
}

async function lookAt(pages, studio_id, own_id) {
  const executablePath = [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
  ].find((path) => path && existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const folder = join(root, "docs", "screens");
  mkdirSync(folder, { recursive: true });
  const wanted = process.argv.slice(2);
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  let plan;
  for (const look of LOOKS) {
    const page = await pageFor(browser, look);
    const take = async (of, path) => {
      if (!isWanted(of)) return;
      const answer = await page.goto(path);
      if (answer !== null && answer.status() >= 400) {
        console.warn(`${path} answered ${answer.status()}: no picture of it`);
        return;
      }
      await page.waitForFunction(() => !document.querySelector("[data-island]:not([data-alive])"));
      await page.locator(".closing [role=status]").waitFor({ state: "detached" });
      if (of === "palette") {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("lind");
        await page.getByRole("option", { name: "Lindegaard" }).first().waitFor();
      }
      writeFileSync(join(folder, `${of}-${look.name}.png`), shrunk(await page.screenshot()));
    };
    await take("sign-in", "/sign-in");
    await signIn(page, own_id);
    await take("welcome", "/welcome");
    await page.goto("/choose-account");
    await page.locator(`button[value="${studio_id}"]`).click();
    await page.waitForURL("**/today");
    plan ??= await planned(await connectAssistant(service.origin, page, "Claude"), page);
    await take("plan", plan);
    // First, as long as the plan waits.
    const { assistants, ...others } = pages;
    await take("assistants", assistants);
    for (const [of, path] of Object.entries(others)) await take(of, path);
    await page.context().close();
  }
  await browser.close();
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length} pictures, ${(bytes / 1e6).toFixed(1)} MB`);
  if (bytes > MOST_BYTES) throw new Error("the pictures are too large together");
}

async function pageFor(browser, { width, colorScheme, language }) {
  const context = await browser.newContext({
    baseURL: service.origin.replace("127.0.0.1", "localhost"),
    viewport: { width, height: width < 600 ? 680 : 660 },
    locale: language,
    colorScheme,
    reducedMotion: "reduce",
  });
  return context.newPage();
}

/** Signs in, into one of the accounts of the address. */
async function signIn(page, account_id) {
  await page.goto("/sign-in");
  await page.locator("input[type=email]").fill(EMAIL);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.locator("main button[type=submit]").click();
  await page.locator(`button[value="${account_id}"]`).click();
  await page.waitForURL(/\/(welcome|today)$/);
}
