/** Reads all data of an account: every resource with its parts, the books, and revenue by line, user and month. */
import type { Json } from "../support/world/world.ts";
import type { AccountName } from "./before.ts";
import type { Stage } from "./stage.ts";

/** Closed, partly closed and open months. */
const MONTHS = ["2025-11", "2025-12", "2026-01", "2026-02"];
const EXPLAINED = ["2025-12", "2026-02"];
/** The number of PDFs read of each account: PDFs take longer than all other requests. */
const PDFS = 4;
const FROM_TO = "from=2025-10&to=2026-05";

/** Reads all data, with `GET` requests only. */
export async function lookAtAll(stage: Stage, account: AccountName): Promise<void> {
  await lookAtSales(stage, account);
  await lookAtSeries(stage, account);
  await lookAtRevenue(stage, account, MONTHS, EXPLAINED);
  await lookAtBooks(stage, account);
}

/** Reads the outcome of a play: the lists with their totals, the periods of series, and the books. */
export async function lookAtOutcome(stage: Stage, account: AccountName): Promise<void> {
  const get = (path: string): Promise<Json> => stage.rest(account, `GET ${path}`);
  await get("/customers?limit=100&active=all");
  await get("/products?limit=100&active=all");
  await get("/work-registrations?limit=100");
  const invoices = await get("/invoices?limit=100&origin=all&include=totals,customer,series");
  const made = invoices.data.find((one: Json) => one.status === "issued" && !stage.isKnown(one.id));
  if (made) await get(`/invoices/${made.id}/pdf`);
  await get("/credit-notes?limit=100&include=totals,customer");
  const all = await get("/recurring-series?limit=100&include=customer");
  for (const { id } of all.data) {
    await get(`/recurring-series/${id}/lines`);
    await get(`/recurring-series/${id}/occurrences?limit=20&to=2027-06-30`);
  }
  await lookAtBooks(stage, account);
}

/** Invoices and credit notes with their totals, PDFs and deliveries; customers, products, users, hours. */
async function lookAtSales(stage: Stage, account: AccountName): Promise<void> {
  const get = (path: string): Promise<Json> => stage.rest(account, `GET ${path}`);
  await get("/configuration");
  await get("/exchange-rates?limit=100");
  await get("/customers?limit=100&active=all");
  await get("/customers.csv");
  await get("/products?limit=100&active=all");
  await get("/users?limit=100");
  await get("/work-registrations?limit=100");
  await get("/work-registrations.csv");
  const invoices = await get("/invoices?limit=100&origin=all&include=totals,customer,series");
  await get("/invoices.csv?origin=all");
  let pdfs = 0;
  for (const { id, status } of invoices.data) {
    for (const part of ["/totals", "/deliveries", "/recognition"]) {
      await get(`/invoices/${id}${part}`);
    }
    if (status === "issued" && pdfs++ < PDFS) await get(`/invoices/${id}/pdf`);
  }
  const notes = await get("/credit-notes?limit=100&include=totals,customer");
  for (const { id, status } of notes.data) {
    for (const part of ["/totals", "/deliveries"]) await get(`/credit-notes/${id}${part}`);
    if (status === "issued" && pdfs++ < PDFS + 2) await get(`/credit-notes/${id}/pdf`);
  }
}

/** Series with their lines, periods, and the lines of every period with its id. */
async function lookAtSeries(stage: Stage, account: AccountName): Promise<void> {
  const get = (path: string): Promise<Json> => stage.rest(account, `GET ${path}`);
  const all = await get("/recurring-series?limit=100&include=customer");
  for (const { id } of all.data) {
    await get(`/recurring-series/${id}/lines`);
    await get(`/recurring-series/${id}/preview?until=2026-09-30`);
    const periods = await get(`/recurring-series/${id}/occurrences?limit=9&to=2027-06-30`);
    for (const { period } of periods.data) {
      await get(`/recurring-series/${id}/occurrences/${period}/lines`);
    }
  }
}

/** Accruals with their details and history, closes, reports on both bases, and the explanation of each line. */
export async function lookAtRevenue(
  stage: Stage,
  account: AccountName,
  months: readonly string[],
  explained: readonly string[],
): Promise<void> {
  const get = (path: string): Promise<Json> => stage.rest(account, `GET ${path}`);
  const lines = new Set<string>();
  for (const month of months) {
    const { data } = await get(`/accruals?month=${month}&limit=100`);
    for (const { id } of data) {
      const detail = await get(`/accruals/${id}`);
      await get(`/accruals/${id}/history`);
      for (const { line_id } of detail.lines ?? []) lines.add(line_id);
    }
    await get(`/accruals/reconciliation?month=${month}`);
    await get(`/period-closes/${month}/preview`);
  }
  await get("/period-closes");
  for (const basis of ["work_month", "booking_month"]) {
    for (const group of ["line", "user", "month", "customer"]) {
      await get(`/recognition?${FROM_TO}&group_by=${group}&basis=${basis}&limit=100`);
    }
  }
  await get(`/recognition.csv?${FROM_TO}`);
  await get(`/recognition/rollforward?${FROM_TO}&limit=100`);
  for (const line_id of lines) {
    for (const month of explained)
      await get(`/recognition/explain?line_id=${line_id}&month=${month}`);
  }
}

/** The ledger's entries and balances, the audit trail, and the verification of the books. */
export async function lookAtBooks(stage: Stage, account: AccountName): Promise<void> {
  const get = (path: string): Promise<Json> => stage.rest(account, `GET ${path}`);
  await get("/ledger/accounts?limit=100");
  await get("/ledger/entries?limit=100");
  await get("/ledger/trial-balance");
  await get("/ledger/vat-report?from=2025-10-01&to=2026-06-30");
  await get("/audit-events?limit=100");
  await get("/ledger/verification?fresh=true");
}
