/** The parts of a line's amount by person. */
import { describe, expect, it } from "vitest";
import { amountByUser } from "./amount-by-user.ts";
import type { Line, UserHours } from "./line.ts";

const line = (fields: object): Line =>
  ({ recognition_method: "value", hourly_rate: 10_000_000n, assignees: [], ...fields }) as never;
const assignee = (user_id: string, share: number | null = null, rate?: bigint) => ({
  user_id,
  distribution_percentage: share,
  hourly_rate_override: rate ?? null,
});
const hours = (user_id: string, count: bigint): UserHours => ({ user_id, hours: count }) as never;

const partsOf = (of: Line, amount: bigint, worked?: readonly UserHours[]) =>
  amountByUser(of, amount, worked).map((part) => `${part.user_id ?? "-"} ${part.amount}`);

describe("the amount of a line", () => {
  it("belongs to no one if no one is assigned", () => {
    expect(partsOf(line({}), 1000n)).toEqual(["- 1000"]);
  });

  it("is divided equally without shares, to the last minor unit", () => {
    const assignees = ["a", "b", "c"].map((id) => assignee(id));
    expect(partsOf(line({ assignees }), 1000n)).toEqual(["a 334", "b 333", "c 333"]);
  });

  it("is divided by shares", () => {
    const assignees = [assignee("a", 7500), assignee("b", 2500)];
    expect(partsOf(line({ assignees }), 1000n)).toEqual(["a 750", "b 250"]);
  });

  it("is divided by what the hours are worth", () => {
    const of = line({ recognition_method: "hours", assignees: [assignee("b", null, 20_000_000n)] });
    expect(partsOf(of, 400n, [hours("a", 200n), hours("b", 100n)])).toEqual(["a 200", "b 200"]);
    expect(partsOf(of, 0n)).toEqual(["- 0"]);
  });
});
