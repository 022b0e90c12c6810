/** Holds of invoices over REST (spec 13.6). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
const NO_UUID = "01990000-0000-7000-8000-000000000000";
let issued: string;
let draft: string;
beforeAll(async () => {
  world.clock.set("2026-03-10T08:00:00Z");
  const { id: customer_id } = await world.done("POST /customers", { name: "Acme A/S" });
  const { id: product_id } = await world.done("POST /products", { name: "Work", default_price: 1 });
  const lines = [{ product_id, recognition_method: "value" }];
  const made = (external_id: string) =>
    world.done("POST /invoices", { external_id, customer_id, auto_send: false, lines });
  issued = (await made("issued")).id;
  draft = (await made("draft")).id;
  await world.done(`POST /invoices/${issued}/issue`);
});

const hold = (ref: string, body: Json) => world.rest(`PUT /invoices/${ref}/reminder-hold`, body);
const free = (ref: string) => world.rest(`DELETE /invoices/${ref}/reminder-hold`);

describe("a reminder hold", () => {
  it("is set, replaced and ended, and leaves the invoice as it is", async () => {
    const before = await world.done(`GET /invoices/${issued}`);
    const first = { object: "reminder_hold", invoice_id: issued, until: "2026-04-30" };
    const reply = await hold(issued, { until: "2026-04-30", reason: "They dispute it" });
    expect([reply.status, reply.body]).toEqual([200, { ...first, reason: "They dispute it" }]);
    const again = await hold("ext:issued", { until: "2026-03-10", reason: "Agreed by phone" });
    expect(again.body).toMatchObject({ until: "2026-03-10", reason: "Agreed by phone" });
    expect((await hold(issued, { until: "2026-03-10", reason: "Agreed by phone" })).status).toBe(
      200,
    );
    expect((await free("ext:issued")).status).toBe(204);
    expect(refusal(await free(issued))).toBe("404 NOT_FOUND");
    expect(await world.done(`GET /invoices/${issued}`)).toEqual(before);
    const { data } = await world.done(`GET /audit-events?resource_id=${issued}`);
    const events = data.filter(({ resource_type }: Json) => resource_type === "reminder_hold");
    expect(events.map(({ action }: Json) => action)).toEqual(["deleted", "updated", "created"]);
  });

  it.each<[string, () => string, Json, string]>([
    ["of a draft", () => draft, {}, "409 INVOICE_NOT_ISSUED"],
    ["of no invoice", () => NO_UUID, {}, "404 NOT_FOUND"],
    [
      "until yesterday",
      () => issued,
      { until: "2026-03-09" },
      "422 VALIDATION_FAILED until too_small",
    ],
    ["without a day", () => issued, { until: undefined }, "422 VALIDATION_FAILED until required"],
    ["without a reason", () => issued, { reason: "" }, "422 VALIDATION_FAILED reason too_short"],
  ])("is refused %s", async (_, ref, change, expected) => {
    const reply = await hold(ref(), { until: "2026-04-30", reason: "Disputed", ...change });
    expect(refusal(reply)).toBe(expected);
  });

  it("is not of another account", async () => {
    const { keys } = await world.openAnother();
    const body = { until: "2026-04-30", reason: "Disputed" };
    const reply = await world.rest(`PUT /invoices/${issued}/reminder-hold`, body, keys.read_write);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
  });
});
