/** The rest of the feed as lines of JSON (spec 15.1), and as CSV. */
import { beforeAll, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
const COUNT = 250;

beforeAll(async () => {
  for (let at = 0; at < COUNT; at += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        world.done("POST /customers", { name: `Customer "${at + index}"\u2028` }),
      ),
    );
  }
});

async function read(parameters: string, accept = "application/x-ndjson"): Promise<Response> {
  return fetch(`${world.origin}/api/v1/events${parameters}`, {
    headers: { authorization: `Bearer ${world.account.keys.read}`, accept },
  });
}

async function lines(parameters = ""): Promise<Json[]> {
  const response = await read(parameters);
  expect(response.status).toBe(200);
  const text = await response.text();
  if (text === "") return [];
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function paged(parameters = ""): Promise<Json[]> {
  const { data, has_more } = await world.done(`GET /events?limit=100${parameters}`);
  if (!has_more) return data;
  return [...data, ...(await paged(`&after=${data.at(-1).sequence}`))];
}

it("has every event of the pages, in their order", async () => {
  const all = await lines();
  expect(all.length).toBeGreaterThan(COUNT);
  expect(all).toEqual(await paged());
});

it("names the head, from which a reader continues", async () => {
  const response = await read("");
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const events = (await response.text()).trimEnd().split("\n");
  expect(response.headers.get("matchbook-sequence")).toBe(String(events.length));
  const cursor = response.headers.get("matchbook-cursor");
  expect(await lines(`?cursor=${cursor}`)).toEqual([]);
  await world.done("POST /products", { name: "Advice" });
  expect((await lines(`?cursor=${cursor}`)).map(({ type }) => type)).toEqual(["product.created"]);
});

it("begins after a place, and selects by the filters", async () => {
  const [, second, third] = await lines();
  expect((await lines("?after=1"))[0]).toEqual(second);
  const { next_cursor } = await world.done("GET /events?limit=2");
  expect((await lines(`?cursor=${next_cursor}`))[0]).toEqual(third);
  const customers = await lines("?types=customer.created");
  expect(customers).toHaveLength(COUNT);
  expect(await lines(`?resource_id=${customers[7]?.resource_id}`)).toEqual([customers[7]]);
});

it.each([
  ["limit=10", "422 VALIDATION_FAILED limit not_allowed"],
  ["after=999999", "422 VALIDATION_FAILED after too_large"],
  ["cursor=x", "422 VALIDATION_FAILED cursor invalid_value"],
  ["types=letter.sent", "422 VALIDATION_FAILED types invalid_value"],
])("refuses %s", async (parameters, expected) => {
  const response = await read(`?${parameters}`);
  const body = (await response.json()) as Json;
  expect(refusal({ status: response.status, body } as Json)).toBe(expected);
});

it("answers a page where JSON is preferred", async () => {
  const accept = "application/json, application/x-ndjson;q=0.5";
  const page = (await (await read("?limit=1", accept)).json()) as Json;
  expect(page).toMatchObject({ object: "list", has_more: true });
});

it("ends as CSV, too", async () => {
  const response = await read("?after=3", "text/csv");
  const rows = (await response.text()).trimEnd().split("\r\n");
  expect(rows).toHaveLength((await lines()).length - 3 + 1);
});
