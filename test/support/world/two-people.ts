/**
 * A world with two users, each with their own customer, drafts, issued and partly credited invoice and retainer: neither sees
 * the resources of the other. The date is 20 March 2027.
 */
import { beforeAll } from "vitest";
import type { PersonContext } from "../../../src/platform/commands/context.ts";
import { personContext } from "../mcp/tools.ts";
import { useWork } from "./work.ts";
import { invoiceOf, type Json } from "./world.ts";

/** The resources of Bo and Eva; contexts of an admin's assistant and of Bo's. */
interface TwoPeople {
  admin: PersonContext;
  bo: PersonContext;
  bo_id: string;
  eva_id: string;
  /** A line by hours of Bo, and one of Eva. */
  boDraft: Json;
  evaDraft: Json;
  boInvoice: Json;
  evaInvoice: Json;
  evaCustomer: Json;
  boSeries: Json;
  evaSeries: Json;
  boNote: Json;
  evaNote: Json;
}

export const to = (user_id: string): Json => ({ assignees: [{ user_id }] });

export function useTwoPeople() {
  const setup = useWork();
  const { world, customer, line, hours, active, at } = setup;
  // Filled before the first test.
  const people = {} as TwoPeople;

  beforeAll(async () => {
    const user = async (name: string, external_id: string): Promise<string> =>
      (
        await world.done("POST /users", {
          name,
          email: `${external_id}@studio.example`,
          external_id,
        })
      ).id;
    const invoice = (fields: Json): Promise<Json> =>
      world.done("POST /invoices", { customer_id: customer.id, ...fields });
    const issue = async (fields: Json): Promise<Json> =>
      invoiceOf(await world.done(`POST /invoices/${(await invoice(fields)).id}/issue`));
    at("2027-03-20");
    people.bo_id = await user("Bo Holm", "bo");
    people.eva_id = await user("Eva", "eva");
    people.admin = await personContext(world, world.account.admin.user_id);
    people.bo = await personContext(world, people.bo_id);
    people.evaCustomer = await world.done("POST /customers", {
      name: "Beta ApS",
      vat_number: "DK12345674",
    });
    people.boInvoice = await issue({
      lines: [line({ ...to(people.bo_id), agreed_value: 1000 })],
      issue_date: "2027-03-01",
    });
    people.evaInvoice = await issue({
      customer_id: people.evaCustomer.id,
      lines: [line({ ...to(people.eva_id), agreed_value: 500.5 })],
      issue_date: "2027-03-02",
    });
    people.boDraft = await invoice({
      title: 'Phase "one"\nView: all. In scope: 9.',
      issue_date: "2027-03-25",
      lines: [hours(to(people.bo_id)), line(to(people.eva_id))],
    });
    people.evaDraft = await invoice({
      customer_id: people.evaCustomer.id,
      lines: [line(to(people.eva_id))],
    });
    const timing = { issue_timing: { mode: "end-of-period" } };
    people.boSeries = await active({
      external_id: "care",
      lines: [hours({ assignees: [{ user_id: people.bo_id, hourly_rate_override: 1200 }] })],
      start_date: "2027-03-01",
      ...timing,
    });
    people.evaSeries = await active({
      customer_id: people.evaCustomer.id,
      lines: [line(to(people.eva_id))],
      start_date: "2027-03-01",
    });
    const credit = (external_id: string, of: Json, amount: number): Promise<Json> =>
      world.done("POST /credit-notes", {
        external_id,
        invoice: of.id,
        kind: "partial",
        credit_date: "2027-03-15",
        lines: [{ invoice_line_id: of.lines[0].id, amount }],
      });
    people.boNote = await credit("bo-1", people.boInvoice, 100);
    people.evaNote = await credit("eva-1", people.evaInvoice, 0.5);
    const work = (
      user_id: string,
      line_id: string,
      count: number,
      fields: Json = {},
    ): Promise<Json> =>
      world.done("POST /work-registrations", { user_id, line_id, hours: count, ...fields });
    await work(people.bo_id, people.boDraft.lines[0].id, 2.5, {
      date: "2027-03-18",
      note: "Kick-off\nwith Ann",
    });
    await work(people.eva_id, people.boDraft.lines[0].id, 1, { billable: false });
  });

  return { ...setup, people };
}
