/**
 * Every page with data, for tests that visit all pages. A page without a parameter in its path is visited
 * automatically, as an admin; every other page has its entry here.
 */
import { vi } from "vitest";
import { operator } from "../../../src/features/access/accounts/create.ts";
import { makeSignInLink } from "../../../src/features/access/sign-in/sign-in-link.ts";
import { runAtEntryPoint } from "../../../src/platform/commands/entry-point.ts";
import { pages } from "../../../src/web/pages.ts";
import { camt, DANISH_IBAN } from "../bank/camt.ts";
import { sendBankFile } from "../bank/send-file.ts";
import { assistantOf } from "../mcp/assistant.ts";
import { openConsent } from "../mcp/consent.ts";
import { agentOf } from "../mcp/mcp.ts";
import { ROLES } from "../world/studio.ts";
import type { Json, World } from "../world/world.ts";
import { type Browser, openBrowser } from "./browser.ts";
import { einvoiceDocuments, sentEinvoice } from "./einvoice-documents.ts";
import { addApp, beginApp } from "./factor.ts";

const WEBHOOKS = "/settings/developer/webhooks";

export interface Visit {
  /** The page's registered path; for an address without a page, a name for it. */
  readonly page: string;
  readonly path: string;
  /** The cookie of the visitor; null for an unknown visitor. */
  readonly cookie: string | null;
}

