/** The number of statements that a page sends to the database. */
import pg from "pg";
import { vi } from "vitest";

/** The least number of several visits, because the program also sends some statements each second. */
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
