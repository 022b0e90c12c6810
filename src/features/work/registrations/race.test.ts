/**
 * Parallel work: registrations on the same day, and registrations in parallel with an issue, an edit or a
 * cancellation. Each test states what must hold in any order.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";

const {
  world,
  line,
  hours,
  at,
  issue,
  cancel,
  skip,
  occurrence,
  invoice,
  draftLine,
  hourly,
  lineIn,
  newUser,
  register,
  registered,
  patch,
  showWork,
  list,
} = useWork();

const ROUNDS = 12;

async function tally(calls: readonly Promise<Reply>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reply of await Promise.all(calls)) {
    const answer = refusal(reply);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

const netOf = async (id: string): Promise<number> =>
  (await world.done(`GET /invoices/${id}/totals`)).net;

describe("parallel registrations for one user's day", () => {
  it("never exceed 24 hours in total, on any lines", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const lines = [
      await draftLine(),
      await draftLine(),
      await lineIn(id, "2027-02"),
      (await invoice([line()])).lines[0].id,
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const user_id = await newUser();
      const calls = lines.flatMap((line_id) => [
        register(line_id, { user_id, hours: 7 }),
        register(line_id, { user_id, hours: 7 }),
      ]);
      expect(await tally(calls)).toEqual({ "201": 3, "409 DAILY_HOURS_EXCEEDED": 5 });
    }
  });

  it("never exceed 24 hours together with a change", async () => {
    const line_id = await draftLine();
    for (let round = 0; round < ROUNDS; round += 1) {
      const user_id = await newUser();
      const { id } = await registered(line_id, { user_id, hours: 1 });
      const calls = [patch(id, { hours: 13 }), register(line_id, { user_id, hours: 13 })];
      const answers = (await Promise.all(calls)).map(refusal).sort();
      expect(["200,409 DAILY_HOURS_EXCEEDED", "201,409 DAILY_HOURS_EXCEEDED"]).toContain(
        answers.join(),
      );
    }
  });
});

describe("a registration in parallel with an issue", () => {
  it("is on the invoice and frozen, or refused", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const draft = await invoice([line(), hours()]);
      const line_id = draft.lines[1].id;
      const [first, issued, second] = await Promise.all([
        register(line_id, { hours: 1 }),
        world.rest(`POST /invoices/${draft.id}/issue`),
        register(line_id, { hours: 2 }),
      ]);
      expect(issued.status).toBe(200);
      const made = [first, second].filter(({ status }) => status === 201);
      const others = [first, second].filter(({ status }) => status !== 201);
      expect(others.map(refusal)).toEqual(others.map(() => "409 INVOICE_ALREADY_ISSUED"));
      const sum = made.reduce((total, { body }) => total + body.hours, 0);
      expect(await netOf(draft.id)).toBe(3100 + sum * 1000);
      for (const { body } of made) expect((await showWork(body.id)).status).toBe("invoiced");
    }
  });

  it("of its occurrence is on the invoice and frozen, or refused", async () => {
    at("2027-02-10");
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await hourly({ lines: [line(), hours({ position: 2 })] });
      const line_id = (await world.done(`GET /recurring-series/${id}/occurrences/2027-02/lines`))
        .data[1].id;
      const [made, issued] = await Promise.all([register(line_id), issue(id, "2027-02")]);
      expect(issued.status).toBe(200);
      const net = await netOf(issued.body.id);
      if (made.status === 201) {
        expect(net).toBe(5100);
        expect(await showWork(made.body.id)).toMatchObject({
          status: "invoiced",
          invoice_id: issued.body.id,
        });
      } else {
        expect([refusal(made), net]).toEqual(["409 INVOICE_ALREADY_ISSUED", 3100]);
      }
    }
  });
});

describe("a registration in parallel with", () => {
  it("the removal of its line is stored, or refused", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const draft = await invoice([line(), hours()]);
      const line_id = draft.lines[1].id;
      const [made, changed] = await Promise.all([
        register(line_id),
        world.rest(`PATCH /invoices/${draft.id}`, { lines: [line()] }),
      ]);
      const answers = [refusal(made), refusal(changed)].join();
      expect(["201,409 LINE_HAS_REGISTRATIONS", "404 NOT_FOUND,200"]).toContain(answers);
      expect(await list(`line=${line_id}`)).toHaveLength(made.status === 201 ? 1 : 0);
    }
  });

  it("the deletion of its draft is stored, or refused", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const draft = await invoice();
      const [made, deleted] = await Promise.all([
        register(draft.lines[0].id),
        world.rest(`DELETE /invoices/${draft.id}`),
      ]);
      const answers = [refusal(made), refusal(deleted)].join();
      expect(["201,409 LINE_HAS_REGISTRATIONS", "404 NOT_FOUND,204"]).toContain(answers);
    }
  });

  it("a skip is stored in an open occurrence, or refused", async () => {
    at("2027-02-10");
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await hourly();
      const line_id = await lineIn(id, "2027-02");
      const [made, skipped] = await Promise.all([register(line_id), skip(id, "2027-02")]);
      const answers = [refusal(made), refusal(skipped)].join();
      expect(["201,409 OCCURRENCE_HAS_REGISTRATIONS", "409 OCCURRENCE_SKIPPED,200"]).toContain(
        answers,
      );
    }
  });

  it("a cancellation is dropped and counted, or refused", async () => {
    at("2027-02-10");
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await hourly();
      const line_id = await lineIn(id, "2027-02");
      const [made, cancelled] = await Promise.all([
        register(line_id),
        cancel(id, { end_date: "2027-01-31" }),
      ]);
      const [{ work_registrations }] = cancelled.dropped_occurrences;
      if (made.status === 201) {
        expect((await showWork(made.body.id)).status).toBe("dropped");
        expect(work_registrations).toBe(1);
      } else {
        expect([refusal(made), work_registrations]).toEqual(["409 OCCURRENCE_DROPPED", 0]);
      }
      expect((await occurrence(id, "2027-02")).status).toBe("dropped");
    }
  });
});

describe("parallel moves", () => {
  it("in opposite directions all succeed", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const lines = [await draftLine(), await lineIn(id, "2027-02"), await draftLine()];
    const work: Json[] = [];
    for (const line_id of lines) work.push(await registered(line_id));
    for (let round = 1; round <= ROUNDS; round += 1) {
      const calls = work.map((one, index) =>
        patch(one.id, { line_id: lines[(index + round) % lines.length] }),
      );
      expect(await tally(calls)).toEqual({ "200": 3 });
    }
  });

  it("of one registration are made one at a time", async () => {
    const lines = [await draftLine(), await draftLine(), await draftLine()];
    const { id } = await registered(lines[0] ?? "");
    const calls = [...lines, ...lines].map((line_id) => patch(id, { line_id }));
    expect(await tally(calls)).toEqual({ "200": 6 });
    expect(await list(`user=${(await showWork(id)).user_id}`)).toHaveLength(1);
  });
});
