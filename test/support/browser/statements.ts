/** How much a page asks of the database. */
import pg from "pg";
import { vi } from "vitest";

/** The least of some visits: the program asks for something of its own each second, which no page is to blame for. */
export async function statementsOf(visit: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    asked.mockClear();
    await visit();
    counts.push(asked.mock.calls.length);
  }
  asked.mockRestore();
  return Math.min(...counts);
}
