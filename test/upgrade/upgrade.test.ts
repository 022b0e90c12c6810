/**
 * An installation of an older version continues with the current code: its backup is restored and migrated, its books
 * are correct, and all later requests have the same answers as in the older version. README.md describes its content.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { firstBankAccount, shownBankAccount } from "../../src/domain/receivables/bank-account.ts";
import { carried } from "../assistant/carried.ts";
import type { Json } from "../support/world/world.ts";
import { ANSWERS, type Answer, BACKUP, readAnswers, readBefore } from "./before.ts";
import { asBefore, idsIn } from "./normal.ts";
import { plays } from "./plays.ts";
import { type Restored, restoreBooks } from "./restored.ts";
import { isKnownBefore, openStage } from "./stage.ts";

const CUSTOMER_COLUMNS =
  "reminders,einvoice_address,einvoice_format,einvoice_by_mail,accounting_cost";
const PAID_COLUMNS = ",payment_state,document_paid,document_open,paid_on";

/** Steps with intended differences: the current form of their earlier answers, and the reason. */
const CHANGED = [
  {
    steps: /: (?:list_(?:invoices|series|credit_notes)|get_(?:customer|invoice)) /,
    reason: "Lists of tools show no lines of documents, because the size of an answer has a limit.",
    asNow: ({ data, ...page }: Json) => ({ ...page, data: listsWithoutLines(data) }),
  },
  {
    steps: /: GET \/invoices\/<new \d+>\/pdf$/,
    reason: "Invoices issued from now on print a payment reference with check digits.",
    asNow: ({ pdf, ...answer }: Json) => ({ ...answer, pdf: pdf && withCheckDigits(pdf) }),
  },
  {
    steps: /: GET \/customers\.csv/,
    reason: "The file of customers says who is reminded, and where e-invoices go.",
    asNow: (lines: Json) => withColumns(lines, `,${CUSTOMER_COLUMNS}`, ",true,,,false,"),
  },
  {
    steps: /: GET \/invoices\.csv/,
    reason:
      "The file of invoices says what is paid, once receivables are begun, the account in the buyer's books, and the buyer's answer.",
    asNow: (lines: Json) =>
      withColumns(lines, `${PAID_COLUMNS},accounting_cost,buyer_answer`, ",,,,,,"),
  },
  {
    steps: /: GET \/recognition\.csv/,
    reason: "The file of revenue names opening contracts.",
    asNow: (lines: Json) => withColumns(lines, ",opening_contract_id", ","),
  },
  {
    steps: /: GET \/credit-notes\.csv/,
    reason:
      "The file of credit notes says the account in the buyer's books, and the buyer's answer.",
    asNow: (lines: Json) => withColumns(lines, ",accounting_cost,buyer_answer", ",,"),
  },
  {
    steps: /: GET \/ledger\/accounts\?/,
    reason: "The chart has accounts for fees, reminders and their interest.",
    asNow: ({ data, ...page }: Json) => ({ ...page, data: withNewAccounts(data) }),
  },
];

/** The lines of a file with more columns: their heads, and their cells on each row. */
function withColumns(lines: Json, heads: string, cells: string): Json {
  return lines.map((line: string, at: number) =>
    line === "" ? line : `${line}${at === 0 ? heads : cells}`,
  );
}

/** A chart with the accounts that payments and reminders need; one without the standard chart stays as it was. */
function withNewAccounts(chart: Json[]): Json[] {
  if (!chart.some(({ number }) => number === 2720)) return chart;
  const added = [
    [1550, "Rykkergebyrer", "income"],
    [2390, "Gebyrer", "expense"],
    [3490, "Renteindtægter", "income"],
  ].map(([number, name, type]) => ({
    object: "ledger_account",
    number,
    name,
    type,
    vat_code: null,
    balance: 0,
  }));
  return [...chart, ...added].sort((a, b) => a.number - b.number);
}

/** The words of a page whose payment reference was the number alone (ISO 11649: R is 27 and F is 15). */
function withCheckDigits(words: string): string {
  return words.replace(
    /(Betalingsreference|Payment reference) (\d+)(?= )/,
    (_, label: string, number: string) => {
      const digits = String(98n - (BigInt(`${number}271500`) % 97n)).padStart(2, "0");
      return `${label} RF${digits}${number}`;
    },
  );
}

/** Sentences with an earlier wording. Stored answers keep the earlier wording, so both sides are reworded. */
const SENTENCES: readonly (readonly [before: string, now: string])[] = JSON.parse(
  readFileSync(new URL("before/sentences.json", import.meta.url), "utf8"),
);

function asWordedNow(answer: Answer): Answer {
  const text = JSON.stringify(answer);
  return JSON.parse(SENTENCES.reduce((all, [old, now]) => all.replaceAll(old, now), text));
}

