/**
 * The exported journal in independent programs: a random history passes their
 * checks, their balances are our trial balance, their revenue is the sales sent. The negative controls
 * show that each of these checks detects its fault.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { scaledFromNumber } from "../../src/domain/base/money.ts";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import {
  exportJournal,
  type JournalFormat,
  journalText,
} from "../../src/features/ledger/reports/export.ts";
import { batchesOf } from "../../src/features/ledger/reports/export-journal.ts";
import type { Context } from "../../src/platform/commands/context.ts";
import { useWorld } from "../support/world/world.ts";
import { checkBeancount, checkHledger, hledgerBalances, requireTool } from "./checkers.ts";
import { type History, makeHistory } from "./history.ts";

const SALES = 60;
const seed = Date.now() % 2 ** 31;

let cx: Context;
let history: History;
let hledger: string;
let beancount: string;

const world = useWorld();
beforeAll(async () => {
  cx = await operatorContext(world.services, world.account.account_id);
  history = await makeHistory(world, seed, SALES);
  hledger = await textOf("hledger");
  beancount = await textOf("beancount");
});

describe(`the journal of a random history (seed ${seed})`, () => {
  it("passes the strict check of hledger, with dates in order", async (test) => {
    requireTool(test, "hledger");
    expect(await checkHledger(hledger)).toEqual({ passed: true, output: "" });
  });

  it("passes bean-check", async (test) => {
    requireTool(test, "bean-check");
    expect(await checkBeancount(beancount)).toEqual({ passed: true, output: "" });
  });

  it("has the balances of our trial balance, as hledger sums them", async (test) => {
    requireTool(test, "hledger");
    expect(await hledgerBalances(hledger)).toEqual(await trialBalance());
  });

  it("shows the sold revenue of each account and month", async (test) => {
    requireTool(test, "hledger");
    expect(await revenueOf(hledger)).toEqual(withoutZeros(history.revenue));
  });

  it("contains every entry once, in both formats", () => {
    expect(history.entries).toBeGreaterThan(SALES / 2);
    for (const text of [hledger, beancount]) {
      expect(text.match(/^\d{4}-\d\d-\d\d \* ["(](invoice|credit_note)-\d+/gm)).toHaveLength(
        history.entries,
      );
    }
  });

  it("writes every amount in full, as a whole number after two spaces", () => {
    const posting = /^ {4}\S+ {2}-?\d+ DKKMINOR( = -?\d+ DKKMINOR| {2}; \S.*)?$/;
    const lines = hledger.split("\n").filter((line) => /^ {4}[a-z]+:/.test(line));
    expect(lines.filter((line) => !posting.test(line))).toEqual([]);
  });

  it("has the same order with batches of any size", async () => {
    const all = await entryNumbers(1_000);
    expect(all).toHaveLength(history.entries);
    expect(all).not.toEqual([...all].sort((a, b) => Number(a - b)));
    for (const size of [1, 7, history.entries]) expect(await entryNumbers(size)).toEqual(all);
  });
});

describe("negative controls", () => {
  /** Damage must change the text and be refused for the intended reason. */
  const refused = async (format: JournalFormat, damaged: string, reason: RegExp) => {
    expect([hledger, beancount]).not.toContain(damaged);
    const { passed, output } = await (format === "hledger" ? checkHledger : checkBeancount)(
      damaged,
    );
    expect(passed).toBe(false);
    expect(output).toMatch(reason);
  };
  const oneMore = (_: string, before: string, amount: string) => `${before}${BigInt(amount) + 1n}`;

  it("hledger detects a surplus of one minor unit", async (test) => {
    requireTool(test, "hledger");
    await refused("hledger", hledger.replace(/^( {4}income:\S+ {2})(-?\d+)/m, oneMore), /balance/);
  });

  it("bean-check detects a surplus of one minor unit", async (test) => {
    requireTool(test, "bean-check");
    await refused(
      "beancount",
      beancount.replace(/^( {2}Income:\S+ {2})(-?\d+)/m, oneMore),
      /does not balance/,
    );
  });

  it("hledger detects an undeclared account", async (test) => {
    requireTool(test, "hledger");
    await refused("hledger", hledger.replace(/^account assets:6190.*\n/m, ""), /declared/);
  });

  it("bean-check detects an account that is not opened", async (test) => {
    requireTool(test, "bean-check");
    await refused(
      "beancount",
      beancount.replace(/^\S+ open Assets:6190.*\n/m, ""),
      /unknown account/,
    );
  });

  it("hledger detects a date out of order", async (test) => {
    requireTool(test, "hledger");
    // The last day of all, so that the closing balances are still right.
    const last = /^(\S+) \* \(closing\)/m.exec(hledger)?.[1] ?? "";
    const damaged = hledger.replace(/^\d{4}-\d\d-\d\d(?= \* \()/m, last);
    await refused("hledger", damaged, /order/);
  });

  it("bean-check detects an entry after the closing balances", async (test) => {
    requireTool(test, "bean-check");
    await refused(
      "beancount",
      beancount.replace(/^\d{4}-\d\d-\d\d(?= \* )/m, "2026-06-01"),
      /Balance failed/,
    );
  });

  it("hledger detects an amount that one space hides in the account's name", async (test) => {
    requireTool(test, "hledger");
    await refused(
      "hledger",
      withoutClosing(hledger.replace(/^( {4}income:\S+) {2}/m, "$1 ")),
      /declared/,
    );
  });

  it("the comparison of revenue by month detects an entry in the wrong month", async (test) => {
    requireTool(test, "hledger");
    const moved = lastOfAMonthMoved(hledger);
    expect(moved).not.toBe(hledger);
    expect(await checkHledger(moved)).toEqual({ passed: true, output: "" });
    expect(await revenueOf(moved)).not.toEqual(withoutZeros(history.revenue));
  });

  it("the comparison of balances detects a missing amount, which the check infers", async (test) => {
    requireTool(test, "hledger");
    // Without its VAT posting and its last amount, an entry balances with too much revenue.
    const missing = /^( {4}income:\S+) {2}-?\d+ DKKMINOR.*\n {4}liabilities:7680.*\n/m;
    const damaged = hledger.replace(missing, "$1\n");
    const unasserted = withoutClosing(damaged);
    expect(await checkHledger(unasserted)).toEqual({ passed: true, output: "" });
    expect(await hledgerBalances(unasserted)).not.toEqual(await trialBalance());
    await refused("hledger", damaged, /assertion/);
  });

  it("the closing balances detect a missing amount in beancount", async (test) => {
    requireTool(test, "bean-check");
    const missing =
      /^( {2}Income:\S+) {2}-?\d+ DKKMINOR\n(?: {4}.*\n)* {2}Liabilities:7680.*\n(?: {4}.*\n)*/m;
    await refused("beancount", beancount.replace(missing, "$1\n"), /Balance failed/);
  });
});

