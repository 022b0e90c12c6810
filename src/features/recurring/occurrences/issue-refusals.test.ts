/** The refusals of issuing an occurrence (spec 4.5 and 5.3). */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";

const { world, customer, line, hours, at, draft, active, show, change, cancel, issue, issued } =
  useSeries();

beforeEach(() => at("2026-03-10"));

describe("POST /recurring-series/{ref}/occurrences/{period}/issue refuses", () => {
  it.each<[string, string, () => Promise<{ id: string; period?: string }>]>([
    ["404 NOT_FOUND", "an unknown series", async () => ({ id: UNKNOWN_ID })],
    [
      "404 NOT_FOUND",
      "a period after the end",
      () => draft({ end_date: "2027-01-01" }).then(({ id }) => ({ id, period: "2027-02" })),
    ],
    ["409 INVOICE_EMPTY", "a series without lines", () => draft({ lines: [] })],
    [
      "409 INVOICE_EMPTY",
      "a line by hours without hours",
      () => active({ lines: [hours()], issue_timing: { mode: "manual" } }),
    ],
    ["409 INVOICE_EMPTY", "an amount of 0", () => draft({ lines: [line({ agreed_value: 0 })] })],
    ["409 EXCHANGE_RATE_MISSING", "a currency without a rate", () => draft({ currency: "NOK" })],
  ])("%s: %s", async (expected, _what, make) => {
    const { id, period = "2027-01" } = await make();

    expect(refusal(await issue(id, period))).toBe(expected);
  });

  it("an inactive customer, and leaves the draft a draft", async () => {
    const { id: gone } = await world.done("POST /customers", { name: "Gone" });
    const { id } = await draft({ customer_id: gone });
    await world.done(`POST /customers/${gone}/deactivate`);

    expect(refusal(await issue(id, "2027-01"))).toBe("409 CUSTOMER_INACTIVE");
    expect(await show(id)).toMatchObject({ status: "draft" });
    expect((await change(id, { customer_id: customer.id })).status).toBe(200);
    expect((await issue(id, "2027-01")).status).toBe(200);
  });

  it("dropped periods of a cancelled series, and all periods of a discarded one", async () => {
    const { id } = await active();
    await issued(id, "2027-01");
    await cancel(id, { end_date: "2027-02-28" });
    expect(refusal(await issue(id, "2027-03"))).toBe("409 OCCURRENCE_DROPPED");
    expect(refusal(await issue(id, "2027-01"))).toBe("409 INVOICE_ALREADY_ISSUED");
    expect((await issue(id, "2027-02")).status).toBe(200);
    const discarded = await draft();
    await cancel(discarded.id);
    expect(refusal(await issue(discarded.id, "2027-01"))).toBe("409 SERIES_CANCELLED");
  });

  it("a key that only reads", async () => {
    const { id } = await draft();
    const call = `POST /recurring-series/${id}/occurrences/2027-01/issue`;
    const reply = await world.rest(call, undefined, world.account.keys.read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
