/** Finding by name, number and amount: each kind, only in its own account, and for a person only in their view. */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useTwoPeople } from "../../../../test/support/world/two-people.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { search } from "./find-all.ts";

const { world, customer, line, people, at } = useTwoPeople();

let issued: Json;

beforeAll(async () => {
  issued = await invoice({
    title: "Årets største website, fase 2",
    lines: [line({ agreed_value: 57_225 })],
  });
});

async function invoice(fields: Json): Promise<Json> {
  const { id } = await world.done("POST /invoices", { customer_id: customer.id, ...fields });
  await world.done(`POST /invoices/${id}/issue`);
  return world.done(`GET /invoices/${id}`);
}

async function found(q: string, more = ""): Promise<Json[]> {
  const reply = await world.done(`GET /search?q=${encodeURIComponent(q)}${more}`);
  expect(reply.object).toBe("list");
  return reply.data;
}

/** The results as `kind title`. */
async function titles(q: string, more = ""): Promise<string[]> {
  return (await found(q, more)).map(({ kind, title }) => `${kind} ${title}`);
}

/** The same for a person. */
async function namesFor(cx: Reader, q: string): Promise<string[]> {
  return (await search(cx, q)).map(
    ({ kind, name, number, id }) => `${kind} ${name ?? number ?? id}`,
  );
}

describe("each kind", () => {
  it("is shown with the data that distinguishes it from others", async () => {
    const { id } = customer;
    const [first] = await found(customer.name);
    expect(first).toEqual({
      object: "search_result",
      kind: "customer",
      id,
      title: customer.name,
      subtitle: customer.vat_number,
      amount: null,
      currency: null,
      url: `/customers/${id}`,
    });
    expect(await found("Årets")).toEqual([
      {
        object: "search_result",
        kind: "invoice",
        id: issued.id,
        title: `Invoice ${issued.ledger_invoice_number}: Årets største website, fase 2`,
        subtitle: customer.name,
        amount: 71_531.25,
        currency: "DKK",
        url: `/invoices/${issued.id}`,
      },
    ]);
  });

  it("is found by its number, name or title", async () => {
    expect(await titles("Phase")).toEqual([`invoice ${people.boDraft.title}`]);
    expect(await titles("Beta")).toEqual(["customer Beta ApS", "recurring_series Beta ApS"]);
    expect(await titles("DK12345674")).toContain("customer Beta ApS");
    expect(await titles("12345674")).toContain("customer Beta ApS");
    expect(await titles("Eva")).toEqual(["user Eva"]);
    const { ledger_invoice_number: number } = people.evaInvoice;
    expect(await titles(`#${number}`)).toContain(`invoice Invoice ${number}`);
    const { ledger_credit_note_number: note } = await world.done(
      `GET /credit-notes/${people.evaNote.id}`,
    );
    expect(await titles(String(note))).toContain(
      `credit_note Credit note ${note} of invoice ${number}`,
    );
    const product = await world.done("POST /products", { name: "Zebra", product_number: "Z-77" });
    for (const q of ["zeb", "Z-77"]) {
      expect(await found(q)).toMatchObject([{ kind: "product", id: product.id, subtitle: "Z-77" }]);
    }
    const accounts = await world.done("GET /ledger/accounts?limit=1");
    const [{ number: account, name }] = accounts.data;
    expect(await titles(String(account))).toContain(`ledger_account ${account} ${name}`);
  });

  it("has at most five results, or fewer on request, with the newest documents", async () => {
    for (let n = 1; n <= 7; n += 1) {
      await world.done("POST /customers", { name: `Plenty ${n}` });
      await world.done("POST /invoices", {
        customer_id: customer.id,
        title: `Plenty of work ${n}`,
        lines: [line()],
      });
    }
    const many = await titles("plent");
    expect(many.filter((one) => one.startsWith("customer"))).toHaveLength(5);
    expect(many.filter((one) => one.startsWith("invoice"))).toEqual(
      [7, 6, 5, 4, 3].map((n) => `invoice Plenty of work ${n}`),
    );
    expect(await titles("work plenty", "&limit=2")).toEqual([
      "invoice Plenty of work 7",
      "invoice Plenty of work 6",
    ]);
  });

  it("is found by its new name, or no longer, directly after the change", async () => {
    const made = await world.done("POST /customers", { name: "Quicksilver" });
    await world.done(`PATCH /customers/${made.id}`, { name: "Mercury" });
    expect(await titles("Quicksilver")).toEqual([]);
    expect(await titles("Mercury")).toEqual(["customer Mercury"]);
    await world.done(`POST /customers/${made.id}/deactivate`);
    expect(await titles("Mercury")).toEqual([]);
    const draft = await world.done("POST /invoices", {
      customer_id: customer.id,
      title: "Ephemeral thing",
      lines: [line()],
    });
    await world.done(`PATCH /invoices/${draft.id}`, { title: "Lasting thing" });
    expect(await titles("Ephemeral")).toEqual([]);
    expect(await titles("Lasting")).toEqual(["invoice Lasting thing"]);
    await world.done(`DELETE /invoices/${draft.id}`);
    expect(await titles("Lasting")).toEqual([]);
    const left = await world.sql("select from search_words where id = $1", [draft.id]);
    expect(left).toEqual([]);
  });
});