describe("an export", () => {
  it("is a snapshot: bookings during it appear neither as entries nor in balances", async (test) => {
    requireTool(test, "hledger");
    const before = await trialBalance();
    const chunks = journalText(cx, "hledger")[Symbol.asyncIterator]();
    let text = (await chunks.next()).value ?? "";
    const { entries } = await makeHistory(world, seed + 1, 3);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += next.value;
    expect(entries).toBeGreaterThan(0);
    expect(await trialBalance()).not.toEqual(before);
    expect(await checkHledger(text)).toEqual({ passed: true, output: "" });
    expect(await hledgerBalances(text)).toEqual(before);
  });

  it("releases its connection if the reader leaves early", async () => {
    for (let time = 0; time < 30; time += 1) {
      for await (const chunk of journalText(cx, "beancount")) {
        expect(chunk).toContain("open");
        break;
      }
    }
    expect((await world.rest("GET /ledger/accounts")).status).toBe(200);
  });

  it("of books without entries passes both checks and shows no other account's data", async (test) => {
    requireTool(test, "hledger");
    requireTool(test, "bean-check");
    const other = await world.openAnother({ currency: "JPY" });
    const others = await operatorContext(world.services, other.account_id);
    const texts = await Promise.all([textOf("hledger", others), textOf("beancount", others)]);
    for (const text of texts) {
      expect(text).toContain("JPYMINOR");
      expect(text).not.toContain("invoice-");
    }
    expect(await checkHledger(texts[0])).toEqual({ passed: true, output: "" });
    expect(await checkBeancount(texts[1])).toEqual({ passed: true, output: "" });
  });

  it("to a file replaces the whole file and leaves no other", async () => {
    const folder = await mkdtemp(join(tmpdir(), "matchbook-export-"));
    try {
      const file = join(folder, "books.journal");
      await writeFile(file, "an earlier export");
      await exportJournal(cx, "hledger", file);
      expect(await readFile(file, "utf8")).toBe(await textOf("hledger"));
      expect(await readdir(folder)).toEqual(["books.journal"]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("that fails leaves only the earlier file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "matchbook-export-"));
    try {
      const file = join(folder, "books.journal");
      await writeFile(file, "an earlier export");
      const unknown_one = { ...cx, caller: { ...cx.caller, account_id: "no uuid" as never } };
      await expect(exportJournal(unknown_one, "hledger", file)).rejects.toThrow();
      expect(await readFile(file, "utf8")).toBe("an earlier export");
      expect(await readdir(folder)).toEqual(["books.journal"]);
      await expect(exportJournal(cx, "hledger", folder)).rejects.toThrow("not a regular file");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function textOf(format: JournalFormat, of: Context = cx): Promise<string> {
  let text = "";
  for await (const chunk of journalText(of, format)) text += chunk;
  return text;
}

async function entryNumbers(size: number): Promise<bigint[]> {
  const numbers: bigint[] = [];
  for await (const entries of batchesOf(cx, size)) {
    expect(entries.length).toBeLessThanOrEqual(size);
    numbers.push(...entries.map((entry) => entry.entry_no));
  }
  return numbers;
}

/** Our own closing balances by account number, as the API shows them, without those of 0. */
async function trialBalance(): Promise<Map<number, bigint>> {
  const { accounts } = await world.done("GET /ledger/trial-balance");
  const closing = accounts.map(
    (account: { number: number; closing: number }): [number, bigint | string] => [
      account.number,
      scaledFromNumber(account.closing, 2),
    ],
  );
  return withoutZeros(new Map(closing));
}

/** Revenue by month and account as hledger sums it, above 0 when earned. */
async function revenueOf(text: string): Promise<Map<string, bigint>> {
  const revenue = new Map<string, bigint>();
  const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];
  for (const [index, month] of months.slice(0, -1).entries()) {
    const period = { from: `${month}-01`, before: `${months[index + 1]}-01` };
    for (const [account, balance] of await hledgerBalances(text, period)) {
      if (account < 2000) revenue.set(`${month} ${account}`, -balance);
    }
  }
  return revenue;
}

/** The journal without the entry that asserts the closing balances. */
function withoutClosing(text: string): string {
  return text.replace(/\n\S+ \* \(closing\)[\s\S]*$/, "");
}

/** The journal with one revenue entry dated like the next one, which is in another month. */
function lastOfAMonthMoved(text: string): string {
  const entries = text.split(/\n\n(?=\d)/);
  const index = entries.findIndex((entry, at) => {
    const next = entries[at + 1];
    return /^\d/.test(entry) && next !== undefined && next.slice(0, 7) !== entry.slice(0, 7);
  });
  return entries
    .map((entry, at) =>
      at === index ? `${entries[at + 1]?.slice(0, 10)}${entry.slice(10)}` : entry,
    )
    .join("\n\n");
}

function withoutZeros<Key>(amounts: ReadonlyMap<Key, bigint>): Map<Key, bigint> {
  return new Map([...amounts].filter(([, amount]) => amount !== 0n));
}
