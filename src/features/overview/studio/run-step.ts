/** Does one step of the example year by the commands that people and keys use. */
import { carried, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { insertUser } from "../../access/people/save.ts";
import { saveCustomer } from "../../catalogue/customers/save.ts";
import { CustomerCreate } from "../../catalogue/customers/schemas.ts";
import { createProduct } from "../../catalogue/products/save.ts";
import { ProductCreate } from "../../catalogue/products/schemas.ts";
import { changeAccount } from "../../ledger/reports/change-account.ts";
import { changeBankAccount } from "../../receivables/bank-accounts/save.ts";
import { namedAccount } from "../../receivables/bank-statements/find-accounts.ts";
import { runScheduler } from "../../recurring/occurrences/run-scheduler.ts";
import { activateSeries } from "../../recurring/series/activate.ts";
import { createSeries } from "../../recurring/series/draft.ts";
import { SeriesCreate } from "../../recurring/series/schemas.ts";
import { closePeriod } from "../../revenue/closes/close-month.ts";
import { createCreditNote } from "../../sales/credit-notes/create.ts";
import { CreditNoteCreate } from "../../sales/credit-notes/schemas.ts";
import { completeLine } from "../../sales/invoices/complete.ts";
import { createInvoice } from "../../sales/invoices/draft.ts";
import { issueInvoice } from "../../sales/invoices/issue.ts";
import { InvoiceCreate } from "../../sales/invoices/schemas.ts";
import { putLogo } from "../../settings/configuration/logo.ts";
import { changeConfiguration, putRate } from "../../settings/configuration/save.ts";
import { RateParams } from "../../settings/configuration/schemas.ts";
import { importedHours } from "../imports/register-hours.ts";
import {
  BANK_ACCOUNT,
  COLLEAGUES,
  CONFIGURATION,
  CUSTOMERS,
  LICENCES,
  LOGO,
  PRODUCTS,
} from "./firm.ts";
import { playBank, remind } from "./run-bank.ts";
import type { Project, Retainer, StudioLine } from "./work.ts";
import type { HoursOfDay, YearStep } from "./year.ts";

/** How long a run of the scheduler or a close may take before the step is repeated, in milliseconds. */
const MOST_MS = 30_000;

/** Does the parts of a step that open their own transactions. A repetition changes nothing. */
export async function playOutside(cx: Context, step: YearStep): Promise<void> {
  switch (step.do) {
    case "schedule":
      await runScheduler(cx, MOST_MS);
      return;
    case "close": {
      const { document } = await closePeriod(cx, { month: step.month, lock: true }, MOST_MS);
      const { status } = JSON.parse(document) as { readonly status: string };
      if (status !== "completed") throw new Error(`the close of ${step.month} is ${status}`);
      return;
    }
    case "issue": {
      const { id, document } = await getStored(cx, "invoices", `ext:${step.work}`);
      const { status } = JSON.parse(document) as { readonly status: string };
      if (status === "draft") await run(issueInvoice, cx, { ref: id });
      return;
    }
    case "credit": {
      const [line] = await linesOf(cx, step.work);
      await run(
        createCreditNote,
        cx,
        CreditNoteCreate.parse({
          external_id: "studio-credit",
          invoice: `ext:${step.work}`,
          kind: "partial",
          credit_date: step.date,
          lines: [{ invoice_line_id: line, amount: step.amount }],
        }),
      );
      return;
    }
    case "bank_account": {
      const { id } = await namedAccount(cx, undefined);
      await run(changeBankAccount, cx, { ref: id, changes: BANK_ACCOUNT });
      return;
    }
    case "bank":
      return playBank(cx, step);
    case "remind":
      return remind(cx, step.customer);
    default:
  }
}

/** Does the parts of a step that belong into the transaction which counts it. */
export async function playInside(tx: Tx, step: YearStep): Promise<void> {
  switch (step.do) {
    case "firm": {
      await carried(tx, changeConfiguration, CONFIGURATION);
      await carried(tx, putLogo, { content: LOGO });
      for (const { date, rate } of step.rates) {
        await carried(tx, putRate, { ...RateParams.parse({ currency: "EUR", date }), rate });
      }
      for (const { external_id, name, role } of COLLEAGUES) {
        // They have no login and are not invited: their addresses exist nowhere.
        const email = `${external_id}@nordlys.example`;
        await insertUser(tx, { external_id, name, email, role }, null, null);
      }
      return;
    }
    case "products":
      for (const product of PRODUCTS) {
        await carried(tx, createProduct, ProductCreate.parse(product));
      }
      await carried(tx, changeAccount, {
        number: LICENCES.number,
        changes: { name: LICENCES.name },
      });
      return;
    case "customers":
      for (const customer of CUSTOMERS) {
        await carried(tx, saveCustomer, CustomerCreate.parse(customer));
      }
      return;
    case "retainer":
      return makeRetainer(tx, step.retainer, step);
    case "project":
      return makeProject(tx, step.project, step);
    case "hours":
      return registerHours(tx, step.rows);
    case "complete": {
      const [line_id = ""] = await linesOf(tx, step.work);
      await carried(tx, completeLine, { ref: `ext:${step.work}`, line_id });
      return;
    }
    default:
  }
}

async function makeRetainer(
  tx: Tx,
  { external_id, customer, currency, frequency, mode, lines, is_draft }: Retainer,
  { from, to }: { readonly from: string; readonly to: string | null },
): Promise<void> {
  const ids = await idsByName(tx);
  const { document } = await carried(
    tx,
    createSeries,
    SeriesCreate.parse({
      external_id,
      customer_id: ids.get(customer),
      currency,
      frequency,
      start_date: from,
      end_date: to,
      issue_timing: { mode },
      lines: lines.map((line) => lineFrom(line, ids)),
    }),
  );
  if (is_draft) return;
  const { id } = JSON.parse(document) as { readonly id: string };
  await carried(tx, activateSeries, { ref: id, past_periods: "keep" });
}

async function makeProject(
  tx: Tx,
  project: Project,
  { month, until }: { readonly month: string; readonly until: string },
): Promise<void> {
  const { external_id, customer, currency = "DKK", title, method, people, shares = [] } = project;
  const { agreed_value, budget_hours, workshop, further = [] } = project;
  const ids = await idsByName(tx);
  const service = { service_from: `${month}-01`, service_to: until };
  const first = {
    ...lineFrom(
      {
        product: method === "hours" ? "design" : "project",
        method,
        ...(agreed_value !== undefined && { agreed_value }),
        ...(method === "hours" && { hourly_rate: 1_150 }),
        people: people.map((person, at) => [person, shares[at]] as const),
      },
      ids,
    ),
    description_override: title,
    ...(budget_hours !== undefined && { budget_hours }),
    ...(method === "value" && service),
  };
  const day_of_work: StudioLine[] =
    workshop === undefined
      ? []
      : [{ product: "workshop", method: "on_issue", agreed_value: 18_500, ...workshop }];
  await carried(
    tx,
    createInvoice,
    InvoiceCreate.parse({
      external_id,
      customer_id: ids.get(customer),
      currency,
      title,
      lines: [
        first,
        ...day_of_work.map((line) => lineFrom(line, ids)),
        ...further.map((line) => ({ ...lineFrom(line, ids), ...service })),
      ],
    }),
  );
}

function lineFrom(line: StudioLine, ids: ReadonlyMap<string, string>) {
  const { product, method, agreed_value, hourly_rate, discount, people = [] } = line;
  return {
    product_id: ids.get(product),
    recognition_method: method,
    ...(agreed_value !== undefined && { agreed_value }),
    ...(hourly_rate !== undefined && { hourly_rate }),
    ...(discount !== undefined && { discount }),
    assignees: people.map(([person, distribution_percentage]) => ({
      user_id: ids.get(person),
      ...(distribution_percentage !== undefined && { distribution_percentage }),
    })),
  };
}

async function registerHours(tx: Tx, days: readonly HoursOfDay[]): Promise<void> {
  const ids = await idsByName(tx);
  const lines = new Map<string, string | undefined>();
  for (const { work } of days) {
    if (!lines.has(work)) lines.set(work, (await linesOf(tx, work))[0]);
  }
  const rows = days.map(({ work, person, date, hours, note }) =>
    importedHours.row.parse({
      line_id: lines.get(work),
      user_id: ids.get(person),
      date,
      hours,
      note,
    }),
  );
  const make = await importedHours.begin(tx, rows);
  for (const row of rows) await make(row);
}

/** Returns the ids of people, products and customers by their external ids. The login's own user is `owner`. */
async function idsByName(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const { account_id } = tx.caller;
  const rows = await tx.rows<{ name: string; id: string }>(sql`
    select coalesce(external_id, 'owner') as name, id from users where account_id = ${account_id}
    union all select external_id, id from products where account_id = ${account_id}
    union all select external_id, id from customers where account_id = ${account_id}`);
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Returns the ids of the lines of an invoice or retainer, in their order, by its external id. */
async function linesOf(cx: Pick<Tx, "rows" | "caller">, work: string): Promise<string[]> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<{ id: string }>(sql`
    select l.id from invoices i join invoice_lines l on l.account_id = ${account_id} and l.invoice_id = i.id
     where i.account_id = ${account_id} and i.external_id = ${work} order by l.position`);
  if (rows.length > 0) return rows.map(({ id }) => id);
  const found = await cx.rows<{ id: string }>(sql`
    select l.line_id as id from recurring_series s join series_lines l on l.account_id = ${account_id} and l.series_id = s.id
     where s.account_id = ${account_id} and s.external_id = ${work} order by l.line_id`);
  return found.map(({ id }) => id);
}