describe("the words of a search", () => {
  it.each(["årets", "ÅRETS", "år", "website fase", "fase  årets", "største, website!", "2 web"])(
    "%j are found as beginnings, in any order and case",
    async (q) => {
      expect((await found(q)).map(({ id }) => id)).toContain(issued.id);
    },
  );

  it.each(["rets", "website phase", "websites", "årets xyz"])("%j are not", async (q) => {
    expect((await found(q)).map(({ id }) => id)).not.toContain(issued.id);
  });
});

describe("amounts", () => {
  it.each(["71.531,25", "71531.25", "71531,25", "71,531.25", "57.225", "57225,00", "57 225"])(
    "%s finds the invoice, net or gross",
    async (q) => {
      expect((await found(q)).map(({ id }) => id)).toEqual([issued.id]);
    },
  );

  it.each(["71531", "71531.2", "7153125", "71.531,26"])("%s finds nothing", async (q) => {
    expect(await found(q)).toEqual([]);
  });

  it("finds credit notes", async () => {
    expect(await found("125")).toMatchObject([
      { kind: "credit_note", id: people.boNote.id, amount: 125 },
    ]);
  });
});

describe("payments", () => {
  let payment: Json;
  let refund: Json;
  beforeAll(async () => {
    const { id } = await world.done("POST /customers", { name: "Payer Møller ApS" });
    payment = await world.done("POST /payments", {
      ...{ external_id: "found", date: "2027-03-20", amount: 31_313.13, customer: id },
      remainder: "customer_credit",
    });
    refund = await world.done("POST /payments", {
      ...{ external_id: "given", kind: "refund", date: "2027-03-20", amount: 13.07 },
      allocations: [{ payment: payment.id, amount: 13.07 }],
    });
  });
  const payments = async (q: string) =>
    (await found(q)).filter(({ kind }) => kind === "payment").map(({ title }) => title);

  it("are shown with their customer, amount and page", async () => {
    expect((await found("31.313,13")).map(({ id: _, ...shown }) => shown)).toEqual([
      {
        object: "search_result",
        kind: "payment",
        title: `Payment ${payment.number}`,
        subtitle: "Payer Møller ApS",
        amount: 31_313.13,
        currency: "DKK",
        url: `/payments/${payment.id}`,
      },
    ]);
  });

  it("are found by number, by amount and by the customer's name, the newest first", async () => {
    const both = [`Refund ${refund.number}`, `Payment ${payment.number}`];
    expect(await payments(String(payment.number))).toContain(`Payment ${payment.number}`);
    expect(await payments("13,07")).toEqual([`Refund ${refund.number}`]);
    expect(await payments("møller")).toEqual(both);
    expect(await payments("payer mø")).toEqual(both);
    expect(await payments("31313,1")).toEqual([]);
  });

  it("are not found by a person who does not see the whole account", async () => {
    const kinds = async (cx: Reader, q: string) => (await search(cx, q)).map(({ kind }) => kind);
    expect(await kinds(people.admin, "31313,13")).toEqual(["payment"]);
    expect(await kinds(people.bo, "31313,13")).toEqual([]);
    const other = await world.openAnother();
    const path = "GET /search?q=31313,13";
    expect((await world.done(path, undefined, other.keys.read_write)).data).toEqual([]);
  });
});

