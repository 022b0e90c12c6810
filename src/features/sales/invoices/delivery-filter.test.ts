/** The filter of lists of invoices and credit notes by the state of the last delivery (spec 5.1 and 5.5). */
import { beforeAll, describe, expect, it } from "vitest";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, draft, issued, fullCredit, credited } = useSales();

let sent: Json;
let kept: Json;
let waiting: Json;
let failed: Json;
beforeAll(async () => {
  const { id } = await world.done("POST /customers", { name: "No Mail" });
  sent = await issued([10], { auto_send: true });
  kept = await issued([20]);
  waiting = await draft([30]);
  failed = await issued([40], { auto_send: true, customer_id: id });
});

const found = async (path: string): Promise<string[]> =>
  (await world.done(`GET ${path}`)).data.map(({ id }: Json) => id);

describe("delivery_state", () => {
  it.each<[string, () => Json[]]>([
    ["written_to_outbox", () => [sent]],
    ["failed_permanent", () => [failed]],
    ["none", () => [waiting, kept]],
    ["none,failed_permanent", () => [failed, waiting, kept]],
    ["failed_permanent,written_to_outbox,none", () => [failed, waiting, kept, sent]],
    ["queued,sending,accepted,failed_temporary,unknown", () => []],
  ])("%s lists the invoices of these states, the newest first", async (states, expected) => {
    expect(await found(`/invoices?delivery_state=${states}`)).toEqual(
      expected().map(({ id }) => id),
    );
  });

  it("is combined with other filters and pages", async () => {
    const of_customer = `/invoices?delivery_state=none&status=issued&customer=${customer.id}`;
    expect(await found(of_customer)).toEqual([kept.id]);
    const first = await world.done("GET /invoices?delivery_state=none,written_to_outbox&limit=2");
    const rest = await world.done(
      `GET /invoices?delivery_state=none,written_to_outbox&limit=2&cursor=${first.next_cursor}`,
    );
    const ids = [...first.data, ...rest.data].map(({ id }: Json) => id);
    expect(ids).toEqual([waiting.id, kept.id, sent.id]);
  });

  it("counts the last delivery alone", async () => {
    const note = await credited(fullCredit(sent));
    const other = await credited(fullCredit(kept));
    expect(await found("/credit-notes?delivery_state=written_to_outbox")).toEqual([note.id]);
    expect(await found("/credit-notes?delivery_state=none")).toEqual([other.id]);
    await world.done(`POST /credit-notes/${other.id}/send`, {});
    expect(await found("/credit-notes?delivery_state=none")).toEqual([]);
    expect(await found("/credit-notes?delivery_state=none,written_to_outbox")).toEqual([
      other.id,
      note.id,
    ]);
  });

  it.each(["lost", "none,", "none,lost", "None"])("%s is refused at its field", async (states) => {
    for (const path of ["/invoices", "/credit-notes"]) {
      const { status, body } = await world.rest(
        `GET ${path}?delivery_state=${encodeURIComponent(states)}`,
      );
      expect([status, body.error.field_errors[0].field]).toEqual([422, "delivery_state"]);
    }
  });
});