const before = readBefore();
const answers = readAnswers();
const known = idsIn(BACKUP);
let restored: Restored;
/** Lines of periods without an invoice for which revenue was already booked. */
const waiting = new Set<string>();
const played = new Map<string, readonly Answer[]>();
beforeAll(async () => {
  restored = await restoreBooks(inject("template_url"), BACKUP, before.made_at);
});
afterAll(() => restored.remove());

describe("an installation of an older version", () => {
  it("is restored and migrated with correct books", async () => {
    expect(restored.reported.err).toContain("3 accounts are checked: no fault was found");
    const { exit, out } = await restored.matchbook("verify", "--json");
    expect([exit, JSON.parse(out).ok]).toEqual([0, true]);
  });

  it("keeps the stored ids of the lines of its occurrences", async () => {
    const rows = await restored.sql(
      `select s.line_id, h.id is not null as is_kept, s.waits
       from (
         select account_id, line_id, series_id, period, false as waits from work_registrations
         union all
         select i.account_id, l.id, i.series_id, i.period, false from invoices i
         join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
         union all
         select account_id, line_id, series_id, period, invoice_id is null from accrual_rows) s
       left join hashed_line_ids h on h.account_id = s.account_id and h.id = s.line_id and h.period = s.period
       where s.series_id is not null`,
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ is_kept }) => !is_kept)).toEqual([]);
    for (const { line_id, waits } of rows) if (waits) waiting.add(line_id);
  });

  it("gets a bank account for each account, on an asset account of its books", async () => {
    const banks = await restored.sql(
      `select a.id as account, c.functional_currency, l.type, b.* from accounts a
       join configurations c on c.account_id = a.id
       left join bank_accounts b on b.account_id = a.id
       left join ledger_accounts l on l.account_id = b.account_id and l.number = b.ledger_account`,
    );
    expect(banks.length).toBe(3);
    for (const { account, functional_currency, type, document, ...bank } of banks) {
      const { id, ledger_account } = bank;
      const first = firstBankAccount(id, functional_currency);
      expect(document, account).toBe(
        JSON.stringify(shownBankAccount({ ...first, ledger_account })),
      );
      expect(bank).toMatchObject({ name: "Bank", is_default: true, currency: functional_currency });
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([type, ledger_account]).toEqual(["asset", 6480]);
    }
  });

  it("gets an open item for each booked document, which add up to the receivables of the books", async () => {
    const sums = await restored.sql(
      `select a.id, coalesce((select sum(case when i.is_credit then -i.functional_open else i.functional_open end)
           from open_items i where i.account_id = a.id), 0)::bigint as items,
         coalesce((select sum(p.amount) from ledger_postings p where p.account_id = a.id and p.account_number = 6190), 0)::bigint as books
       from accounts a where a.ledger_kind = 'builtin'`,
    );
    expect(sums.length).toBeGreaterThan(1);
    for (const { items, books } of sums) expect(items).toBe(books);
    const matched = await restored.sql(
      `select c.open, i.amount - (select sum(n.amount) from allocations n where n.account_id = i.account_id and n.debit_id = i.id) as left,
         i.open as open_of_invoice
       from allocations a join open_items c on c.account_id = a.account_id and c.id = a.credit_id
       join open_items i on i.account_id = a.account_id and i.id = a.debit_id`,
    );
    expect(matched).toHaveLength(2);
    for (const { open, left, open_of_invoice } of matched) {
      expect([open, open_of_invoice]).toEqual(["0", left]);
    }
    const begun = await restored.sql(`select from receivables_begins`);
    expect(begun).toEqual([]);
  });

  it("announces no end of a series and no month that lie before the upgrade", async () => {
    const [series] = await restored.sql(
      `select count(*)::int as marked, (count(*) filter (where next_announcement_on <= current_date))::int as due
       from recurring_series where announced_soon <> '{}'`,
    );
    expect(series).toMatchObject({ due: 0 });
    expect(series?.marked).toBeGreaterThan(0);
    const [months] = await restored.sql(
      `select count(*)::int as closes, (count(*) filter (where n.month is null))::int as lacking
       from period_closes c left join announced_months n on n.account_id = c.account_id and n.month = c.month`,
    );
    expect(months).toMatchObject({ lacking: 0 });
    expect(months?.closes).toBeGreaterThan(0);
  });

  it.each(Object.entries(plays))(
    "continues with the answers of the older version: %s",
    async (name, play) => {
      const stage = await openStage(await restored.copy(), before, known);
      try {
        await play(stage);
      } finally {
        await stage.close();
      }
      played.set(name, stage.answers);
      const recorded = answers[name] ?? [];
      expect(recorded.length, `${name} is in ${ANSWERS}`).toBeGreaterThan(0);
      expect(stage.answers.map(({ step }) => step)).toEqual(recorded.map(({ step }) => step));
      for (const [index, was] of recorded.entries()) {
        const answer = stage.answers[index] ?? was;
        const expected = withRoomFor(answer, expectedNow(was));
        expect(asBefore(asWordedNow(comparable(answer)), expected), was.step).toEqual(expected);
      }
    },
  );

  it("books the revenue of periods once if it was booked before their issue", () => {
    const steps = played.get("months are closed") ?? [];
    const booked = new Map<string, { earned: number; invoiced: number }>();
    for (const { step, body } of steps) {
      if (!step.startsWith("main: GET /recognition?invoice=")) continue;
      for (const { line_id, earned, invoiced } of body.data) {
        const sum = booked.get(line_id) ?? { earned: 0, invoiced: 0 };
        booked.set(line_id, { earned: sum.earned + earned, invoiced: sum.invoiced + invoiced });
      }
    }
    const lines = steps
      .filter(({ step }) => /^main: GET \/invoices\/.*\/recognition$/.test(step))
      .flatMap(({ body }) => body.lines as Json[]);
    expect(lines.length).toBeGreaterThan(10);
    // The lines of periods have the ids under which they were booked before.
    expect(lines.filter(({ line_id }) => waiting.has(line_id)).length).toBeGreaterThan(5);
    for (const { line_id, earned_to_date, invoiced_to_date } of lines) {
      const { earned = 0, invoiced = 0 } = booked.get(line_id) ?? {};
      expect(earned, line_id).toBeCloseTo(earned_to_date, 6);
      expect(invoiced, line_id).toBeCloseTo(invoiced_to_date, 6);
    }
  });
});

