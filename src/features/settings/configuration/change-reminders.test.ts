/** The configuration of reminders over REST (spec 13.6). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const USUAL = {
  levels: [
    { days_after_due: 3, fee: 0, compensation: false, text: null },
    { days_after_due: 13, fee: 100, compensation: false, text: null },
    { days_after_due: 23, fee: 100, compensation: false, text: null },
    { days_after_due: 33, fee: 100, compensation: false, text: null },
  ],
  minimum_days: 10,
  interest: "none",
  statutory_margin: 8,
  compensation: [
    { currency: "DKK", amount: 310 },
    { currency: "EUR", amount: 40 },
  ],
  minimum_amount: 0,
  payment_days: 10,
  is_automatic: false,
  bank_within_days: 3,
  rules: "danish",
};

async function openAccount() {
  const { keys } = await world.openAnother();
  const patch = (body: Json) => world.rest("PATCH /configuration", body, keys.read_write);
  const read = async () => (await world.done("GET /configuration", undefined, keys.read)).reminders;
  return { patch, read };
}

describe("the configuration of reminders", () => {
  it("starts with the usual one, and keeps what a change does not name", async () => {
    const { patch, read } = await openAccount();
    expect(await read()).toEqual(USUAL);
    await patch({ reminders: { interest: "statutory", payment_days: 14 } });
    const changed = { ...USUAL, interest: "statutory", payment_days: 14 };
    expect(await read()).toEqual(changed);
    const levels = [{ days_after_due: 5, compensation: true, text: "Husk os" }];
    await patch({ reminders: { levels, interest: { rate: 12.5 } } });
    const level = { days_after_due: 5, fee: 0, compensation: true, text: "Husk os" };
    expect(await read()).toEqual({ ...changed, levels: [level], interest: { rate: 12.5 } });
    await patch({ time_zone: "UTC" });
    expect(await read()).toMatchObject({ levels: [level] });
  });

  it("has no fee in another functional currency, until someone sets one", async () => {
    const { patch, read } = await openAccount();
    await patch({ time_zone: "UTC" });
    expect((await patch({ functional_currency: "EUR" })).status).toBe(200);
    expect(await read()).toMatchObject({ rules: "own", levels: [{ fee: 0 }, { fee: 0 }, {}, {}] });
    await patch({ functional_currency: "DKK" });
    expect(await read()).toEqual(USUAL);
    await patch({ reminders: { payment_days: 8 } });
    expect(refusal(await patch({ functional_currency: "EUR" }))).toBe(
      "422 VALIDATION_FAILED reminders.levels[1].fee not_allowed, reminders.levels[2].fee not_allowed, reminders.levels[3].fee not_allowed",
    );
  });

  it.each<[Json, string]>([
    [{ levels: [{ days_after_due: 3, fee: 100.01 }] }, "reminders.levels[0].fee not_allowed"],
    [{ minimum_days: 9 }, "reminders.minimum_days not_allowed"],
    [{ levels: [] }, "reminders.levels too_short"],
    [{ levels: [{ days_after_due: 0 }] }, "reminders.levels[0].days_after_due too_small"],
    [{ levels: [{ days_after_due: 3, fee: -1 }] }, "reminders.levels[0].fee too_small"],
    [{ interest: "much" }, "reminders.interest invalid_value"],
    [{ interest: { rate: 101 } }, "reminders.interest.rate too_large"],
    [{ statutory_margin: 8.005 }, "reminders.statutory_margin too_many_decimals"],
    [
      { compensation: [{ currency: "KR", amount: 1 }] },
      "reminders.compensation[0].currency invalid_value",
    ],
    [{ rules: "swedish" }, "reminders.rules invalid_value"],
    [{ is_automatic: null }, "reminders.is_automatic invalid_type"],
  ])("refuses %j", async (reminders, fault) => {
    const reply = await world.rest("PATCH /configuration", { reminders });
    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });
});
