/** Activation: its requirements, and its effect on past periods (spec 4.1). */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, line, at, draft, active, rest, show, cancel, skip, statuses, runOf, issued } =
  useSeries();

beforeEach(() => at("2026-03-10"));

const activate = (id: string, sent?: Json) => rest("POST", id, "/activate", sent);

describe("POST /recurring-series/{ref}/activate", () => {
  it("activates with or without a body, and answers with the series", async () => {
    const before = await draft({ external_id: "by external id" });

    const { status, body: after } = await activate("ext:by%20external%20id");

    expect([status, after]).toEqual([200, { ...before, status: "active" }]);
    expect(await show(before.id)).toEqual(after);
  });

  it("with keep leaves past periods to a person and not to the scheduler", async () => {
    const { id } = await draft({ start_date: "2025-12-15" });

    await activate(id, { past_periods: "keep" });

    expect(await runOf(id)).toEqual([]);
    expect(await statuses(id, "to=2026-03-31")).toEqual([
      "2025-12 scheduled",
      "2026-01 scheduled",
      "2026-02 scheduled",
      "2026-03 scheduled",
    ]);
    await issued(id, "2026-01");
    at("2026-03-15");
    expect(await runOf(id)).toEqual(["issued 2026-03"]);
  });

  it("with skip changes only the periods that ended before today", async () => {
    const { id } = await draft({ start_date: "2025-12-10" });

    await activate(id, { past_periods: "skip" });

    // 10 February to 9 March ended yesterday; the one that begins today falls due today.
    expect(await statuses(id, "to=2026-04-30")).toEqual([
      "2025-12 skipped",
      "2026-01 skipped",
      "2026-02 skipped",
      "2026-03 scheduled",
      "2026-04 scheduled",
    ]);
    expect(await runOf(id)).toEqual(["issued 2026-03"]);
    const unskipped = await skip(id, "2026-02", "unskip");
    expect(unskipped.body.status).toBe("scheduled");
    expect(await runOf(id)).toEqual([]);
  });

  it("with skip leaves a period that is still running scheduled", async () => {
    const { id } = await draft({ start_date: "2026-02-11" });

    await activate(id, { past_periods: "skip" });

    expect(await statuses(id, "to=2026-03-31")).toEqual(["2026-02 scheduled", "2026-03 scheduled"]);
  });

  it("lets the scheduler issue a period that falls due today", async () => {
    const { id } = await draft({ start_date: "2026-03-10" });

    await activate(id);

    expect(await runOf(id)).toEqual(["issued 2026-03"]);
  });
});

describe("POST /recurring-series/{ref}/activate refuses", () => {
  it("a series without lines, also after all were removed: SERIES_INCOMPLETE", async () => {
    const { id } = await draft({ lines: [] });
    expect(refusal(await activate(id))).toBe("409 SERIES_INCOMPLETE");
    const added = await rest("POST", id, "/lines", { scope: "all", line: line() });
    const path = `/lines/${added.body.line_id}`;
    await rest("DELETE", id, `${path}?scope=all`);
    expect(refusal(await activate(id))).toBe("409 SERIES_INCOMPLETE");
    const later = { scope: "this_only", period: "2027-06", line: line() };
    await rest("POST", id, "/lines", later);
    expect((await activate(id)).status).toBe(200);
  });

  it("an active, a cancelled or a discarded series", async () => {
    const { id } = await active();
    expect(refusal(await activate(id))).toBe("409 SERIES_ALREADY_ACTIVE");
    await cancel(id, { end_date: "2027-12-31" });
    expect(refusal(await activate(id))).toBe("409 SERIES_CANCELLED");
    const discarded = await draft();
    await cancel(discarded.id);
    expect(refusal(await activate(discarded.id))).toBe("409 SERIES_CANCELLED");
  });

  it("an unknown value for the past, and an unknown series", async () => {
    const { id } = await draft();
    const wrong = await activate(id, { past_periods: "invoice" });
    expect(refusal(wrong)).toBe("422 VALIDATION_FAILED past_periods invalid_value");
    expect(refusal(await activate(UNKNOWN_ID))).toBe("404 NOT_FOUND");
    const { read } = world.account.keys;
    const call = `POST /recurring-series/${id}/activate`;
    expect(refusal(await world.rest(call, {}, read))).toBe("403 INSUFFICIENT_SCOPE");
  });

  it("all but one of 10 parallel calls", async () => {
    const { id } = await draft();

    const replies = await Promise.all(Array.from({ length: 10 }, () => activate(id)));

    expect(replies.map(refusal).sort()).toEqual([
      "200",
      ...Array(9).fill("409 SERIES_ALREADY_ACTIVE"),
    ]);
  });
});
