// Takes the pictures in docs/screens: a few months of a studio are entered into a sandbox account, whose clock stands still, and the pages
// are looked at in Chromium (CHROMIUM_PATH names it). `npm run screenshots`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { call, root, startService } from "../bench/service.mjs";

const TODAY = "2026-11-19";
const PASSWORD = "only on this machine";
const EMAIL = "anna@nordlys.example";

const LOOKS = [
  { name: "light", width: 1280, colorScheme: "light", language: "en" },
  { name: "dark", width: 1280, colorScheme: "dark", language: "da" },
  { name: "phone", width: 360, colorScheme: "light", language: "da" },
];

const service = await startService();
try {
  const account = openSandbox();
  const entered = await enterData((method, path, body) =>
    call(service, method, path, body, account.keys.read_write),
  );
  await lookAt(entered);
} finally {
  await service.stop();
}

function openSandbox() {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, "bin", "matchbook"),
      ...["account", "create", "--sandbox", "--json", "--name", "Nordlys Studio ApS"],
      ...["--admin-name", "Anna Holm", "--admin-email", EMAIL, "--admin-password", PASSWORD],
    ],
    { encoding: "utf8", env: { ...process.env, MATCHBOOK_DATA_DIR: service.folder } },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Customers, products, retainers, drafts and hours; returns the draft that is shown. */
async function enterData(api) {
  const clock = (day) => api("PUT", "/test-clock", { now: `${day}T08:00:00.000Z` });
  await clock("2026-08-03");
  await api("PATCH", "/configuration", {
    default_payment_terms: { type: "Netto", days: 14 },
    seller: {
      name: "Nordlys Studio ApS",
      street: "Mejlgade 41, 2. sal",
      zip_code: "8000",
      city: "Aarhus C",
      country_key: "DK",
      vat_number: "DK13585628",
      bank_registration_number: "5347",
      bank_account_number: "0000246810",
    },
  });
  const people = {};
  for (const name of ["Sofie Bang", "Mikkel Juhl", "Jonas Krogh"]) {
    const email = `${name.split(" ")[0].toLowerCase()}@nordlys.example`;
    people[name] = (await api("POST", "/users", { name, email })).id;
  }
  const product = async (product_number, name, unit, default_price) =>
    (await api("POST", "/products", { product_number, name, unit, default_price })).id;
  const design = await product("100", "Product design", "hours", 1150);
  const development = await product("110", "Software development", "hours", 1250);
  const retainer = await product("200", "Design retainer", "month", 28000);
  const support = await product("210", "Support agreement", "month", 9500);
  const workshop = await product("400", "Workshop, one day", "parts", 18500);
  const project = await product("500", "Project, fixed price", "parts", 0);
  const customer = async (name, city, zip_code, fields = {}) =>
    (
      await api("POST", "/customers", {
        name,
        city,
        zip_code,
        street: "Kystvejen 7",
        country_key: "DK",
        email: "faktura@kunde.example",
        ...fields,
      })
    ).id;
  const bank = await customer("Fjordbank A/S", "København K", "1260");
  const brewery = await customer("Havnens Bryggeri ApS", "Aarhus C", "8000");
  const architects = await customer("Lindegaard Arkitekter", "Aarhus C", "8000");
  const museum = await customer("Museum Vest", "Ribe", "6760");
  const logistics = await customer("Grøn Logistik A/S", "Kolding", "6000", { email: null });
  await customer("Müller & Söhne GmbH", "Hamburg", "20457", {
    country_key: "DE",
    vat_number: "DE136695976",
  });
  const { "Sofie Bang": sofie, "Mikkel Juhl": mikkel, "Jonas Krogh": jonas } = people;
  const series = async (customer_id, lines, start_date) => {
    const body = {
      customer_id,
      currency: "DKK",
      frequency: "monthly",
      start_date,
      issue_timing: { mode: "start-of-period" },
      lines,
    };
    const { id } = await api("POST", "/recurring-series", body);
    return id;
  };
  const straight = (product_id, agreed_value, assignees) => ({
    product_id,
    recognition_method: "value",
    agreed_value,
    assignees: assignees.map((user_id) => ({ user_id })),
  });
  const active = [
    await series(bank, [straight(retainer, 64000, [sofie, mikkel])], "2026-08-01"),
    await series(brewery, [straight(retainer, 22000, [sofie])], "2026-08-15"),
    await series(logistics, [straight(support, 6500, [jonas])], "2026-12-01"),
  ];
  for (const id of active)
    await api("POST", `/recurring-series/${id}/activate`, { past_periods: "keep" });
  await series(museum, [straight(support, 7500, [])], "2026-12-01");
  const draft = (customer_id, title, lines) =>
    api("POST", "/invoices", { customer_id, title, lines });
  const site = await draft(architects, "Website, phase 1", [
    {
      product_id: project,
      recognition_method: "progress",
      agreed_value: 160000,
      budget_hours: 130,
      description_override: "Website",
      assignees: [{ user_id: mikkel }, { user_id: jonas }],
    },
  ]);
  const days = (from, count) =>
    Array.from({ length: count }, (_, n) => {
      const day = new Date(Date.parse(from) + n * 86_400_000);
      return day.getUTCDay() % 6 === 0 ? null : day.toISOString().slice(0, 10);
    }).filter((day) => day !== null);
  const work = (line, user_id, date, hours, note) =>
    api("POST", "/work-registrations", { line_id: line.id, user_id, date, hours, note });
  for (const month of ["2026-09", "2026-10", "2026-11"]) {
    await clock(`${month}-01`);
    await api("POST", "/scheduler-runs");
    await clock(month === "2026-11" ? TODAY : `${month}-28`);
    for (const [at, day] of days(`${month}-01`, 18).entries())
      if (at % 3 === 0) await work(site.lines[0], mikkel, day, 4.5, "Implementation");
    if (month === "2026-09") {
      const once = await draft(museum, "Exhibition workshop", [
        { product_id: workshop, recognition_method: "on_issue", assignees: [{ user_id: sofie }] },
      ]);
      await api("POST", `/invoices/${once.id}/issue`);
    }
  }
  const campaign = await draft(architects, "Autumn campaign", [
    {
      product_id: design,
      recognition_method: "hours",
      description_override: "Concept, storyboard",
      assignees: [{ user_id: sofie }],
    },
    { product_id: workshop, recognition_method: "on_issue", discount: 10 },
    {
      product_id: support,
      recognition_method: "value",
      agreed_value: 28500,
      description_override: "Hosting and on-call through the campaign",
      service_from: "2026-11-01",
      service_to: "2027-01-31",
      assignees: [
        { user_id: jonas, distribution_percentage: 50 },
        { user_id: mikkel, distribution_percentage: 50 },
      ],
    },
  ]);
  const shop = await draft(brewery, "Webshop", [
    {
      product_id: development,
      recognition_method: "hours",
      assignees: [{ user_id: sofie }, { user_id: jonas }],
    },
  ]);
  for (const [day, hours] of [
    ["2026-11-16", 3.5],
    ["2026-11-17", 4],
    ["2026-11-18", 3],
  ]) {
    await work(campaign.lines[0], sofie, day, hours, "Storyboard");
    await work(shop.lines[0], sofie, day, 7.5 - hours, "Checkout");
  }
  return { campaign, sofie };
}