describe("reminders", () => {
  let first: Json;
  let second: Json;
  beforeAll(async () => {
    const late = await world.done("POST /customers", {
      name: "Tardy Ærø ApS",
      email: "late@late.example",
    });
    const { id } = await world.done("POST /invoices", {
      ...{ customer_id: late.id, issue_date: "2027-02-15", auto_send: false },
      lines: [line({ agreed_value: 1777.8 })],
    });
    await world.done(`POST /invoices/${id}/issue`);
    const remind = async (day: string): Promise<Json> => {
      at(day);
      const { rows } = await world.done("POST /reminder-runs/preview", { customer: late.id });
      const agreed = rows.map((row: Json) => ({
        customer: late.id,
        currency: "DKK",
        agreed: row.agreed,
      }));
      const run = await world.done("POST /reminder-runs", { rows: agreed });
      return world.done(`GET /reminders/${run.outcomes[0].reminder_id}`);
    };
    first = await remind("2027-03-10");
    second = await remind("2027-03-20");
  });
  const reminders = async (q: string) =>
    (await found(q)).filter(({ kind }) => kind === "reminder").map(({ title }) => title);

  it("are shown with their customer, what they ask for in all, and their page", async () => {
    expect((await found("2.322,25")).map(({ id: _, ...shown }) => shown)).toEqual([
      {
        object: "search_result",
        kind: "reminder",
        title: `Reminder ${second.number}`,
        subtitle: "Tardy Ærø ApS",
        amount: 2322.25,
        currency: "DKK",
        url: `/reminders/${second.id}`,
      },
    ]);
  });

  it("are found by number, by amount, by what they charge, and by the customer's name", async () => {
    const numbered = `Reminder ${second.number}`;
    expect(first.number).toBeNull();
    expect(await reminders(String(second.number))).toEqual([numbered]);
    expect(await reminders("100")).toEqual([numbered]);
    expect(await reminders("2222,25")).toEqual(["Reminder of 2027-03-10"]);
    expect(await reminders("tardy")).toEqual([numbered, "Reminder of 2027-03-10"]);
    expect(await reminders("ærø ta")).toHaveLength(2);
    expect(await reminders("2322,2")).toEqual([]);
  });

  it("are not found by a person who does not see the whole account, nor in another", async () => {
    const kinds = async (cx: Reader, q: string) => (await search(cx, q)).map(({ kind }) => kind);
    expect(await kinds(people.admin, "2322,25")).toEqual(["reminder"]);
    expect(await kinds(people.bo, "2322,25")).toEqual([]);
    const other = await world.openAnother();
    const path = "GET /search?q=2322,25";
    expect((await world.done(path, undefined, other.keys.read_write)).data).toEqual([]);
  });
});

