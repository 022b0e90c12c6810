/** The sentences of events for chats, in both languages. */
import { expect, it } from "vitest";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { eventsBySequence } from "../../features/integrations/events/queries.ts";
import { schedulerContext } from "../../platform/runtime/services.ts";
import { eventSentences } from "./event-sentences.ts";

const world = useWorld();

async function sentences(types: string): Promise<string[]> {
  const { data } = await world.done(`GET /events?limit=100&types=${types}`);
  const sequences = data.map(({ sequence }: Json) => BigInt(sequence));
  const cx = await schedulerContext(world.services, world.account.account_id);
  return eventSentences(cx, await eventsBySequence(cx, sequences));
}

it("say an issued document with its amount, and the rest as the activity page does", async () => {
  const customer = await world.done("POST /customers", { name: "Acme ApS" });
  const product = await world.done("POST /products", { name: "Consulting", default_price: 10_875 });
  const draft = {
    customer_id: customer.id,
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "on_issue" }],
  };
  const { id } = await world.done("POST /invoices", draft);
  const { ledger_invoice_number: number, issue_date } = await world.done(
    `POST /invoices/${id}/issue`,
  );
  const credit = await world.done("POST /credit-notes", {
    ...{ external_id: "all", invoice: id, kind: "full", credit_date: issue_date },
  });
  const credited = await world.done(`GET /credit-notes/${credit.id}`);
  const of_credit = "credit_note.created,credit_note.issued";
  const all = "customer.created,invoice.created,invoice.issued";
  const speak = (tag: string) => world.done("PATCH /configuration", { invoice_language_key: tag });
  await speak("en-GB");
  const english = await sentences(all);
  expect(english[0]).toMatch(/^API key .+ created customer Acme ApS$/);
  expect(english[1]).toMatch(/^API key .+ created invoice /);
  expect(english[2]).toBe(`Invoice ${number} to Acme ApS: DKK 13,593.75`);
  const credit_number = credited.ledger_credit_note_number;
  expect(await sentences(of_credit)).toEqual([
    expect.stringMatching(/^API key .+ created credit note /),
    `Credit note ${credit_number} to Acme ApS: DKK 13,593.75`,
  ]);
  await speak("da-DK");
  expect((await sentences(of_credit))[1]).toBe(
    `Kreditnota ${credit_number} til Acme ApS: 13.593,75 kr.`,
  );
  const danish = await sentences(all);
  expect(danish[0]).toMatch(/^API-nøglen .+ oprettede .*kunde.* Acme ApS$/);
  expect(danish[2]).toBe(`Faktura ${number} til Acme ApS: 13.593,75 kr.`);
});
