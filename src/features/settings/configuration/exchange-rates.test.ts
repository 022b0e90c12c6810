/** Exchange rates over REST (spec 2.7, 7.4 and 11.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const INVALID = "422 VALIDATION_FAILED";

describe("PUT /exchange-rates/{currency}/{date}", () => {
  it("creates the rate of a day, and replaces it", async () => {
    const call = "PUT /exchange-rates/EUR/2026-03-31";

    const created = await world.rest(call, { rate: 7.461234 });
    const replaced = await world.rest(call, { rate: 7.5, currency: "USD", date: "2020-01-01" });

    const rate = { object: "exchange_rate", currency: "EUR", date: "2026-03-31" };
    expect([created.status, created.body]).toEqual([200, { ...rate, rate: 7.461234 }]);
    expect([replaced.status, replaced.body]).toEqual([200, { ...rate, rate: 7.5 }]);
    expect((await world.done("GET /exchange-rates")).data).toEqual([{ ...rate, rate: 7.5 }]);
  });

  it.each([0.000001, 1_000_000, 123456789.012345])("stores a rate of %d exactly", async (rate) => {
    expect((await world.done("PUT /exchange-rates/IDR/2026-01-01", { rate })).rate).toBe(rate);
  });

  it.each<[Json, string]>([
    [{}, "rate required"],
    [{ rate: null }, "rate invalid_type"],
    [{ rate: "7.46" }, "rate invalid_type"],
    [{ rate: 0 }, "rate too_small"],
    [{ rate: -7.46 }, "rate too_small"],
    [{ rate: 7.4612345 }, "rate too_many_decimals"],
    [{ rate: 1e12 }, "rate too_large"],
  ])("refuses %j", async (body, fault) => {
    const reply = await world.rest("PUT /exchange-rates/EUR/2026-03-31", body);

    expect(refusal(reply).split(",")[0]).toBe(`${INVALID} ${fault}`);
  });

  it("refuses the functional currency", async () => {
    const reply = await world.rest("PUT /exchange-rates/DKK/2026-03-31", { rate: 1 });

    expect(refusal(reply)).toBe(`${INVALID} currency not_allowed`);
  });

  it.each(["eur/2026-03-31", "XXX/2026-03-31", "EUR/2026-02-30", "EUR/31-03-2026", "EUR/today"])(
    "cannot read the path %s",
    async (path) => {
      const reply = await world.rest(`PUT /exchange-rates/${path}`, { rate: 0 });

      expect(refusal(reply)).toBe("400 MALFORMED_REQUEST");
    },
  );

  it("needs a key that may write", async () => {
    const reply = await world.rest(
      "PUT /exchange-rates/EUR/2026-03-31",
      { rate: 1 },
      world.account.keys.read,
    );

    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});

describe("GET /exchange-rates", () => {
  let key: string;
  const list = async (parameters = ""): Promise<string[]> => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await world.done(`GET /exchange-rates?${parameters}${cursor}`, undefined, key);
      seen.push(...page.data.map((rate: Json) => `${rate.date} ${rate.currency}`));
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : "";
    } while (cursor !== "");
    return seen;
  };
  const all = [
    "2026-03-31 EUR",
    "2026-03-31 USD",
    "2026-03-30 EUR",
    "2026-02-28 EUR",
    "2026-02-28 SEK",
    "2026-02-28 USD",
  ];
  beforeAll(async () => {
    key = (await world.openAnother()).keys.read_write;
    for (const rate of [...all].reverse()) {
      const [date, currency] = rate.split(" ");
      await world.done(`PUT /exchange-rates/${currency}/${date}`, { rate: 1.5 }, key);
    }
  });

  it("lists from the newest day to the oldest, within a day by currency", async () => {
    expect(await list()).toEqual(all);
  });

  it.each([1, 2, 3, 5, 6, 100])("in pages of %i shows each once", async (limit) => {
    expect(await list(`limit=${limit}`)).toEqual(all);
    expect(await list(`limit=${limit}&currency=USD`)).toEqual([all[1], all[5]]);
  });

  it("accepts several filters together", async () => {
    expect(await list("from=2026-03-30")).toEqual(all.slice(0, 3));
    expect(await list("to=2026-03-30")).toEqual(all.slice(2));
    expect(await list("from=2026-03-30&to=2026-03-30&currency=EUR&limit=1")).toEqual([all[2]]);
    expect(await list("from=2026-04-01")).toEqual([]);
    expect(await list("currency=JPY")).toEqual([]);
  });

  it("does not show another account's rates", async () => {
    const other = await world.openAnother();

    expect(await world.done("GET /exchange-rates", undefined, other.keys.read)).toEqual({
      object: "list",
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  const cursor = (text: string) => `cursor=${Buffer.from(text).toString("base64url")}`;
  it.each([
    ["currency=eur", "currency invalid_value"],
    ["from=2026-13-01", "from invalid_format"],
    ["to=", "to invalid_format"],
    ["limit=0", "limit too_small"],
    ["cursor=abc", "cursor invalid_value"],
    [cursor("1|2026-99-99:EUR"), "cursor invalid_value"],
    [cursor("1|0190a000-0000-7000-8000-000000000000"), "cursor invalid_value"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /exchange-rates?${parameters}`);

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });
});
