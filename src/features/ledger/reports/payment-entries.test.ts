/** Entries of payments, reminders and opening items in the files of the journal. */
import { beforeAll, expect, it } from "vitest";
import { checkBeancount, checkHledger, requireTool } from "../../../../test/ledger/checkers.ts";
import {
  BANK,
  bookEntries,
  journalBooking,
  paid,
} from "../../../../test/support/ledger/journal-entries.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { ACCOUNT_ROLES, RECEIVABLES } from "../../../ledger/connectors/builtin/chart.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { type JournalFormat, journalText } from "./export.ts";

const world = useWorld();
let reversed: string;
beforeAll(async () => {
  const { id } = await world.done("POST /customers", { name: "Acme A/S" });
  const in_euro = journalBooking(
    "payment",
    id,
    [
      [BANK, 2_485_00n, 333_33n],
      [ACCOUNT_ROLES.exchange_difference, 1_64n, 0n],
      [RECEIVABLES, -2_486_64n, -333_33n],
    ],
    { currency: "EUR" },
  );
  const reminder = journalBooking("reminder", id, [
    [RECEIVABLES, 100_00n],
    [ACCOUNT_ROLES.reminder_fee, -100_00n],
  ]);
  reversed = in_euro.guid;
  const reversal = journalBooking("payment", id, paid(-2_485_00n), { reverses_guid: reversed });
  await bookEntries(world, in_euro, reminder, reversal, journalBooking("opening", id, paid(-5n)));
});

async function textOf(format: JournalFormat): Promise<string> {
  const cx = await operatorContext(world.services, world.account.account_id);
  let text = "";
  for await (const part of journalText(cx, format)) text += part;
  return text;
}

it.each<[JournalFormat, string[]]>([
  ["hledger", ["currency:EUR", "currency_amount:333.33 EUR"]],
  ["beancount", ['currency: "EUR"', 'currency_amount: "333.33 EUR"']],
])("%s has them, with the currency of a payment and without a rate", async (format, parts) => {
  const text = await textOf(format);
  const codes = ["payment-1", "reminder-1", "payment-2", "opening-1"];
  for (const part of [...parts, ...codes]) expect(text).toContain(part);
  expect(text).not.toContain("rate:");
  expect(text.match(/EUR/g)).toHaveLength(4);
});

it("hledger finds no fault in them", async (test) => {
  requireTool(test, "hledger");
  expect(await checkHledger(await textOf("hledger"))).toEqual({ passed: true, output: "" });
});

it("bean-check finds no fault in them", async (test) => {
  requireTool(test, "bean-check");
  expect(await checkBeancount(await textOf("beancount"))).toEqual({ passed: true, output: "" });
});

it("are rows of the file of entries, with what they reverse", async () => {
  const { body } = await world.rest("GET /ledger/entries.csv");
  const rows = String(body).trim().split(/\r?\n/).slice(1);
  expect(rows.map((row) => row.split(",")[2])).toEqual([
    ...Array(3).fill("payment"),
    ...Array(2).fill("reminder"),
    ...Array(2).fill("payment"),
    ...Array(2).fill("opening"),
  ]);
  expect(rows.filter((row) => row.endsWith(`,${reversed}`))).toHaveLength(2);
});