/** Fills an account with data and returns the pages to visit. */
export async function everyPage(world: World): Promise<readonly Visit[]> {
  const oauth = openConsent(world);
  const admin = await oauth.signedInAdmin();
  const { browser: standard, user_id: assigned } = await oauth.person();
  const stranger = openBrowser(world);
  const user_id = world.account.admin.user_id;
  await assistantOf(world, { email: "assisted@x.example", client_name: "Claude" });
  const claude = await agentOf(world, { user_id: assigned, client_name: "Claude" });
  const waiting = await claude.done("plan_save_customer", { name: "Planned ApS", city: "Ry" });
  const agent = await agentOf(world, { user_id, client_name: "Claude" });
  await agent.carried("plan_save_customer", { name: "Planned ApS" });
  const product = await world.done("POST /products", { name: "Design", default_price: 1150.5 });
  await world.done(`PATCH /products/${product.id}`, { name: "Design, new" });
  const vat_number = "13585628";
  const customer = await world.done("POST /customers", { name: "Lindegaard ApS", vat_number });
  const documents = await documentsFor(world, customer.id, product.id);
  const einvoice = await einvoiceDocuments(world, product.id);
  const sent = await sentEinvoice(world);
  await workFor(world, customer.id, product.id);
  await world.done("PATCH /configuration", { account_roles: ROLES });
  await world.done("POST /period-closes", { month: "2026-01" });
  const others = await world.done("POST /invoices", {
    customer_id: customer.id,
    lines: [
      { product_id: product.id, recognition_method: "value", assignees: [{ user_id: assigned }] },
    ],
  });
  const retainer = await retainerFor(world, customer.id, product.id, assigned);
  const { request } = await oauth.client({ client_name: "Claude" });
  const invited = await mailed(world, "invited@x.example", (email) =>
    world.done("POST /users", { name: "Ida", email }),
  );
  const forgotten = await mailed(world, world.account.admin.email, async (email) => {
    const page = await stranger.get("/forgot-password");
    await stranger.submit(page, "/forgot-password", { email });
  });
  const wanted = { operator, email: world.account.admin.email, is_mailed: false };
  const link = (await runAtEntryPoint(makeSignInLink, world.services, wanted)) ?? "";
  const visit = (page: string, path: string, browser: Browser | null): Visit => ({
    page,
    path,
    cookie: browser?.cookie() ?? null,
  });
  const { guarded, pending } = await factorsFor(world);
  const [key] = await world.sql("select id from api_keys where account_id = $1 limit 1", [
    world.account.account_id,
  ]);
  const [bank] = (await world.done("GET /bank-accounts")).data;
  const brought = await broughtTo(world, bank.id);
  const reminder = await remindedIn(world);
  const webhook = await webhookOf(world);
  const authorize = "/api/oauth/authorize";
  const listed = [
    visit("/", "/", null),
    visit("/sign-in", "/sign-in", null),
    visit("/sign-in/link", link.slice(world.origin.length), null),
    visit("/sign-in/link", "/sign-in/link?token=x", null),
    visit("/sign-in/factor", "/sign-in/factor", pending),
    visit("/me", "/me", guarded),
    visit("/me/factors/app", "/me/factors/app", guarded),
    visit("/me/factors/app/remove", "/me/factors/app/remove", guarded),
    visit("/choose-account", "/choose-account", admin),
    visit("/welcome", "/welcome", await newcomerTo(world)),
    visit("/forgot-password", "/forgot-password", null),
    visit("/forgot-password/sent", "/forgot-password/sent", null),
    visit("/invitation", invited, null),
    visit("/invitation", invited, admin),
    visit("/invitation", "/invitation?token=x", null),
    visit("/password-reset", forgotten, null),
    visit("/password-reset", "/password-reset?token=x", null),
    visit(authorize, oauth.urlFor(request()), admin),
    visit(authorize, oauth.urlFor(request({ response_type: "token" })), null),
    visit(authorize, oauth.urlFor(request({ client_id: "x" })), null),
    visit(authorize, oauth.urlFor(request({ redirect_uri: "https://x.example" })), null),
    visit("/today", "/today", standard),
    visit("/assistants", "/assistants", standard),
    visit("/assistants/plans/:plan", new URL(waiting.url).pathname, standard),
    visit("/assistants/:id/disconnect", `/assistants/${claude.grant_id}/disconnect`, admin),
    visit("/settings/audit", "/settings/audit", standard),
    visit("/settings/developer", "/settings/developer", standard),
    visit("/settings/developer", "/settings/developer?keys=ended", admin),
    visit("/settings/developer/keys/:id", `/settings/developer/keys/${key.id}`, admin),
    ...["", "/edit", "/secret", "/replay", "/test", "/enable", "/delete"].map((end) =>
      visit(`${WEBHOOKS}/:id${end}`, `${WEBHOOKS}/${webhook.id}${end}`, admin),
    ),
    ...["?order=sequence&from=3&type=invoice.*", "?customer=nothing", "?resource=nothing"].map(
      (query) => visit("/settings/developer/events", `/settings/developer/events${query}`, admin),
    ),
    visit("/settings/developer/events/:id", `/settings/developer/events/${webhook.event}`, admin),
    ...webhook.deliveries.map((id) =>
      visit(
        `${WEBHOOKS}/:id/deliveries/:delivery`,
        `${WEBHOOKS}/${webhook.id}/deliveries/${id}`,
        admin,
      ),
    ),
    visit("/settings/developer/keys/:id", `/settings/developer/keys/${key.id}`, standard),
    visit("/settings/developer/outbox/:id", `/settings/developer/outbox/${documents.mail}`, admin),
    visit("/invoices/:id/einvoice", `/invoices/${einvoice.invoice}/einvoice`, admin),
    visit("/invoices/:id/einvoice", `/invoices/${einvoice.invoice}/einvoice`, standard),
    visit("/invoices/:id/einvoice", `/invoices/${documents.issued}/einvoice`, admin),
    visit("/credit-notes/:id/einvoice", `/credit-notes/${einvoice.note}/einvoice`, admin),
    visit("/deliveries/:id", `/deliveries/${documents.mail}`, admin),
    visit("/products/:id", `/products/${product.id}`, admin),
    visit("/products/:id", "/products/nothing", admin),
    visit("/customers/:id", `/customers/${customer.id}`, admin),
    visit("/customers/:id", "/customers/nothing", admin),
    ...["documents", "account", "hours", "revenue", "accruals", "changes"].map((tab) =>
      visit("/customers/:id", `/customers/${customer.id}?tab=${tab}`, admin),
    ),
    ...["", "?from=2026-03-09&to=2026-03-10", "?from=soon"].map((query) =>
      visit("/customers/:id/statement", `/customers/${customer.id}/statement${query}`, admin),
    ),
    visit(
      "/customers/:id/accruals/:month/book",
      `/customers/${customer.id}/accruals/2026-02/book`,
      admin,
    ),
    visit(
      "/customers/:id/accruals/:month/reopen",
      `/customers/${customer.id}/accruals/2026-01/reopen`,
      admin,
    ),
    visit("/customers/:id/edit", `/customers/${customer.id}/edit`, admin),
    visit("/hours/:week", "/hours/2026-W11", admin),
    visit("/hours/:week", `/hours/2026-W11?user=${user_id}`, admin),
    visit("/hours/:week", "/hours/2026-W12", standard),
    visit("/hours/:week", "/hours/nothing", standard),
    visit("/hours/team", "/hours/team?week=2026-W11", admin),
    visit("/invoices", "/invoices?tab=issued&q=Lindegaard", admin),
    visit("/invoices", "/invoices?tab=credit-notes", admin),
    visit("/invoices", `/invoices?tab=issued&q=x&customer=${customer.id}`, admin),
    visit("/invoices/:id", `/invoices/${documents.draft}`, admin),
    visit("/invoices/:id", `/invoices/${documents.issued}`, admin),
    visit("/invoices/:id", "/invoices/nothing", admin),
    visit("/invoices/:id/hours", `/invoices/${documents.draft}/hours`, admin),
    visit("/invoices/:id/hours", `/invoices/${others.id}/hours`, standard),
    visit("/customers", "/customers", standard),
    visit("/customers/:id", `/customers/${customer.id}`, standard),
    visit("/invoices", "/invoices", standard),
    visit("/invoices/:id", `/invoices/${others.id}`, standard),
    visit("/invoices/:id", `/invoices/${documents.issued}`, standard),
    visit("/invoices/new", "/invoices/new", standard),
    visit("/invoices/:id/issue", `/invoices/${documents.draft}/issue`, admin),
    visit("/invoices/issue", `/invoices/issue?${documents.draft}=on&${documents.empty}=on`, admin),
    visit(
      "/invoices/issue/outcomes",
      `/invoices/issue/outcomes?${documents.issued}=tried&${documents.empty}=left`,
      admin,
    ),
    visit("/invoices/send", `/invoices/send?${documents.issued}=on`, admin),
    visit(
      "/invoices/send/outcomes",
      `/invoices/send/outcomes?${documents.issued}=sent&${documents.empty}=left`,
      admin,
    ),
    visit("/invoices/:id/issue", `/invoices/${documents.empty}/issue`, admin),
    visit("/invoices/:id/credit", `/invoices/${documents.issued}/credit`, admin),
    visit("/invoices/:id/complete/:line", documents.milestone, admin),
    visit("/invoices/:id/revoke-links", `/invoices/${documents.issued}/revoke-links`, admin),
    visit("/invoices/:id/send", `/invoices/${documents.issued}/send`, admin),
    visit("/credit-notes/:id/send", `/credit-notes/${documents.note}/send`, admin),
    visit("/credit-notes/:id", `/credit-notes/${documents.note}`, admin),
    visit("/credit-notes/:id/revoke-links", `/credit-notes/${documents.note}/revoke-links`, admin),
    visit("/invoices/:id", `/invoices/${documents.partly_paid}`, admin),
    visit("/invoices/:id", `/invoices/${sent.invoice}`, sent.admin),
    visit("/invoices/:id/einvoice", `/invoices/${sent.invoice}/einvoice`, sent.admin),
    visit("/invoices/:id/send", `/invoices/${sent.invoice}/send`, sent.admin),
    visit("/credit-notes/:id/send", `/credit-notes/${sent.note}/send`, sent.admin),
    visit("/deliveries/:id", `/deliveries/${sent.delivery}`, sent.admin),
    ...[`invoice=${documents.partly_paid}`, `customer=${customer.id}`].map((query) =>
      visit("/payments/new", `/payments/new?${query}`, admin),
    ),
    visit("/payments/:id", `/payments/${documents.payment}`, admin),
    visit("/payments/:id", "/payments/nothing", admin),
    visit("/payments/:id/take-back", `/payments/${documents.payment}/take-back`, admin),
    visit("/reminders/:id", `/reminders/${reminder}`, admin),
    visit("/invoices/:id/reminder-hold", `/invoices/${documents.partly_paid}/reminder-hold`, admin),
    visit("/reminders/:id", "/reminders/nothing", admin),
    visit("/reminders/:id/cancel", `/reminders/${reminder}/cancel`, admin),
    visit("/allocations/:id/take-back", `/allocations/${documents.allocation}/take-back`, admin),
    visit("/opening-items/:id/take-back", `/opening-items/${documents.opening}/take-back`, admin),
    visit("/allocations/new", `/allocations/new?opening=${documents.opening}`, admin),
    visit(
      "/allocations/new",
      `/allocations/new?opening=${documents.opening}&item=${documents.partly_paid}`,
      admin,
    ),
    ...["/close/2026-02", "/close/2026-02?all=1", "/close/2026-03", "/close/nothing"].map((path) =>
      visit("/close/:month", path, admin),
    ),
    visit("/close/:month/confirm", "/close/2026-02/confirm", admin),
    visit("/close/:month/reopen", "/close/2026-01/reopen", admin),
    ...[documents.draft_line, documents.issued_line].map((line) =>
      visit("/close/:month/assign", `/close/2026-02/assign?${line}`, admin),
    ),
    visit("/close/:month/assign", `/close/2026-02/assign?line=${retainer.of_period}`, admin),
    visit("/close/:month/rate", "/close/2026-02/rate?currency=EUR", admin),
    ...[admin, standard].map((by) => visit("/retainers", "/retainers", by)),
    visit("/retainers/:id", `/retainers/${retainer.active}`, admin),
    visit("/retainers/:id", `/retainers/${retainer.active}`, standard),
    visit("/retainers/:id", "/retainers/nothing", admin),
    ...["2026-01", "2026-02", "2026-03", "nothing"].map((period) =>
      visit("/retainers/:id/:period", `/retainers/${retainer.active}/${period}`, admin),
    ),
    visit("/retainers/:id/:period/issue", `/retainers/${retainer.active}/2026-03/issue`, admin),
    visit("/retainers/:id/:period/skip", `/retainers/${retainer.active}/2026-03/skip`, admin),
    visit("/retainers/:id/:period/unskip", `/retainers/${retainer.active}/2026-02/unskip`, admin),
    ...["", "?end_date=2026-01-15&credit=prorated"].map((query) =>
      visit("/retainers/:id/end", `/retainers/${retainer.active}/end${query}`, admin),
    ),
    visit("/retainers/new", `/retainers/new?customer=${customer.id}`, admin),
    visit("/retainers/:id", `/retainers/${retainer.draft}`, admin),
    visit("/retainers/:id/edit", `/retainers/${retainer.draft}/edit`, admin),
    visit("/retainers/:id/activate", `/retainers/${retainer.draft}/activate`, admin),
    ...[retainer.draft, retainer.active].map((one) =>
      visit("/retainers/:id/lines/new", `/retainers/${one}/lines/new`, admin),
    ),
    visit("/retainers/:id/lines/order", `/retainers/${retainer.active}/lines/order`, admin),
    visit("/retainers/:id/lines/:line", retainer.line, admin),
    visit("/retainers/:id/lines/:line", `${retainer.line}?${retainer.change}`, admin),
    visit("/retainers/:id/lines/:line/remove", `${retainer.line}/remove`, admin),
    visit("/allocations/new", `/allocations/new?credit_note=${documents.note}`, admin),
    visit("/people/:id", `/people/${assigned}`, admin),
    ...["", "?tab=booked", "?tab=ignored", "?tab=statements", `?brought=${brought}`].map((query) =>
      visit("/bank", `/bank${query}`, admin),
    ),
    ...(await linesSeen(world, admin)).map(([page, path]) => visit(page, path, admin)),
    visit("/settings/bank-accounts/:id", `/settings/bank-accounts/${bank.id}`, admin),
    visit("/ledger/entries", "/ledger/entries?account=1000&q=Lindegaard&amount=x", admin),
    visit("/ledger/entries/:id", `/ledger/entries/${documents.issued}`, admin),
    visit("/ledger/entries/:id", "/ledger/entries/nothing", admin),
    // Without a connected accounting system no booking waits.
    visit("/ledger/queue/:id/adopt", `/ledger/queue/${documents.issued}/adopt`, admin),
    visit("/ledger/queue/:id/release", `/ledger/queue/${documents.issued}/release`, admin),
    visit("/ledger/connection/new", "/ledger/connection/new?kind=dinero", admin),
    visit("/ledger/connection/new", "/ledger/connection/new?kind=tryton", admin),
    visit("/ledger/vat", "/ledger/vat?period=2026-Q1", admin),
    visit("/ledger/vat", "/ledger/vat?period=2026-03", admin),
    visit("/ledger/reconciliation", "/ledger/reconciliation?month=2026-03", admin),
    visit("/people/:id/deactivate", `/people/${assigned}/deactivate`, admin),
    ...[
      "?by=line",
      "?by=person&month=2026-02",
      "?from=2030-01",
      `?open=${customer.id}.2026-03`,
    ].map((query) => visit("/revenue", `/revenue${query}`, admin)),
    visit("the balances of a month", "/revenue?balances=1", admin),
    visit("/revenue/deferred", "/revenue/deferred?month=2026-02", admin),
    visit("/revenue/remaining", "/revenue/remaining?month=2026-02", admin),
    visit("/revenue", "/revenue?by=line", standard),
    visit("an explanation", `/revenue?explain=${documents.of_line}.2026-03`, admin),
    visit(
      "an explanation",
      `/invoices/${documents.issued}?explain=${documents.of_line}.2026-03`,
      admin,
    ),
    visit("/search", "/search?q=Lindegaard", admin),
    visit("/search", "/search?q=unknown", standard),
    visit("nothing", "/nowhere", null),
  ];
  const unlisted = pages
    .filter(({ method, access }) => method === "GET" && access !== "stranger")
    .filter(({ path }) => !path.includes(":") && !LEADING_ON.includes(path))
    // Without a selection, without a second factor, and in an account with data, these redirect.
    .filter(
      ({ path }) =>
        !/^\/(bank\/book$|invoices\/(issue|send)(\/|$)|me\/factors\/|welcome$)/.test(path),
    )
    .map(({ path }) => visit(path, path, admin))
    .filter(
      ({ path }) => !listed.some((one) => one.path === path && one.cookie === admin.cookie()),
    );
  return [...listed, ...unlisted];
}

