/**
 * Two changes of one customer, one of which reaches Dinero late, after its call was abandoned: in either order, the newest
 * change is on both sides in the end, whenever changes of the ledger are read.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { gate } from "../support/ledger/dinero/under-fault.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import { letLinksPass } from "../support/ledger/pass-time.ts";
import type { Json } from "../support/world/world.ts";

const { world, simulation, wire, work } = useDineroWorld();
beforeAll(() => work());

const named = (name: string) => ({ method: "PUT", path: /\/contacts\//, body: new RegExp(name) });
const rename = (id: string, name: string) => world.done(`PATCH /customers/${id}`, { name });
const here = async (id: string): Promise<string> => (await world.done(`GET /customers/${id}`)).name;
const there = async (id: string) =>
  (await simulation().books()).contacts.find(({ ContactGuid }) => ContactGuid === id)?.Name;
const linkOf = (id: string): Promise<Json> => world.done(`GET /customers/${id}/ledger`);

/** Reads the changes of the ledger, and sends nothing that waits for a later time. */
async function pull(): Promise<void> {
  await world.sql("update ledger_connections set next_pull_at = clock_timestamp()");
  await work();
}
async function expectOnBothSides(id: string, name: string): Promise<void> {
  await letLinksPass(world);
  await pull();
  await pull();
  expect([await here(id), await there(id)]).toEqual([name, name]);
  expect(await linkOf(id)).toMatchObject({ state: "synced" });
}
/** A customer with an abandoned change of its name, which reaches Dinero when the test releases it. */
async function changedLate(name: string) {
  const { id } = await world.done("POST /customers", { name: "First" });
  const late = gate();
  wire().next(named(name), { type: "drop_late", until: late.passed });
  return {
    id,
    async arrives(): Promise<void> {
      late.open();
      await expect.poll(() => there(id)).toBe(name);
    },
  };
}

describe("a change that reaches Dinero after the next one", () => {
  it("is overwritten within the time-out of its call, and not imported", async () => {
    const { id, arrives } = await changedLate("Second");
    await rename(id, "Second");
    await rename(id, "Third");
    expect(await there(id)).toBe("Third");
    expect(await linkOf(id)).toMatchObject({ state: "queued" });
    await pull();

    await arrives();

    await pull();
    expect(await here(id)).toBe("Third");
    await expectOnBothSides(id, "Third");
  });

  it("is not imported even later, but a manual change of another field is", async () => {
    const { id, arrives } = await changedLate("Second");
    await rename(id, "Second");
    await rename(id, "Third");
    await expectOnBothSides(id, "Third");

    await arrives();
    await simulation().control("edit", { key: `contact/270001/${id}`, change: { City: "Odense" } });

    await pull();
    expect(await world.done(`GET /customers/${id}`)).toMatchObject({
      name: "Third",
      city: "Odense",
    });
    await expectOnBothSides(id, "Third");
    expect((await simulation().books()).contacts).toContainEqual(
      expect.objectContaining({ ContactGuid: id, City: "Odense" }),
    );
  });
});

it("a last change that arrives late is on both sides in the end, whatever was read meanwhile", async () => {
  const { id, arrives } = await changedLate("Third");
  await rename(id, "Second");
  await rename(id, "Third");
  expect(await there(id)).toBe("Second");
  await pull();
  expect(await here(id)).toBe("Third");

  await arrives();

  await pull();
  await expectOnBothSides(id, "Third");
});

it("a manual change in Dinero is imported after an abandoned call", async () => {
  const { id, arrives } = await changedLate("Second");
  await rename(id, "Second");
  await arrives();
  await expectOnBothSides(id, "Second");
  await simulation().control("edit", { key: `contact/270001/${id}`, change: { Name: "Fourth" } });
  await expectOnBothSides(id, "Fourth");
});
