/**
 * A walk through every operation of the API, in a sandbox account that is connected for its e-invoices: a studio invoices a project
 * and a retainer, books earned revenue, closes January and reopens it. Its requests and answers become the examples of the OpenAPI
 * document.
 */
import { camt } from "../bank/camt.ts";
import { BankFile } from "../bank/send-file.ts";
import { AnswerFile, invoiceResponse } from "../einvoice/answers.ts";
import type { Json } from "../world/world.ts";
import { BatchRows } from "./send-batch.ts";

/** Calls the API and returns the body; throws unless the call succeeds. */
type Call = (call: string, body?: unknown) => Promise<Json>;

export async function walk(call: Call): Promise<void> {
  await call("PUT /test-clock", { now: "2026-01-05T09:00:00Z" });
  await call("GET /test-clock");
  const basics = await setUp(call);
  const invoice = await invoiceProject(call, basics);
  const series = await runRetainer(call, basics);
  await call("PUT /test-clock", { now: "2026-02-03T09:00:00Z" });
  await call("POST /scheduler-runs");
  await credit(call, invoice, series);
  await closeJanuary(call, invoice);
  await readBooks(call);
  await issueWorkshops(call, basics);
  await keepBankAccounts(call);
  await getPaid(call, basics);
  await prepareReminders(call);
  await remind(call);
  await followDelivery(call);
  await call("POST /einvoice/inbound", new AnswerFile(invoiceResponse({ number: "1" })));
  await call("GET /einvoice/receivers?address=0088:5798009811578");
  await readEinvoices(call);
  await bringAlong(call);
  await call("GET /key");
  await call("GET /requests?status=5xx");
  await bringMany(call, basics);
  await call("GET /exports");
  await call("GET /exports/products?format=csv");
}

/** Many rows in one call. */
async function bringMany(call: Call, { ann, customer, consulting }: Basics): Promise<void> {
  const post = (path: string, row: Json) => call(`POST ${path}/batch`, new BatchRows([row]));
  await post("/customers", { external_id: "crm-1", name: "Solgryn ApS" });
  await post("/products", { external_id: "shop-1", name: "Workshop", default_price: 4500 });
  const lines = [{ product_id: consulting.id, recognition_method: "hours", hourly_rate: 950 }];
  const draft = { customer_id: customer.id, lines };
  const made = await post("/invoices", { external_id: "shop-2", ...draft });
  const { lines: stored } = await call(`GET /invoices/${made.id}`);
  const work = { line_id: stored[0].id, user_id: ann.id, hours: 1.5 };
  await post("/work-registrations", { external_id: "clock-1", ...work });
}

/** The e-invoices of documents that the walk has issued. */
async function readEinvoices(call: Call): Promise<void> {
  await call("PATCH /customers/ext:acme", { ean_number: "5798009811578" });
  await call("GET /invoices/ext:website-2026/einvoice");
  await call("GET /credit-notes/ext:hosting-credit/einvoice");
  await call("GET /invoices/ext:website-2026/einvoice/readiness");
  await call("GET /credit-notes/ext:hosting-credit/einvoice/readiness");
  await call("GET /customers/ext:acme/einvoice/readiness");
}

/** A PNG of one pixel. */
const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

interface Basics {
  readonly ann: Json;
  readonly customer: Json;
  readonly consulting: Json;
  readonly website: Json;
}

async function issueWorkshops(call: Call, { customer, website }: Basics): Promise<void> {
  for (const city of ["aarhus", "odense"]) {
    const line = { product_id: website.id, recognition_method: "on_issue", agreed_value: 8000 };
    await call("POST /invoices", {
      external_id: `workshop-${city}`,
      customer_id: customer.id,
      auto_send: false,
      lines: [line],
    });
  }
  const references = ["ext:workshop-aarhus", "ext:workshop-odense", "ext:website-2026"];
  await call("POST /invoices/issue", { references });
}