/** Paths that redirect, or that are not pages. */
const LEADING_ON = [
  // Passkeys need a host name, which most worlds lack: `test/access/second-factor.test.ts` visits them.
  "/me/factors/passkey",
  "/me/factors/passkey/first-answer",
  "/me/factors/passkey/remove",
  ...["assistants", "activity", "password"].map((old) => `/settings/${old}`),
  "/settings",
  "/allocations/new",
  "/settings/company/logo",
  "/close",
  "/ledger",
  "/hours",
  "/invoices/:id/pdf",
  "/credit-notes/:id/pdf",
  "/invoices/:id/einvoice.xml",
  "/credit-notes/:id/einvoice.xml",
  "/customers/:id/statement/pdf",
  "/statements/:id/pdf",
  "/reminders/:id/pdf",
  ...["/invoices", "/payments", "/customers", "/products", "/receivables"].map(
    (list) => `${list}/export`,
  ),
  "/invoices/pdfs",
  "/ledger/trial-balance/export",
  ...["", "/deferred", "/remaining"].map((page) => `/revenue${page}/export`),
  // Only a connected account has a connection to end.
  "/ledger/connection/disconnect",
];

/** Pages with a parameter in their path that have no entry above. */
export function unvisited(visits: readonly Visit[]): string[] {
  return pages
    .filter(({ method, path }) => method === "GET" && !LEADING_ON.includes(path))
    .map(({ path }) => path)
    .filter((path) => !visits.some(({ page }) => page === path));
}

