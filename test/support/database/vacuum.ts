/** Makes the pages of tables known as visible to all, so that a query may read an index alone. */
import { vi } from "vitest";
import type { World } from "../world/world.ts";

/** Vacuums tables until nearly all their pages are visible to all: an older snapshot of another connection delays that. */
export async function vacuumWhole(world: World, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await vi.waitUntil(
      async () => {
        await world.sql(`vacuum analyze ${table}`);
        const [pages] = await world.sql(
          "select relpages - relallvisible <= 2 as are_visible from pg_class where oid = $1::regclass",
          [table],
        );
        return pages.are_visible;
      },
      { timeout: 60_000, interval: 200 },
    );
  }
}
