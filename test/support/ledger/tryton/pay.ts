/** Payments of invoices in Tryton, as its own people record them: moves of the bank, and their reconciliation with the invoice. */
import type { Administrator } from "./books.ts";
import type { TrytonBooks } from "./open-tryton.ts";

type Row = Record<string, unknown>;

const decimal = (text: string): Row => ({ __class__: "Decimal", decimal: text });

function day(text: string): Row {
  const [year, month, of_month] = text.split("-").map(Number);
  return { __class__: "date", year, month, day: of_month };
}

/** The account, the customer and the line of an invoice or credit note that is owed. */
interface Owed {
  readonly id: number;
  readonly account: number;
  readonly party: number;
  readonly line: number;
}

async function owedOf(books: TrytonBooks, guid: string): Promise<Owed> {
  const [found] = await books.sql<Owed>(
    `select i.id, i.account, i.party, l.id as line from account_invoice i
     join account_move_line l on l.move = i.move and l.account = i.account where i.reference = $1`,
    [guid],
  );
  if (found === undefined) throw new Error(`no invoice under ${guid}`);
  return found;
}

async function bankOf(admin: Administrator): Promise<number> {
  const [known] = await admin.search("account.account", ["code", "=", "5820"]);
  if (known !== undefined) return known;
  const [type] = await admin.search("account.account.type", ["name", "=", "Assets"]);
  const [company] = await admin.search("company.company");
  return admin.create("account.account", { code: "5820", name: "Bank", company, type });
}

/** Records what the customer paid of an invoice, in units of the books; below 0 what was paid back. Returns the line of the payment. */
export async function payInTryton(
  books: TrytonBooks,
  guid: string,
  amount: string,
  date: string,
): Promise<number> {
  const { admin } = books;
  const { id, account, party } = await owedOf(books, guid);
  const [period] = await admin.search(
    "account.period",
    ["start_date", "<=", day(date)],
    ["end_date", ">=", day(date)],
  );
  const [journal] = await admin.search("account.journal", ["type", "=", "cash"]);
  const is_back = amount.startsWith("-");
  const [debit, credit] = is_back ? ["0", amount.slice(1)] : [amount, "0"];
  const lines = [
    { account: await bankOf(admin), debit: decimal(debit), credit: decimal(credit) },
    { account, party, debit: decimal(credit), credit: decimal(debit) },
  ];
  const move = await admin.create("account.move", {
    ...{ journal, period, date: day(date) },
    lines: [["create", lines]],
  });
  await admin.call("account.move", "post", [move]);
  const [line] = await admin.search(
    "account.move.line",
    ["move", "=", move],
    ["account", "=", account],
  );
  if (line === undefined) throw new Error("the payment has no line");
  await admin.call("account.invoice", "write", [id], { payment_lines: [["add", [line]]] });
  return line;
}

/** Reconciles documents with lines of payments that together are 0, on a day: they are paid then. Returns the reconciliation. */
export async function reconcileInTryton(
  books: TrytonBooks,
  guids: readonly string[],
  lines: readonly number[],
  date: string,
): Promise<number> {
  const owed = await Promise.all(guids.map((guid) => owedOf(books, guid)));
  const all = [...owed.map(({ line }) => line), ...lines];
  const values = { lines: [["add", all]], date: day(date) };
  return books.admin.create("account.move.reconciliation", values);
}