/** The admin of an account that has nothing yet. */
async function newcomerTo(world: World): Promise<Browser> {
  const browser = openBrowser(world);
  const { admin } = await world.openAnother();
  await browser.signIn(admin.email, admin.password ?? "");
  return browser;
}

/** A person with an authenticator app, who sets up another one; and one whose second step is missing. */
async function factorsFor(world: World) {
  const { browser: guarded, user_id } = await openConsent(world).person();
  await addApp(world, guarded);
  await beginApp(guarded);
  const pending = openBrowser(world);
  const { email } = await world.done(`GET /users/${user_id}`);
  await pending.signIn(email, openConsent(world).password);
  return { guarded, pending };
}

/** A draft with a warning, one that cannot be issued, an issued invoice that was not sent, and its credit note. */
async function documentsFor(world: World, customer_id: string, product_id: string) {
  const line = { product_id, recognition_method: "value" };
  const make = (lines: readonly object[]) =>
    world.done("POST /invoices", { customer_id, lines, auto_send: true });
  const draft = await make([line]);
  const empty = await make([]);
  const issued = await make([line, { product_id, recognition_method: "milestone" }]);
  await world.done(`POST /invoices/${issued.id}/issue`);
  const note = await world.done("POST /credit-notes", {
    external_id: "every-page",
    invoice: issued.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
  // The credited invoice has nothing left to earn: this one has.
  const open = await make([{ product_id, recognition_method: "milestone" }]);
  await world.done(`POST /invoices/${open.id}/issue`);
  await world.done(`POST /invoices/${open.id}/send`, { address: "ida@x.example" });
  const [mail] = await world.sql("select id from deliveries where state = 'written_to_outbox'");
  const payment = await world.done("POST /payments", {
    external_id: "every-page",
    date: "2026-03-10",
    amount: 100,
    allocations: [{ invoice: open.id }],
  });
  const [{ id: allocation }] = payment.allocations;
  const opening = await world.done("POST /opening-items", {
    ...{ external_id: "every-page", number: "OLD-7", customer: customer_id, amount: 75.5 },
    ...{ due_date: "2026-03-01", counter_account: 6950, is_credit: true },
  });
  const milestone = `/invoices/${open.id}/complete/${open.lines[0].id}`;
  const [{ id: of_line }] = issued.lines;
  const ids = { draft: draft.id, empty: empty.id, issued: issued.id, note: note.id, mail: mail.id };
  const draft_line = `line=${draft.lines[0].id}&invoice=${draft.id}`;
  const issued_line = `line=${of_line}&invoice=${issued.id}`;
  const money = { payment: payment.id, allocation, opening: opening.id, partly_paid: open.id };
  return { ...ids, ...money, milestone, of_line, draft_line, issued_line };
}

/** Lines of a bank: one that names an invoice, one that names none, and money out. Returns the id of their statement. */
async function broughtTo(world: World, bank_account: string): Promise<string> {
  await world.done(`PATCH /bank-accounts/${bank_account}`, { iban: DANISH_IBAN });
  const { body } = await sendBankFile(
    world,
    camt({
      opening: ["2026-03-01", "100.00"],
      closing: ["2026-03-03", "1300.50"],
      entries: [
        { amount: "1150.50", day: "2026-03-02", text: "#3", counterparty: "Lindegaard ApS" },
        { amount: "75.25", day: "2026-03-02", text: "Ida" },
        { amount: "-25.25", day: "2026-03-03", text: "Ida" },
      ],
    }),
  );
  return body.statements[0].id;
}

/** Returns the pages of lines, one of which is left out, and the one that books those with a suggestion. */
async function linesSeen(
  world: World,
  admin: Browser,
): Promise<(readonly [page: string, path: string])[]> {
  const { html } = await admin.get("/bank");
  const { data } = await world.done("GET /bank-lines");
  const chosen = data
    .filter(({ amount }: { amount: number }) => amount > 0)
    .map(({ id }: { id: string }) => {
      const [, key = "none"] = new RegExp(`name="${id}" value="([^"]+)"`).exec(html) ?? [];
      return `${id}=${key}`;
    })
    .join("&");
  const [{ id: bank_line }] = data;
  await world.done("POST /bank-lines/book", { lines: [{ bank_line, ignore: "Ida" }] });
  return [
    ...data.map(({ id }: { id: string }) => ["/bank/lines/:id", `/bank/lines/${id}`]),
    ["/bank/book", `/bank/book?${chosen}`],
    ["/bank/lines/:id/other", `/bank/lines/${data[1].id}/other`],
    ["/bank/lines/:id/other", `/bank/lines/${data[1].id}/other?customer=Lindegaard+ApS&step=show`],
  ];
}

/** An endpoint with a test that was not sent, as its address is not public, and events that wait. Returns some deliveries. */
async function webhookOf(world: World): Promise<{
  readonly id: string;
  readonly event: string;
  readonly deliveries: readonly string[];
}> {
  const { id } = await world.done("POST /webhook-endpoints", {
    ...{ url: "https://localhost/a-path", description: "Design", external_id: "every-page" },
    ...{ event_types: ["*", "user.created"], headers: { "X-Token": "Ida" } },
  });
  await world.done(`POST /webhook-endpoints/${id}/replay`, { only: "all" });
  const test = await world.done(`POST /webhook-endpoints/${id}/test`, { type: "invoice.issued" });
  const { data } = await world.done(
    `GET /webhook-endpoints/${id}/deliveries?status=pending&limit=1`,
  );
  return { id, event: data[0].event_id, deliveries: [test.id, data[0].id] };
}

/** Two customers who owe from before, one of whom is reminded. Returns the id of the reminder. */
async function remindedIn(world: World): Promise<string> {
  for (const external_id of ["1051", "1052"]) {
    await world.done("POST /customers", { external_id, name: `Studio ${external_id}` });
    await world.done("POST /opening-items", {
      external_id,
      number: external_id,
      customer: `ext:${external_id}`,
      due_date: "2026-01-20",
      amount: 4321.5,
      counter_account: 6950,
    });
  }
  const customer = "ext:1051";
  const { rows } = await world.done("POST /reminder-runs/preview", { customer });
  const sent = rows.map(({ currency, agreed }: Json) => ({ customer, currency, agreed }));
  const { outcomes } = await world.done("POST /reminder-runs", { rows: sent });
  return outcomes[0].reminder_id;
}

/** A retainer with an issued, a skipped and a waiting period, and a draft; with the change of a line. */
async function retainerFor(world: World, customer_id: string, product_id: string, user_id: string) {
  const value = { product_id, recognition_method: "value", agreed_value: 8000 };
  const make = (start_date: string) =>
    world.done("POST /recurring-series", {
      customer_id,
      frequency: "monthly",
      start_date,
      lines: [value, { ...value, agreed_value: 1500.5, assignees: [{ user_id }] }],
    });
  const { id } = await make("2026-01-01");
  await world.done(`POST /recurring-series/${id}/activate`);
  await world.done(`POST /recurring-series/${id}/occurrences/2026-01/issue`);
  await world.done(`POST /recurring-series/${id}/occurrences/2026-02/skip`, { reason: "Ida" });
  const { data } = await world.done(`GET /recurring-series/${id}/lines`);
  const of_march = await world.done(`GET /recurring-series/${id}/occurrences/2026-03/lines`);
  const change = { product_id, recognition_method: "value", price: "9500", preview: "1" };
  return {
    active: id,
    draft: (await make("2026-02-01")).id,
    line: `/retainers/${id}/lines/${data[0].line_id}`,
    of_period: of_march.data[0].id,
    change: new URLSearchParams(change).toString(),
  };
}

/** A week of the admin, with a budget that is nearly used up, a note, two registrations in one cell, and frozen hours. */
async function workFor(world: World, customer_id: string, product_id: string): Promise<void> {
  const { user_id } = world.account.admin;
  const own = { product_id, assignees: [{ user_id }] };
  const by_hours = { ...own, recognition_method: "hours", hourly_rate: 900 };
  const progress = { ...own, recognition_method: "progress", agreed_value: 1000, budget_hours: 10 };
  const make = (line: object) => world.done("POST /invoices", { customer_id, lines: [line] });
  const [draft, project, frozen] = [
    await make(by_hours),
    await make(progress),
    await make(by_hours),
  ];
  const work = (invoice: typeof draft, date: string, hours: number, note: string | null = null) =>
    world.done("POST /work-registrations", {
      ...{ line_id: invoice.lines[0].id, user_id, date, hours, note },
    });
  await work(draft, "2026-03-09", 7.5, "Ida");
  await work(draft, "2026-03-10", 1);
  await work(draft, "2026-03-10", 2);
  await work(project, "2026-03-09", 9.5);
  await work(frozen, "2026-03-09", 1);
  await world.done(`POST /invoices/${frozen.id}/issue`);
}

/** The link in the mail that a call sends to an address. */
async function mailed(
  world: World,
  email: string,
  send: (email: string) => Promise<unknown>,
): Promise<string> {
  await send(email);
  const link = await vi.waitUntil(async () => {
    const mails = await world.mails();
    const mail = mails.findLast(({ to }) => to?.[0]?.address === email);
    return /\/(invitation|password-reset)\S+/.exec(mail?.text ?? "")?.[0];
  }, 30_000);
  return link;
}