async function setUp(call: Call): Promise<Basics> {
  const beginning = { date: "2026-01-04", counter_account: 6950, open: "all" };
  await call("POST /receivables/begin/preview", beginning);
  await call("POST /receivables/begin", beginning);
  await call("PATCH /configuration", {
    seller: {
      name: "Studio Nord ApS",
      street: "Havnegade 12",
      zip_code: "8000",
      city: "Aarhus C",
      country_key: "DK",
      vat_number: "DK10150817",
      bank_registration_number: "1234",
      bank_account_number: "0012345678",
    },
  });
  await call("PUT /configuration/logo", { content: LOGO });
  await call("GET /configuration/logo");
  await call("DELETE /configuration/logo");
  await call("GET /configuration");
  await call("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  await call("GET /exchange-rates?currency=EUR");

  const ann = await call("POST /users", {
    external_id: "ann",
    name: "Ann Holm",
    email: "ann@studio-nord.example",
  });
  await call("GET /users");
  await call(`GET /users/${ann.id}`);
  await call(`PATCH /users/${ann.id}`, { name: "Ann B. Holm" });

  const consulting = await call("POST /products", {
    external_id: "consulting",
    product_number: "C-1",
    name: "Consulting",
    unit: "hours",
    default_price: 950,
  });
  const website = await call("POST /products", { name: "Website", default_price: 30_000 });
  await call("GET /products?limit=2");
  await call(`GET /products/${consulting.id}`);
  await call(`PATCH /products/${consulting.id}`, { default_price: 1000 });
  await call(`POST /products/${website.id}/deactivate`);
  await call(`POST /products/${website.id}/activate`);

  const customer = await call("POST /customers", {
    external_id: "acme",
    name: "Acme A/S",
    street: "Vestergade 4",
    zip_code: "1456",
    city: "København K",
    country_key: "DK",
    email: "accounts@acme.example",
  });
  await call("GET /customers?search=acme");
  await call("GET /customers/ext:acme");
  await call("PATCH /customers/ext:acme", { att_person: "Bo Lund" });
  await call("POST /customers/ext:acme/deactivate");
  await call("POST /customers/ext:acme/activate");
  return { ann, customer, consulting, website };
}

async function invoiceProject(call: Call, basics: Basics): Promise<Json> {
  const { ann, customer, consulting, website } = basics;
  const assignees = [{ user_id: ann.id }];
  const invoice = await call("POST /invoices", {
    external_id: "website-2026",
    customer_id: customer.id,
    currency: "DKK",
    title: "New website",
    lines: [
      { product_id: website.id, recognition_method: "milestone", discount: 5, assignees },
      { product_id: consulting.id, recognition_method: "hours", assignees },
      {
        product_id: website.id,
        recognition_method: "value",
        agreed_value: 3600,
        description_override: "Hosting, first quarter",
        service_from: "2026-01-01",
        service_to: "2026-03-31",
        assignees,
      },
    ],
  });
  const [milestone, hours, hosting] = invoice.lines;
  await call("PATCH /invoices/ext:website-2026", { auto_send: true });

  const registration = { line_id: hours.id, user_id: ann.id };
  const { id } = await call("POST /work-registrations", {
    ...registration,
    hours: 6.5,
    date: "2026-01-05",
    note: "Workshop with the editors",
  });
  await call(`GET /work-registrations/${id}`);
  await call(`PATCH /work-registrations/${id}`, { hours: 7 });
  const mistaken = await call("POST /work-registrations", { ...registration, hours: 1 });
  await call(`DELETE /work-registrations/${mistaken.id}`);
  await call("GET /work-registrations?customer=ext:acme");

  const complete = `/invoices/ext:website-2026/lines/${milestone.id}/complete`;
  await call(`POST ${complete}`, { completed_on: "2026-01-05" });
  await call(`DELETE ${complete}`);
  await call(`POST ${complete}`, { completed_on: "2026-01-05" });

  await call("GET /invoices/ext:website-2026");
  await call("GET /invoices/ext:website-2026/totals");
  const mistake = await call("POST /invoices", { customer_id: customer.id });
  await call(`DELETE /invoices/${mistake.id}`);
  await call("POST /invoices/ext:website-2026/issue");
  await call("GET /invoices?customer=ext:acme&include=totals");
  await call("GET /invoices/ext:website-2026/pdf");
  await call("POST /invoices/ext:website-2026/send", {
    channel: "einvoice",
    receiver: "0088:5798009811578",
    order_reference: "4500012345",
    buyer_reference: "Digital services",
    again: false,
  });
  await call("GET /invoices/ext:website-2026/deliveries");
  await call("GET /invoices/ext:website-2026/recognition");
  return { ...invoice, hosting };
}

async function runRetainer(call: Call, { ann, customer, website }: Basics): Promise<Json> {
  const series = await call("POST /recurring-series", {
    external_id: "care",
    customer_id: customer.id,
    currency: "DKK",
    frequency: "monthly",
    start_date: "2026-01-01",
    issue_timing: { mode: "start-of-period" },
    lines: [
      {
        product_id: website.id,
        recognition_method: "value",
        agreed_value: 4000,
        description_override: "Care of the website",
        assignees: [{ user_id: ann.id }],
      },
    ],
  });
  const path = "/recurring-series/ext:care";
  await call(`GET ${path}`);
  await call(`PATCH ${path}`, { auto_send: false });
  await call(`POST ${path}/activate`, { past_periods: "keep" });
  await call("GET /recurring-series?status=active");
  const { line_id } = await call(`POST ${path}/lines`, {
    scope: "this_only",
    period: "2026-02",
    line: { product_id: website.id, recognition_method: "on_issue", agreed_value: 1500 },
  });
  await call(`GET ${path}/lines?period=2026-02`);
  await call(`PATCH ${path}/lines/${line_id}`, {
    scope: "this_only",
    period: "2026-02",
    line: { agreed_value: 1200 },
  });
  await call(`DELETE ${path}/lines/${line_id}?scope=this_only&period=2026-02`);
  await call(`GET ${path}/preview?until=2026-02-28`);
  await call(`GET ${path}/occurrences?from=2026-01&to=2026-02`);
  await call(`GET ${path}/occurrences/2026-01`);
  await call(`GET ${path}/occurrences/2026-01/lines`);
  await call(`POST ${path}/occurrences/2026-01/skip`, { reason: "Agreed with the customer" });
  await call(`POST ${path}/occurrences/2026-01/unskip`, { reason: "Skipped by mistake" });
  await call(`POST ${path}/occurrences/2026-01/issue`);
  await call("GET /occurrences?from=2026-01&to=2026-02");
  return series;
}

async function credit(call: Call, invoice: Json, _series: Json): Promise<void> {
  const body = {
    external_id: "hosting-credit",
    invoice: "ext:website-2026",
    kind: "partial",
    credit_date: "2026-02-03",
    lines: [{ invoice_line_id: invoice.hosting.id, amount: 600 }],
    reason: "Two days without service",
  };
  await call("POST /credit-notes/preview", body);
  await call("POST /credit-notes", body);
  const path = "/credit-notes/ext:hosting-credit";
  await call(`GET ${path}`);
  await call(`GET ${path}/totals`);
  await call(`GET ${path}/pdf`);
  await call(`POST ${path}/send`, { address: "bo.lund@acme.example" });
  await call(`GET ${path}/deliveries`);
  await call("GET /deliveries?state=written_to_outbox");
  await call("GET /credit-notes?customer=ext:acme");
  await call("GET /invoices/ext:website-2026/credit-notes");

  const cancelled = await call("POST /recurring-series/ext:care/cancel", {
    end_date: "2026-02-14",
    reason: "Moved to another house",
  });
  await call(`POST /credit-notes/${cancelled.credit_notes[0].id}/issue`);
  await call("GET /invoices/ext:website-2026/payment");
  await stateAccount(call);
  await call("GET /allocations?customer=ext:acme");
  await call("GET /open-items?customer=ext:acme");
  await call("GET /receivables");
  await call("GET /receivables/summary");
}

async function closeJanuary(call: Call, invoice: Json): Promise<void> {
  const accrual = await call("GET /accruals?customer=ext:acme&month=2026-01");
  const path = `/accruals/${accrual.id}`;
  await call(`GET ${path}`);
  await call(`POST ${path}/book`);
  await call(`POST ${path}/reopen`, { reason: "Hours were missing" });
  await call(`GET ${path}/history`);
  await call("GET /customers/ext:acme/accruals");

  await call("GET /period-closes/2026-01/preview");
  await call("POST /period-closes", { month: "2026-01" });
  await call("GET /period-closes");
  await call("GET /period-closes/2026-01");
  await call("GET /accruals/reconciliation?month=2026-01");
  await call("GET /recognition?from=2026-01&to=2026-02&group_by=month");
  await call(`GET /recognition/explain?line_id=${invoice.hosting.id}&month=2026-01`);
  await call("GET /recognition/rollforward?from=2026-01&to=2026-01");
  await call("POST /period-closes/2026-01/reopen", { reason: "An invoice was missing" });
}

async function readBooks(call: Call): Promise<void> {
  await call("GET /ledger/accounts?limit=3");
  await call("PATCH /ledger/accounts/1000", { name: "Sales of work" });
  await call("GET /ledger/entries?limit=2");
  await call("GET /ledger/trial-balance?from=2026-01&to=2026-01");
  await call("GET /ledger/vat-report?from=2026-01&to=2026-03");
  await call("GET /ledger/verification");
  await call("GET /ledger/connection");
  await call("GET /customers/ext:acme/ledger");
  await call("GET /products/ext:consulting/ledger");
  await call("GET /ledger/sync?state=queued");
  await call("GET /ledger/moves");
  await call("POST /ledger/connection/check");
  await call("GET /einvoice/connection");
  await call("POST /einvoice/connection/check");
  await call("GET /search?q=acme&limit=2");
  await call("GET /audit-events?limit=2");
  const { data } = await call("GET /events?types=customer.created&limit=1");
  await call(`GET /events/${data[0].id}`);
  await call("GET /event-types?types=customer.created");
  await subscribe(call);
  for (const file of [
    "/customers.csv",
    "/invoices.csv",
    "/credit-notes.csv",
    "/work-registrations.csv",
    "/products.csv",
    "/open-items.csv",
    "/receivables.csv",
    "/recognition.csv?from=2026-01&to=2026-02",
    "/ledger/entries.csv",
    "/ledger/trial-balance.csv",
  ]) {
    await call(`GET ${file}`);
  }
}

async function getPaid(call: Call, { customer, consulting }: Basics): Promise<void> {
  const lines = [{ product_id: consulting.id, recognition_method: "value", agreed_value: 10000 }];
  const draft = { customer_id: customer.id, issue_date: "2026-02-02", auto_send: false, lines };
  for (const external_id of ["advice-1", "advice-2"]) {
    await call("POST /invoices", { ...draft, external_id });
    await call(`POST /invoices/ext:${external_id}/issue`);
  }
  const { external_id: _, ...payment } = {
    external_id: "bank-2026-02-03-1",
    date: "2026-02-03",
    amount: 15000,
    allocations: [{ invoice: "ext:advice-1" }],
    remainder: "customer_credit",
    reference: "advice-1",
  };
  await call("POST /opening-items", {
    external_id: "old-1043",
    number: "1043",
    customer: "ext:acme",
    date: "2026-02-02",
    due_date: "2026-01-31",
    amount: 2500,
    counter_account: 6950,
  });
  await call("POST /opening-items/ext:old-1043/reverse", { reason: "It was paid in January." });
  await call("POST /payments/preview", payment);
  await call("POST /payments", { external_id: "bank-2026-02-03-1", ...payment });
  const { id } = await call("POST /allocations", {
    external_id: "rest-of-advice",
    payment: "ext:bank-2026-02-03-1",
    invoice: "ext:advice-2",
  });
  await call("GET /allocations?payment=ext:bank-2026-02-03-1");
  await call(`POST /allocations/${id}/reverse`, { reason: "for another invoice" });
  await call("GET /payments/ext:bank-2026-02-03-1");
  await call("POST /payments/ext:bank-2026-02-03-1/reverse", { reason: "returned by the bank" });
  await call("GET /payments?customer=ext:acme");
  await call("GET /payments.csv");
}

async function keepBankAccounts(call: Call): Promise<void> {
  await call("POST /bank-accounts", {
    external_id: "euro",
    name: "Euro account",
    currency: "EUR",
    ledger_account: 6485,
    iban: "DK50 0040 0440 1162 43",
  });
  await call("PATCH /bank-accounts/ext:euro", { name: "Euro account of the studio" });
  await call("GET /bank-accounts/ext:euro");
  await call("GET /bank-accounts");
  const entries = [
    {
      amount: "1250.00",
      day: "2026-02-02",
      text: "Invoice 1",
      counterparty: "Acme ApS",
      bank_reference: "2026020200012",
    },
  ];
  const file = camt({ currency: "EUR", closing: ["2026-02-02", "1250.00"], entries });
  const path = "/bank-statements?bank_account=ext:euro";
  await call(`POST ${path}`, new BankFile(file, "application/xml", "ext:euro"));
  await call(`GET ${path}`);
  const { data } = await call("GET /bank-lines?state=open&include=suggestions");
  await call(`GET /bank-lines/${data[0].id}`);
  const lines = [{ bank_line: data[0].id, ignore: "It belongs to another company." }];
  await call("POST /bank-lines/preview", { lines });
  await call("POST /bank-lines/book", { lines });
  await call(`POST /bank-lines/${data[0].id}/restore`);
  await call("GET /bank-lines.csv");
}

async function prepareReminders(call: Call): Promise<void> {
  await call("PUT /reference-rates/2026-01-01", { rate: 1.75 });
  await call("GET /reference-rates");
  const hold = { until: "2030-12-31", reason: "The hours of March are disputed." };
  await call("PUT /invoices/ext:website-2026/reminder-hold", hold);
  await call("DELETE /invoices/ext:website-2026/reminder-hold");
}

async function remind(call: Call): Promise<void> {
  await call("POST /customers", {
    external_id: "nord",
    name: "Nord ApS",
    email: "bogholderi@nord.example",
  });
  await call("POST /opening-items", {
    external_id: "old-1051",
    number: "1051",
    customer: "ext:nord",
    date: "2026-02-02",
    due_date: "2026-01-20",
    amount: 2500,
    counter_account: 6950,
  });
  const levels = [{ days_after_due: 3, fee: 100 }];
  await call("PATCH /configuration", { reminders: { levels } });
  const { rows } = await call("POST /reminder-runs/preview", { customer: "ext:nord" });
  const [{ currency, agreed }] = rows;
  const run = await call("POST /reminder-runs", {
    rows: [{ customer: "ext:nord", currency, agreed }],
  });
  const path = `/reminders/${run.outcomes[0].reminder_id}`;
  await call("GET /reminders?customer=ext:nord");
  await call(`GET ${path}`);
  await call(`GET ${path}/pdf`);
  await call(`POST ${path}/send`, { address: "bo.lund@acme.example" });
  await call(`GET ${path}/deliveries`);
  await call(`POST ${path}/cancel`, { reason: "Paid before the letter" });
}

async function subscribe(call: Call): Promise<void> {
  await call("POST /webhook-endpoints", {
    external_id: "crm",
    url: "https://crm.example/matchbook",
    event_types: ["customer.*", "invoice.issued"],
    headers: { "X-Source": "matchbook" },
  });
  await call("GET /webhook-endpoints");
  await call("GET /webhook-endpoints/ext:crm");
  await call("PATCH /webhook-endpoints/ext:crm", { max_per_second: 10 });
  await call("POST /webhook-endpoints/ext:crm/rotate-secret", { overlap_hours: 48 });
  await call("POST /webhook-endpoints/ext:crm/pause");
  await call("POST /webhook-endpoints/ext:crm/replay", { after: 0, only: "all" });
  const { data } = await call("GET /webhook-endpoints/ext:crm/deliveries?limit=1");
  await call(`GET /webhook-deliveries/${data[0].id}`);
  await call(`POST /webhook-deliveries/${data[0].id}/redeliver`);
  await call("POST /webhook-endpoints/ext:crm/enable", { skip: true });
  // A name of this machine, so that nothing leaves it.
  await call("PATCH /webhook-endpoints/ext:crm", { url: "https://localhost/matchbook" });
  await call("POST /webhook-endpoints/ext:crm/test", { type: "customer.created" });
  await call("DELETE /webhook-endpoints/ext:crm");
}

async function bringAlong(call: Call): Promise<void> {
  const contract = {
    external_id: "old-hosting",
    customer: "ext:nord",
    product: "ext:consulting",
    invoiced: 24000,
    earned: 16000,
    service_from: "2025-05-01",
    service_to: "2026-04-30",
    cutover: "2025-12-31",
    counter_account: 6950,
  };
  await call("POST /opening-contracts/preview", contract);
  await call("POST /opening-contracts", contract);
  await call("GET /opening-contracts?customer=ext:nord");
  await call("GET /opening-contracts/ext:old-hosting");
  await call("POST /opening-contracts/ext:old-hosting/end", {
    date: "2026-02-28",
    reason: "The customer moved to another house.",
  });
}

async function followDelivery(call: Call): Promise<void> {
  const { data } = await call("GET /deliveries?channel=email&limit=1");
  const path = `/deliveries/${data[0].id}`;
  await call(`GET ${path}`);
  await call(`POST ${path}/resolve`, { outcome: "delivered", reason: "Bo has the letter." });
  await call(`GET ${path}/events`);
}

async function stateAccount(call: Call): Promise<void> {
  await call("GET /customers/ext:acme/statement?from=2026-01-01");
  const period = { from: "2026-01-01", address: "bo.lund@acme.example" };
  const statement = await call("POST /customers/ext:acme/statements", period);
  await call("GET /customers/ext:acme/statements");
  await call(`GET /statements/${statement.id}/pdf`);
}
