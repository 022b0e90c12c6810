/** The reason of a credit: kept, printed under the lines, part of the idempotency of a request, and previewed (spec 5.5). */
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { useSales } from "../../../../test/support/world/sales.ts";

const { world, issued, fullCredit, partCredit, post, credited } = useSales();

const REASON = "Delivered late: agreed with Ann on 3 March.";

describe("the reason of a credit note", () => {
  it("is kept with the note, and in the audit trail", async () => {
    const note = await credited(fullCredit(await issued([100]), { reason: REASON }));
    expect(note.reason).toBe(REASON);
    expect(await world.done(`GET /credit-notes/${note.id}`)).toEqual(note);
    expect((await world.done("GET /credit-notes?limit=1")).data).toEqual([note]);
    const { data } = await world.done(`GET /audit-events?resource_id=${note.id}`);
    const reasons = data.map(({ after }: { after: { reason?: string } }) => after.reason);
    expect(reasons).toEqual(data.map(() => REASON));
    expect(reasons.length).toBeGreaterThan(0);
  });

  it("is absent where none was given", async () => {
    expect(await credited(fullCredit(await issued([100])))).not.toHaveProperty("reason");
  });

  it("is part of what a repetition has to send again", async () => {
    const body = fullCredit(await issued([100]), { reason: REASON });
    const note = await credited(body);
    expect((await post(body)).body).toEqual(note);
    for (const reason of [undefined, "Another one"]) {
      const { status, body: refused } = await post({ ...body, reason });
      expect([status, refused.error.code]).toEqual([409, "EXTERNAL_ID_CONFLICT"]);
    }
  });

  it("has 1 to 500 characters", async () => {
    const invoice = await issued([100]);
    for (const [reason, status] of [
      ["", 422],
      ["x".repeat(501), 422],
      ["語".repeat(500), 201],
    ] as const) {
      expect((await post(partCredit(invoice, [1], { reason }))).status).toBe(status);
    }
  });

  it("is printed under the lines, and not the footer of the invoice", async () => {
    const invoice = await issued([100], { footer: "Thank you for this order." });
    const note = await credited(fullCredit(invoice, { reason: REASON }));
    const text = textOfPdf((await world.rest(`GET /credit-notes/${note.id}/pdf`)).body);
    expect(text).toContain(REASON);
    expect(text).not.toContain("Thank you for this order.");
  });

  it("is part of the preview", async () => {
    const invoice = await issued([100]);
    const { external_id: _, ...body } = fullCredit(invoice, { reason: REASON });
    expect(await world.done("POST /credit-notes/preview", body)).toMatchObject({ reason: REASON });
    const { reason: __, ...without } = body;
    expect(await world.done("POST /credit-notes/preview", without)).not.toHaveProperty("reason");
  });
});
