/** PDFs that were not requested: rendered in the background, round robin over the accounts (spec 10.3). */
import { beforeEach, describe, expect, it } from "vitest";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { waitingRenderer } from "./render-waiting.ts";

const world = useWorld();

/** Accounts by their ids, the smallest first, which is the order of the round robin. */
let first: Json;
let second: Json;

beforeEach(async () => {
  const others = [await world.openAnother(), await world.openAnother()];
  [first, second] = others.sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
  await world.sql("delete from waiting_documents");
});

/** Issues invoices that have waited for two minutes; returns their ids. */
async function issued(account: Json, count: number): Promise<string[]> {
  const key = account.keys.read_write;
  const customer = await world.done("POST /customers", { name: "Acme" }, key);
  const product = await world.done("POST /products", { name: "P", default_price: 10 }, key);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const body = { customer_id: customer.id, auto_send: false, lines };
    const { id } = await world.done("POST /invoices", body, key);
    await world.done(`POST /invoices/${id}/issue`, undefined, key);
    ids.push(id);
  }
  await world.sql("update waiting_documents set not_before = not_before - interval '2 minutes'");
  return ids;
}

async function renderedOf(account: Json): Promise<number> {
  const where = "select 1 from document_files where account_id = $1";
  return (await world.sql(where, [account.account_id])).length;
}

const waiting = () => world.sql("select document_id from waiting_documents");

describe("rendering waiting documents", () => {
  it("renders each document once, and later requests get the same bytes", async () => {
    const ids = [...(await issued(first, 2)), ...(await issued(second, 1))];
    const render = waitingRenderer(world.services);

    while (await render());

    expect(await waiting()).toEqual([]);
    expect([await renderedOf(first), await renderedOf(second)]).toEqual([2, 1]);
    const [stored] = await world.sql("select content from document_files where document_id = $1", [
      ids[0],
    ]);
    const pdf = await world.rest(`GET /invoices/${ids[0]}/pdf`, undefined, first.keys.read);
    expect(pdf.body.equals(stored.content)).toBe(true);
  });

  it("leaves a new document to the request that may send it, and skips one that was requested since", async () => {
    const [id] = await issued(first, 1);
    await world.sql(
      "update waiting_documents set not_before = clock_timestamp() + interval '50 s'",
    );
    expect(await waitingRenderer(world.services)()).toBe(false);

    await world.rest(`GET /invoices/${id}/pdf`, undefined, first.keys.read);

    expect(await waiting()).toEqual([]);
  });

  it.each(["first", "second"])(
    "renders the only document of an account in the first round, that of the %s",
    async (place) => {
      const [few, many] = place === "first" ? [first, second] : [second, first];
      await issued(many, 20);
      await issued(few, 1);

      await waitingRenderer(world.services)();

      expect(await renderedOf(few)).toBe(1);
      expect(await renderedOf(many)).toBeLessThan(20);
    },
  );

  it("gives an account with long documents no more turns than their length allows", async () => {
    await issued(first, 4);
    await issued(second, 20);
    await world.sql("update waiting_documents set weight = 200000 where account_id = $1", [
      first.account_id,
    ]);
    const render = waitingRenderer(world.services);

    while ((await renderedOf(second)) < 20) await render();
    expect(await renderedOf(first)).toBe(1);

    while (await render());
    expect(await renderedOf(first)).toBe(4);
  });

  it("skips a document that cannot be rendered, and continues", async () => {
    const [broken] = await issued(first, 3);
    await world.sql("alter table issued_documents disable trigger issued_documents_append_only");
    await world.sql("update issued_documents set snapshot = '{}' where document_id = $1", [broken]);
    await world.sql("alter table issued_documents enable trigger issued_documents_append_only");
    const render = waitingRenderer(world.services);

    while (await render());

    expect(await renderedOf(first)).toBe(2);
    expect(await waiting()).toEqual([]);
  });

  it("stops between two documents, and leaves the rest to the next process", async () => {
    await issued(first, 5);
    let asked = 0;
    const isStopped = () => {
      asked += 1;
      return asked > 2;
    };

    expect(await waitingRenderer(world.services)(isStopped)).toBe(true);
    expect(await renderedOf(first)).toBe(2);
    expect(await waiting()).toHaveLength(3);

    const render = waitingRenderer(world.services);
    while (await render());
    expect(await renderedOf(first)).toBe(5);
  });

  it("renders no document that another process has taken, until its lease is over", async () => {
    await issued(first, 3);
    await waitingRenderer(world.services)(() => true);
    await world.sql(
      "update waiting_documents set not_before = clock_timestamp() + interval '10 minutes'",
    );

    expect(await waitingRenderer(world.services)()).toBe(false);

    await world.sql("update waiting_documents set not_before = clock_timestamp()");
    expect(await waitingRenderer(world.services)()).toBe(true);
    expect(await renderedOf(first)).toBe(3);
  });

  it("shares waiting documents between processes", async () => {
    await issued(first, 12);
    await issued(second, 4);
    const renderers = [1, 2, 3].map(() => waitingRenderer(world.services));

    await Promise.all(
      renderers.map(async (render) => {
        while (await render());
      }),
    );

    expect([await renderedOf(first), await renderedOf(second)]).toEqual([12, 4]);
    expect(await waiting()).toEqual([]);
  });
});
