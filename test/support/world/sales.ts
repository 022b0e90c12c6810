/** A world with a customer, a product, and issued invoices to credit. */
import { invoiceOf, type Json, type Reply, useWorld, type WorldOptions } from "./world.ts";

let count = 0;

export function useSales(options: WorldOptions = {}) {
  const world = useWorld(options);
  const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
  const product = world.made("POST /products", { name: "Consulting", default_price: 1000 });

  const line = (agreed_value: number, fields: object = {}): Json => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value,
    ...fields,
  });

  /** A draft with a line for each value; `fields` override, including `lines`. */
  const draft = (values: readonly number[], fields: object = {}): Promise<Json> =>
    world.done("POST /invoices", {
      customer_id: customer.id,
      auto_send: false,
      lines: values.map((value) => line(value)),
      ...fields,
    });

  /** The same, issued. */
  const issued = async (values: readonly number[], fields: object = {}): Promise<Json> => {
    const { id } = await draft(values, fields);
    return invoiceOf(await world.done(`POST /invoices/${id}/issue`));
  };

  /** The body of a full credit under a new external id, unless fields say otherwise. */
  const fullCredit = (invoice: Json, fields: object = {}): Json => {
    count += 1;
    return {
      external_id: `credit-${count}`,
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
      ...fields,
    };
  };

  /** The body of a partial credit with amounts for the invoice's lines, in their order; undefined leaves a line out. */
  const partCredit = (
    invoice: Json,
    amounts: readonly (number | undefined)[],
    fields: object = {},
  ): Json =>
    fullCredit(invoice, {
      kind: "partial",
      lines: amounts.flatMap((amount, index) =>
        amount === undefined ? [] : [{ invoice_line_id: invoice.lines[index].id, amount }],
      ),
      ...fields,
    });

  const post = (body: Json): Promise<Reply> => world.rest("POST /credit-notes", body);
  /** As `post`; throws for a refusal. */
  const credited = (body: Json): Promise<Json> => world.done("POST /credit-notes", body);

  /** The postings of a booking with a guid, as `[account, debit - credit]`. */
  const postingsOf = async (guid: string): Promise<[number, number][]> => {
    const rows = await world.sql(
      `select p.account_number, p.amount::int as amount from ledger_postings p
       join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
       where e.guid = $1 order by p.line_no`,
      [guid],
    );
    return rows.map(({ account_number, amount }) => [account_number, amount / 100]);
  };

  return {
    world,
    customer,
    product,
    line,
    draft,
    issued,
    fullCredit,
    partCredit,
    post,
    credited,
    postingsOf,
  };
}
