/** Skipping an occurrence and undoing the skip (spec 4.5). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, at, draft, active, rest, cancel, issued, skip, occurrence, statuses, refused } =
  useSeries();
const INVALID = "422 VALIDATION_FAILED";

beforeAll(() => at("2026-03-10"));

describe("POST /recurring-series/{ref}/occurrences/{period}/skip and /unskip", () => {
  it("skips a period and undoes the skip, with the reason in the audit trail", async () => {
    const { id } = await active();

    const skipped = await rest("POST", id, "/occurrences/2027-02/skip", { reason: "on holiday" });
    expect(skipped.body).toMatchObject({ status: "skipped", period: "2027-02", invoice_id: null });
    expect(await occurrence(id, "2027-02")).toEqual(skipped.body);
    const unskipped = await rest("POST", id, "/occurrences/2027-02/unskip", {});

    expect([unskipped.status, unskipped.body.status]).toEqual([200, "scheduled"]);
    const resource = encodeURIComponent(`${id}/2027-02`);
    const { data } = await world.done(`GET /audit-events?resource_id=${resource}`);
    expect(data.map(({ action, reason }: Json) => [action, reason]).sort()).toEqual([
      ["skipped", "on holiday"],
      ["unskipped", null],
    ]);
  });

  it("may be repeated for a period, also of a draft, without a body", async () => {
    const { id } = await draft();

    for (let time = 0; time < 2; time += 1) {
      expect((await skip(id, "2027-01")).body.status).toBe("skipped");
    }
    expect(await statuses(id, "to=2027-02-28")).toEqual(["2027-01 skipped", "2027-02 scheduled"]);
  });

  it("refuse periods that are issued, dropped, discarded or not skipped", async () => {
    const { id } = await active();
    await issued(id, "2027-01");
    expect(await refused(skip(id, "2027-01"))).toBe("409 OCCURRENCE_ALREADY_ISSUED");
    expect(await refused(skip(id, "2027-01", "unskip"))).toBe("409 OCCURRENCE_NOT_SKIPPED");
    expect(await refused(skip(id, "2027-02", "unskip"))).toBe("409 OCCURRENCE_NOT_SKIPPED");
    await cancel(id, { end_date: "2027-02-28" });
    expect((await skip(id, "2027-02")).status).toBe(200);
    expect(await refused(skip(id, "2027-03"))).toBe("409 OCCURRENCE_DROPPED");
    const discarded = await draft();
    await cancel(discarded.id);
    expect(await refused(skip(discarded.id, "2027-01"))).toBe("409 SERIES_CANCELLED");
  });

  it("refuse an unknown series, a long reason and a key that only reads", async () => {
    const { id } = await draft();
    const path = `/occurrences/2027-01/skip`;
    expect(await refused(skip(UNKNOWN_ID, "2027-01"))).toBe("404 NOT_FOUND");
    const long = rest("POST", id, path, { reason: "x".repeat(501) });
    expect(await refused(long)).toBe(`${INVALID} reason too_long`);
    const { read } = world.account.keys;
    const reply = await world.rest(`POST /recurring-series/${id}${path}`, {}, read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
