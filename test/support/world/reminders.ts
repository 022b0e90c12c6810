/** A world whose account sends reminders: overdue invoices, runs, and what customers got. */
import { useSales } from "./sales.ts";
import type { Json, Reply, WorldOptions } from "./world.ts";

export function useReminders(options: WorldOptions = {}) {
  const sales = useSales(options);
  const { world } = sales;
  let count = 0;

  /** A new customer with an e-mail address, whose documents are in English. */
  const someone = (fields: Json = {}): Promise<Json> => {
    count += 1;
    return world.done("POST /customers", {
      name: `Late ${String(count).padStart(2, "0")}`,
      email: `late-${count}@late.example`,
      preferred_invoice_language_key: "en-GB",
      ...fields,
    });
  };

  /** An invoice of a customer that is due on 1 March 2026; `net` has 25 % VAT. */
  const late = async (customer: Json, net: number, fields: Json = {}): Promise<Json> => {
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      issue_date: "2026-02-15",
      auto_send: false,
      lines: [{ ...sales.line(net) }],
      ...fields,
    });
    return world.done(`POST /invoices/${id}/issue`);
  };

  const at = (day: string): void => world.clock.set(`${day}T10:00:00Z`);
  const settings = (reminders: Json): Promise<Json> =>
    world.done("PATCH /configuration", { reminders });

  /** What a run of the day would send to a customer. */
  const preview = (customer: Json, fields: Json = {}): Promise<Json> =>
    world.done("POST /reminder-runs/preview", { customer: customer.id, ...fields });

  const sendableRows = ({ rows }: Json): Json[] =>
    rows
      .filter(({ left_out }: Json) => left_out === null)
      .map(({ customer_id, currency, agreed }: Json) => ({
        customer: customer_id,
        currency,
        agreed,
      }));

  const post = (shown: Json): Promise<Reply> =>
    world.rest("POST /reminder-runs", { date: shown.date, rows: sendableRows(shown) });

  /** Sends what a preview of now shows for a customer; returns the only reminder. */
  const remind = async (customer: Json): Promise<Json> => {
    const run = await world.done("POST /reminder-runs", {
      rows: sendableRows(await preview(customer)),
    });
    return world.done(`GET /reminders/${run.outcomes[0].reminder_id}`);
  };

  return { ...sales, someone, late, at, settings, preview, sendableRows, post, remind };
}
