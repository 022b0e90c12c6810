/** The refusals of POST and PATCH /work-registrations on drafts (spec 6.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID } from "../../../../test/support/world/series.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, hours, bo, newUser, invoice, draftLine, registered, tried, patched, list } =
  useWork();

const invalid = "422 VALIDATION_FAILED";

describe.each(["POST", "PATCH"])("%s /work-registrations refuses", (method) => {
  /** Sends the fields for a line of a new draft, or for a registration on it. */
  const attempt = async (fields: Json): Promise<string> => {
    const line_id = await draftLine();
    if (method === "POST") return tried(line_id, fields);
    const user_id = await newUser();
    const { id } = await registered(line_id, { user_id });
    return patched(id, { user_id: bo(), ...fields });
  };

  it.each<[string, Json, string]>([
    ["no hours", { hours: 0 }, `${invalid} hours too_small`],
    ["negative hours", { hours: -1 }, `${invalid} hours too_small`],
    ["more than 24 hours", { hours: 24.01 }, `${invalid} hours too_large`],
    ["thousandths", { hours: 1.005 }, `${invalid} hours too_many_decimals`],
    ["hours as text", { hours: "2" }, `${invalid} hours invalid_type`],
    ["an invalid day", { date: "2026-02-29" }, `${invalid} date invalid_format`],
    ["a long note", { note: "x".repeat(1001) }, `${invalid} note too_long`],
    ["an unknown user", { user_id: UNKNOWN_ID }, `${invalid} user_id unknown_reference`],
    ["a user that is not a UUID", { user_id: "bo" }, `${invalid} user_id invalid_format`],
    ["an unknown line", { line_id: UNKNOWN_ID }, "404 NOT_FOUND"],
    [
      "a line id made from an unknown name",
      { line_id: "0190a000-0000-5000-8000-000000000000" },
      "404 NOT_FOUND",
    ],
    ["a line that is not a UUID", { line_id: "line" }, `${invalid} line_id invalid_format`],
    ["tomorrow", { date: "2026-03-11" }, "409 WORK_DATE_IN_FUTURE"],
  ])("%s", async (_, fields, code) => {
    expect(await attempt(fields)).toBe(code);
  });

  it("an inactive user", async () => {
    const user_id = await newUser({ active: false });
    expect(await attempt({ user_id })).toBe("409 USER_INACTIVE");
  });

  it("a line of another account", async () => {
    const other = await world.openAnother();
    const key = other.keys.read_write;
    const customer = await world.done("POST /customers", { name: "Other" }, key);
    const product = await world.done("POST /products", { name: "Other" }, key);
    const lines = [{ product_id: product.id, recognition_method: "hours", hourly_rate: 1 }];
    const body = { customer_id: customer.id, lines };
    const foreign = await world.done("POST /invoices", body, key);

    expect(await attempt({ line_id: foreign.lines[0].id })).toBe("404 NOT_FOUND");
  });

  it("a user of another account", async () => {
    const other = await world.openAnother();
    const fields = { user_id: other.admin.user_id };
    expect(await attempt(fields)).toBe(`${invalid} user_id unknown_reference`);
  });

  it("an issued line", async () => {
    const draft = await invoice([hours()]);
    await registered(draft.lines[0].id);
    await world.done(`POST /invoices/${draft.id}/issue`);
    expect(await attempt({ line_id: draft.lines[0].id })).toBe("409 INVOICE_ALREADY_ISSUED");
  });
});

describe("POST /work-registrations", () => {
  it.each(["line_id", "user_id", "hours"])("needs %s", async (field) => {
    const reply = await world.rest("POST /work-registrations", {
      line_id: UNKNOWN_ID,
      user_id: bo(),
      hours: 1,
      [field]: undefined,
    });
    expect(refusal(reply)).toBe(`${invalid} ${field} required`);
  });

  it("counts the hours of a user's day over all lines", async () => {
    const user_id = await newUser();
    const first = await draftLine();
    const second = await draftLine();
    await registered(first, { user_id, hours: 20, billable: false });

    expect(await tried(second, { user_id, hours: 5 })).toBe("409 DAILY_HOURS_EXCEEDED");
    expect(await tried(second, { user_id, hours: 4.01 })).toBe("409 DAILY_HOURS_EXCEEDED");
    expect(await tried(second, { user_id, hours: 5, date: "2026-03-09" })).toBe("201");
    expect(await tried(second, { user_id, hours: 4 })).toBe("201");
    expect(await tried(second, { user_id, hours: 0.01 })).toBe("409 DAILY_HOURS_EXCEEDED");
  });

  it("checks the request, then the line, then the user, then the state", async () => {
    const inactive = await newUser({ active: false });
    const line_id = await draftLine();
    const late = { date: "2026-03-11" };

    expect(await tried(UNKNOWN_ID, { user_id: UNKNOWN_ID, ...late })).toBe("404 NOT_FOUND");
    expect(await tried(line_id, { user_id: UNKNOWN_ID, ...late })).toBe(
      `${invalid} user_id unknown_reference`,
    );
    expect(await tried(line_id, { user_id: inactive, ...late })).toBe("409 USER_INACTIVE");
    expect(await tried(line_id, late)).toBe("409 WORK_DATE_IN_FUTURE");
  });

  it("lets a key register before the work lock date", async () => {
    await world.done("PATCH /configuration", { work_lock_date: "2026-03-10" });
    expect(await tried(await draftLine(), { date: "2026-02-01" })).toBe("201");
    await world.done("PATCH /configuration", { work_lock_date: null });
  });

  it("stores nothing when it refuses", async () => {
    const line_id = await draftLine();
    await tried(line_id, { date: "2026-03-11", external_id: "free" });
    expect(await list(`line=${line_id}`)).toEqual([]);
    expect(await tried(line_id, { external_id: "free" })).toBe("201");
  });

  it("needs a key that may write", async () => {
    const { read } = world.account.keys;
    const reply = await world.rest("POST /work-registrations", {}, read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
