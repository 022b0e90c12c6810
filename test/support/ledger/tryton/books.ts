/** The books of a company in Tryton, as an administrator would open them: over the same calls, as the user `admin`. */
import { ADMIN_PASSWORD } from "./program.ts";

type Row = Record<string, unknown>;

/** The connector's user: it may change the books and the products, but has no administrative rights. */
export const USER = { user: "matchbook", password: "Numbered-once-4711" };

const YEARS = [2025, 2026, 2027];

/** Calls to a database as its administrator. Throws with Tryton's message. */
export interface Administrator {
  create(model: string, values: Row): Promise<number>;
  call(model: string, verb: string, ...args: unknown[]): Promise<unknown>;
  /** Ids in ascending order. */
  search(model: string, ...domain: unknown[]): Promise<number[]>;
}

export async function administratorOf(database_url: string): Promise<Administrator> {
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString("base64")}`;
  const request = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(database_url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify({ id: 1, method, params }),
    });
    const answer = (await response.json()) as Row;
    if ("error" in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
  const preferences = async () => request("model.res.user.get_preferences", [true, {}]);
  let context = await preferences();
  const call: Administrator["call"] = async (model, verb, ...args) => {
    const result = await request(`model.${model}.${verb}`, [...args, context]);
    if (model === "res.user" && verb === "write") context = await preferences();
    return result;
  };
  return {
    call,
    create: async (model, values) => ((await call(model, "create", [values])) as [number])[0],
    search: async (model, ...domain) =>
      (await call(model, "search", domain, 0, null, [["id", "ASC"]])) as number[],
  };
}

function decimal(text: string): Row {
  return { __class__: "Decimal", decimal: text };
}

function day(text: string): Row {
  const [year, month, of_month] = text.split("-").map(Number);
  return { __class__: "date", year, month, day: of_month };
}

/** A company with accounts, taxes of 25 % and 0 %, euro and dollars, fiscal years and the connector's user. */
export async function openBooks(admin: Administrator): Promise<void> {
  const currency = (code: string, rate: string) =>
    admin.create("currency.currency", {
      ...{ name: code, symbol: code, code, digits: 2, rounding: decimal("0.01") },
      rates: [["create", [{ date: day("2024-01-01"), rate: decimal(rate) }]]],
    });
  const krone = await currency("DKK", "1");
  await currency("EUR", "0.134048");
  const party = await admin.create("party.party", { name: "Nordlys Rådgivning ApS" });
  const company = await admin.create("company.company", { party, currency: krone });
  const [self] = await admin.search("res.user", ["login", "=", "admin"]);
  await admin.call("res.user", "write", [self], { companies: [["add", [company]]], company });
  await openChart(admin, company);
  for (const year of YEARS) await openYear(admin, company, year);
  await addUser(admin, company);
}

async function openChart(admin: Administrator, company: number): Promise<void> {
  const type = (name: string, statement: string, flags: Row = {}) =>
    admin.create("account.account.type", { name, company, statement, ...flags });
  const account = (code: string, name: string, of_type: number, flags: Row = {}) =>
    admin.create("account.account", { code, name, company, type: of_type, ...flags });
  const asset = await type("Assets", "balance", { assets: true });
  const liability = await type("Liabilities", "balance");
  const revenue = await type("Revenue", "income", { revenue: true });
  const owed = await type("Receivables", "balance", { assets: true, receivable: true });
  const flags = { reconcile: true, party_required: true };
  const receivable = await account("6190", "Trade debtors", owed, flags);
  const vat = await account("7680", "Sales VAT", liability);
  await account("1010", "Sales", revenue);
  await account("1150", "Services to the EU", revenue);
  await account("6240", "Work in progress", asset);
  await account("8070", "Deferred income", liability);
  await admin.create("account.configuration", { default_account_receivable: receivable });
  const group = await admin.create("account.tax.group", { name: "VAT", code: "VAT", kind: "sale" });
  for (const [name, rate] of [
    ["U25", "0.25"],
    ["U0", "0"],
  ] as const) {
    await admin.create("account.tax", {
      ...{ name, description: `Sales VAT ${name}`, company, group, type: "percentage" },
      ...{ rate: decimal(rate), invoice_account: vat, credit_note_account: vat },
    });
  }
}

/** A fiscal year of twelve months whose numbers begin with 1. */
async function openYear(admin: Administrator, company: number, year: number): Promise<void> {
  const [of_moves] = await admin.search("ir.sequence.type", ["name", "=", "Account Move"]);
  const [of_invoices] = await admin.search("ir.sequence.type", ["name", "=", "Invoice"]);
  const strict = (name: string) =>
    admin.create("ir.sequence.strict", { name, sequence_type: of_invoices, company });
  const moves = { name: `Moves ${year}`, sequence_type: of_moves, company };
  const invoices = await strict(`Invoices ${year}`);
  const credit_notes = await strict(`Credit notes ${year}`);
  const sequences = {
    ...{ company, out_invoice_sequence: invoices, out_credit_note_sequence: credit_notes },
    ...{ in_invoice_sequence: invoices, in_credit_note_sequence: credit_notes },
  };
  const id = await admin.create("account.fiscalyear", {
    ...{
      name: `${year}`,
      company,
      start_date: day(`${year}-01-01`),
      end_date: day(`${year}-12-31`),
    },
    post_move_sequence: await admin.create("ir.sequence", moves),
    invoice_sequences: [["create", [sequences]]],
  });
  await admin.call("account.fiscalyear", "create_period", [id]);
}

async function addUser(admin: Administrator, company: number): Promise<void> {
  const groups = await admin.search("res.group", [
    "name",
    "in",
    ["Account", "Account Administration", "Product Administration"],
  ]);
  await admin.create("res.user", {
    ...{ name: "Matchbook", login: USER.user, password: USER.password, company },
    ...{ companies: [["add", [company]]], groups: [["add", groups]] },
  });
}
