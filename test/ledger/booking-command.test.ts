/** A booking that turns out to be long in the serving thread. */
import { describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { createCreditNote } from "../../src/features/sales/credit-notes/create.ts";
import { issueInvoice } from "../../src/features/sales/invoices/issue.ts";
import { run } from "../../src/platform/commands/command.ts";
import type { Context } from "../../src/platform/commands/context.ts";
import { answerOnce } from "../../src/platform/http/idempotency.ts";
import { newId } from "../../src/platform/runtime/id.ts";
import { MOST_LINES, TakesLong } from "../../src/platform/threads/takes-long.ts";
import type { Json } from "../support/world/world.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: "Acme" });
const product = world.made("POST /products", { name: "Work" });

/** A context of the serving thread, with the reported outcomes of commands. */
async function serving(): Promise<{ readonly cx: Context; readonly reported: string[] }> {
  const reported: string[] = [];
  const cx = await operatorContext(world.services, world.account.account_id);
  const ran: Context["ran"] = (command, outcome) => reported.push(`${command} ${outcome}`);
  return { cx: { ...cx, leaves_if_long: true, ran }, reported };
}

async function draft(count: number): Promise<string> {
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 10 };
  const lines = Array.from({ length: count }, (): Json => line);
  const body = { customer_id: customer.id, auto_send: false, lines };
  return (await world.done("POST /invoices", body)).id;
}

const once = (key: string) => {
  const url = "/api/v1/invoices/issue";
  return { key, method: "POST", url, body: {}, claim: newId<string>(), process: null };
};

describe("a booking in the serving thread", () => {
  it("is abandoned without changes or a reported outcome if the document is long", async () => {
    const ref = await draft(MOST_LINES + 1);
    const { cx, reported } = await serving();
    await expect(run(issueInvoice, cx, { ref })).rejects.toThrow(TakesLong);
    expect(reported).toEqual([]);
    expect((await world.done(`GET /invoices/${ref}`)).status).toBe("draft");
    await run(issueInvoice, { ...cx, leaves_if_long: false }, { ref });
    expect(reported).toEqual(["issue_invoice done"]);
  });

  it("is completed immediately if the document is short", async () => {
    const { cx } = await serving();
    const issued = await run(issueInvoice, cx, { ref: await draft(MOST_LINES) });
    expect(JSON.parse(issued).status).toBe("issued");
  });

  it("releases its idempotency key", async () => {
    const ref = await draft(MOST_LINES + 1);
    const { cx } = await serving();
    const work = async (own: Context) => ({
      status: 200,
      text: await run(issueInvoice, own, { ref }),
    });
    await expect(answerOnce(cx, once("long"), "a request", work)).rejects.toThrow(TakesLong);
    expect(await world.sql("select key from idempotency_keys")).toEqual([]);
    const elsewhere = { ...cx, leaves_if_long: false };
    const first = await answerOnce(elsewhere, once("long"), "a request", work);
    const again = await answerOnce(cx, once("long"), "a request", work);
    expect(again).toEqual({ ...first, is_repeated: true });
  });

  it("leaves to another thread also a repetition whose earlier call was committed", async () => {
    const ref = await draft(1);
    const { cx } = await serving();
    const issue = (own: Context) => run(issueInvoice, own, { ref });
    const cut = async (own: Context): Promise<never> => {
      await issue(own);
      throw new Error("cut before the answer");
    };
    await expect(answerOnce(cx, once("cut"), "a request", cut)).rejects.toThrow("cut before");
    const work = async (own: Context) => ({ status: 200, text: await issue(own) });
    await expect(answerOnce(cx, once("cut"), "a request", work)).rejects.toThrow(TakesLong);
    const elsewhere = { ...cx, leaves_if_long: false };
    const { text } = await answerOnce(elsewhere, once("cut"), "a request", work);
    expect(JSON.parse(text)).toMatchObject({ id: ref, status: "issued" });
  });

  it("counts all lines of the credited invoice", async () => {
    const ref = await draft(MOST_LINES + 1);
    const { lines } = await world.done(`POST /invoices/${ref}/issue`);
    const { cx } = await serving();
    const credit = {
      invoice: ref,
      kind: "partial" as const,
      external_id: "one line",
      credit_date: "2026-03-10",
      lines: [{ invoice_line_id: lines[0].id, amount: 10 }],
    };
    const input = createCreditNote.input.parse(credit);
    await expect(run(createCreditNote, cx, input)).rejects.toThrow(TakesLong);
    expect((await world.done("GET /credit-notes")).data).toEqual([]);
  });
});