describe("the results of a search", () => {
  it("never include another account", async () => {
    const other = await world.openAnother();
    const others = await world.done("POST /customers", { name: "Årets" }, other.keys.read_write);
    const path = `GET /search?q=${encodeURIComponent("årets")}`;
    const { data } = await world.done(path, undefined, other.keys.read_write);
    expect(data.map(({ id }: Json) => id)).toEqual([others.id]);
    expect((await found("årets")).map(({ id }) => id)).toEqual([issued.id]);
    const q = `71531,25`;
    expect((await world.done(`GET /search?q=${q}`, undefined, other.keys.read_write)).data).toEqual(
      [],
    );
  });

  it("cover the account for an admin, and their own view for a standard user", async () => {
    const { admin, bo, boDraft, boInvoice, evaInvoice, boNote } = people;
    const own = await namesFor(bo, customer.name);
    expect(own).toContain(`customer ${customer.name}`);
    expect(own).toContain(`recurring_series ${customer.name}`);
    expect(await namesFor(bo, "Beta")).toEqual([]);
    expect(await namesFor(admin, "Beta")).toEqual([
      "customer Beta ApS",
      "recurring_series Beta ApS",
    ]);
    expect(await namesFor(bo, "Phase")).toEqual([`invoice ${boDraft.title}`]);
    expect(await namesFor(bo, "Årets")).toEqual([]);
    expect(await namesFor(bo, "71531,25")).toEqual([]);
    expect(await namesFor(admin, "71531,25")).toHaveLength(1);
    const numbers = async (cx: Reader, one: Json) =>
      (await search(cx, String(one.ledger_invoice_number))).filter(({ id }) => id === one.id);
    expect(await numbers(bo, boInvoice)).toHaveLength(1);
    expect(await numbers(bo, evaInvoice)).toEqual([]);
    expect(await numbers(admin, evaInvoice)).toHaveLength(1);
    expect((await search(bo, "125")).map(({ id }) => id)).toEqual([boNote.id]);
    expect((await search(bo, "0,63")).map(({ id }) => id)).toEqual([]);
    expect((await search(admin, "0,63")).map(({ id }) => id)).toEqual([people.evaNote.id]);
    expect((await search(bo, "Eva")).map(({ kind }) => kind)).toEqual(["user"]);
    const [account] = (await world.done("GET /ledger/accounts?limit=1")).data;
    expect(await namesFor(bo, account.name)).toEqual([]);
    expect((await search(admin, account.name)).length).toBeGreaterThan(0);
  });

  it("need a signed-in caller", async () => {
    expect((await world.rest("GET /search?q=a", undefined, null)).status).toBe(401);
  });
});

describe("a bank line", () => {
  beforeAll(async () => {
    const [bank] = (await world.done("GET /bank-accounts")).data;
    await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
    const entries = [
      { amount: "4321.10", day: "2026-02-03", text: "Ref 991", counterparty: "Okapifink ApS" },
      { amount: "-4321.10", day: "2026-02-04", text: "Husleje" },
    ];
    await sendBankFile(world, camt({ entries }));
  });

  it("is found by its amount, in or out, by its text and by the other party", async () => {
    expect(await titles("4.321,10")).toEqual([
      "bank_line Husleje",
      "bank_line Okapifink ApS: Ref 991",
    ]);
    const [line] = await found("okapi");
    expect(line).toEqual({
      object: "search_result",
      kind: "bank_line",
      id: expect.any(String),
      title: "Okapifink ApS: Ref 991",
      subtitle: "2026-02-03",
      amount: 4321.1,
      currency: "DKK",
      url: `/bank/lines/${line?.id}`,
    });
    expect(await titles("huslej")).toEqual(["bank_line Husleje"]);
    expect(await titles("okapifink huslej")).toEqual([]);
  });

  it("is found by no person with a part of the account, and in no other account", async () => {
    const { keys } = await world.openAnother();
    const other = await world.done("GET /search?q=okapifink", undefined, keys.read);
    expect(other.data).toEqual([]);
    expect(await namesFor(people.bo, "okapifink")).toEqual([]);
  });
});

describe("hostile texts", () => {
  it.each([
    "' or 1=1 --",
    "årets & !website | (fase:*",
    "%",
    "_",
    "\\",
    "*",
    "<->",
    "a'::tsquery",
    "😀",
    "\u{10ffff}",
    "--",
    "1e400",
    "9".repeat(200),
    "word ".repeat(40),
    "æ".repeat(200),
    "1".repeat(15),
    "0",
    "-0",
    "1,2,3,4",
    "NaN",
    "null",
  ])("%j are read as words, or find nothing", async (q) => {
    expect((await world.rest(`GET /search?q=${encodeURIComponent(q)}`)).status).toBe(200);
  });

  it("are refused where they are no words", async () => {
    const asked = async (query: string) => refusal(await world.rest(`GET /search?${query}`));
    expect(await asked("")).toContain("422 VALIDATION_FAILED");
    expect(await asked("q=")).toContain("q too_short");
    expect(await asked(`q=${"a".repeat(201)}`)).toContain("q too_long");
    expect(await asked("q=a%00b")).toContain("q invalid_value");
    expect(await asked("q=a&limit=6")).toContain("limit too_large");
    expect(await asked("q=a&limit=0")).toContain("limit too_small");
  });
});
