/** The watch through a pooler, which reports other process ids than the server's. */
import { expect, inject, it } from "vitest";
import { openDatabaseProxy } from "../../../test/support/database/proxy.ts";
import { copyDatabase, dropDatabase } from "../../../test/support/world/world.ts";
import { openLog } from "../runtime/log.ts";
import { closeDatabase, openDatabase, query } from "./database.ts";
import { watchDatabase } from "./watch.ts";

it("does not end a slow statement if the server's processes are hidden", async () => {
  const url = await copyDatabase(inject("template_url"));
  const proxy = await openDatabaseProxy(url);
  proxy.hideProcesses();
  const db = openDatabase(proxy.url, 2, () => {});
  const watch = watchDatabase([db], openLog("silent"));
  watch.start();
  try {
    const [slow] = await query(db, "select pg_sleep(5) is not null as is_done");
    expect(slow).toEqual({ is_done: true });
    expect(watch.away_ms()).toBe(0);
  } finally {
    await watch.stop();
    await closeDatabase(db);
    await proxy.close();
    await dropDatabase(inject("template_url"), url);
  }
});