async function lookAt({ campaign, sofie }) {
  const pages = {
    today: "/today",
    customers: "/customers",
    invoices: "/invoices",
    "invoice-editor": `/invoices/${campaign.id}`,
    "issue-dialog": `/invoices/${campaign.id}/issue`,
    week: `/hours/2026-W47?user=${sofie}`,
    close: "/close",
    palette: "/search?q=Lindegaard",
  };
  const executablePath = [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
  ].find((path) => path && existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const folder = join(root, "docs", "screens");
  mkdirSync(folder, { recursive: true });
  for (const { name, width, colorScheme, language } of LOOKS) {
    const context = await browser.newContext({
      baseURL: service.origin.replace("127.0.0.1", "localhost"),
      viewport: { width, height: width < 600 ? 780 : 860 },
      locale: language,
      colorScheme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto("/sign-in");
    await page.locator("input[type=email]").fill(EMAIL);
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.locator("main button[type=submit]").click();
    for (const [of, path] of Object.entries(pages)) {
      await page.goto(path);
      await page.locator("[data-island]:not([data-alive])").waitFor({ state: "detached" });
      await page.locator(".closing [role=status]").waitFor({ state: "detached" });
      await page.screenshot({ path: join(folder, `${of}-${name}.png`) });
    }
    await context.close();
  }
  await browser.close();
}