/** A page of the audit trail, without the oldest events, in whose place there are new ones now. */
function withRoomFor({ body }: Answer, expected: Answer): Answer {
  const left_out = body?.left_out ?? 0;
  if (left_out === 0) return expected;
  const data = expected.body.data.filter(isKnownBefore);
  // Only a full page may lack events that the older version showed.
  if (!body.has_more) return { ...expected, body: { ...expected.body, data } };
  const { length } = body.data;
  return { ...expected, body: { ...expected.body, data: data.slice(0, length), has_more: true } };
}

function expectedNow(recorded: Answer): Answer {
  const was = asWordedNow(recorded);
  const changed = CHANGED.find(({ steps }) => steps.test(was.step));
  return comparable(changed ? { ...was, body: changed.asNow(was.body) } : was);
}

/** Lists of tools that had the newest first and now have drafts first, then the order of days and numbers. */
const REORDERED = /: list_(?:invoices|credit_notes) /;
/** Checks of the books that the older version had not; its `ok` covers them. */
const ADDED_CHECKS = ["receivables", "einvoices"];
const ADDED_TO_ROWS = ["customer_name", "net", "currency", "period", "invoice_number", "user_name"];

/**
 * The comparable form of an earlier and of a current answer: rows of lists of tools with the fields that they carry now, in one
 * order, and series without `next`, which was the first period without an invoice and is the one that the scheduler issues next.
 */
function comparable(answer: Answer): Answer {
  const { step, body } = answer;
  const [, tool = ""] = /: ((?:list|get)_[a-z_]+)/.exec(step) ?? [];
  if (/: GET \/ledger\/verification/.test(step)) {
    const checks = body.checks
      .filter(({ name }: Json) => !ADDED_CHECKS.includes(name))
      // Matches of credit notes have events that the older version had not.
      .map((one: Json) => (one.name === "audit_trail" ? { ...one, checked: "<events>" } : one));
    return { ...answer, body: { ...body, checks } };
  }
  if (body?.data === undefined) return answer;
  if (tool.startsWith("list_") && Array.isArray(body.data)) {
    const added = [...ADDED_TO_ROWS, ...(tool === "list_credit_notes" ? ["amount"] : [])];
    const rows = body.data.map((row: Json) => carried(tool, row, ...added));
    const data = REORDERED.test(step)
      ? rows.sort((a: Json, b: Json) => (a.id < b.id ? -1 : 1))
      : rows;
    return { ...answer, body: { ...body, data } };
  }
  if (tool === "get_series") return { ...answer, body: { ...body, data: withoutNext(body.data) } };
  if (tool !== "get_customer") return answer;
  const { active_series, ...customer } = body.data;
  const data = { ...customer, active_series: active_series.map(withoutNext) };
  return { ...answer, body: { ...body, data } };
}

const withoutNext = ({ next: _, ...series }: Json): Json => series;

/** Lists without the lines of their documents; a single document keeps its lines. */
function listsWithoutLines(data: Json): Json {
  if (Array.isArray(data)) return data.map(({ lines: _, ...listed }: Json) => listed);
  const lists = ["open_drafts", "active_series", "credit_notes"].filter((list) => data?.[list]);
  return {
    ...data,
    ...Object.fromEntries(lists.map((list) => [list, listsWithoutLines(data[list])])),
  };
}
