/** Batches of products, hours and drafts (spec 15.3), each row compared with the call for one. */
import { describe, expect, it } from "vitest";
import { sendBatch } from "../../../../test/support/http/send-batch.ts";
import { UNKNOWN_ID } from "../../../../test/support/world/series.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, product, hours, hourly, linesOf, draftLine, newUser, bo, eva } = useWork();

/** Rows that are saved, and rows that are refused, with the codes of the refusals. */
interface Rows {
  readonly good: readonly Json[];
  readonly bad: readonly (readonly [row: Json, code: string])[];
}

let count = 0;
const named = (fields: Json): Json => {
  count += 1;
  return { external_id: `kind-${count}`, ...fields };
};

async function products(): Promise<Rows> {
  const { external_id: product_number } = named({});
  return {
    good: [
      named({ name: "Advice" }),
      named({ name: "Advice", product_number, prices: [{ currency: "EUR", amount: 12.5 }] }),
      named({
        name: "Retainer",
        default_price: 99.5,
        default_recognition_method: "value",
        default_months: 12,
      }),
      named({ name: "Other account", account_number: 1015, prices: [] }),
    ],
    bad: [
      [named({ default_price: 1 }), "VALIDATION_FAILED"],
      [named({ name: "X", nmae: 1 }), "VALIDATION_FAILED"],
      [named({ name: "X", account_number: 6190 }), "VALIDATION_FAILED"],
      [named({ name: "X", prices: [{ currency: "DKK", amount: 1 }] }), "VALIDATION_FAILED"],
      [named({ name: "X", product_number }), "PRODUCT_NUMBER_TAKEN"],
    ],
  };
}

async function registrations(): Promise<Rows> {
  const line_id = await draftLine();
  const own = await draftLine({ assignees: [{ user_id: eva() }] });
  const series = await hourly({ start_date: "2026-01-01" });
  const [series_line] = (await world.done(`GET /recurring-series/${series.id}/lines`)).data;
  const [{ id: occurrence_line }] = await linesOf(series.id, "2026-03");
  const inactive = await newUser({ active: false });
  const work = (fields: Json): Json =>
    named({ line_id, user_id: bo(), hours: 2, date: "2026-03-09", ...fields });
  return {
    good: [
      work({ note: "First" }),
      work({ hours: 10, billable: false }),
      work({ hours: 12 }),
      work({ user_id: eva(), hours: 0.25, date: null }),
      work({ user_id: eva(), line_id: own }),
      work({ line_id: series_line.line_id, date: "2026-03-02" }),
      work({ line_id: occurrence_line, date: "2026-03-03" }),
    ],
    bad: [
      [work({ hours: 0.01 }), "DAILY_HOURS_EXCEEDED"],
      [work({ hours: 25 }), "VALIDATION_FAILED"],
      [work({ line_id: UNKNOWN_ID }), "NOT_FOUND"],
      [work({ user_id: UNKNOWN_ID }), "VALIDATION_FAILED"],
      [work({ user_id: inactive }), "USER_INACTIVE"],
      [work({ date: "2026-03-11" }), "WORK_DATE_IN_FUTURE"],
      [work({ line_id: occurrence_line, date: "2026-04-01" }), "WORK_DATE_IN_FUTURE"],
    ],
  };
}

async function invoices(): Promise<Rows> {
  const inactive = await world.done("POST /customers", { name: "Gone" });
  await world.done(`POST /customers/${inactive.id}/deactivate`);
  const old = await world.done("POST /products", { name: "Old" });
  await world.done(`POST /products/${old.id}/deactivate`);
  const draft = (fields: Json): Json =>
    named({ customer_id: customer.id, lines: [hours()], ...fields });
  const value = { product_id: product.id, recognition_method: "value", agreed_value: 100 };
  return {
    good: [
      draft({}),
      draft({ currency: "EUR", lines: [value, { ...value, assignees: [{ user_id: bo() }] }] }),
      draft({
        title: "March",
        issue_date: "2026-03-31",
        auto_send: false,
        order_reference: "PO 7",
      }),
    ],
    bad: [
      [draft({ customer_id: UNKNOWN_ID }), "VALIDATION_FAILED"],
      [draft({ customer_id: inactive.id }), "CUSTOMER_INACTIVE"],
      [draft({ lines: [{ ...value, product_id: UNKNOWN_ID }] }), "VALIDATION_FAILED"],
      [draft({ lines: [{ ...value, product_id: old.id }] }), "PRODUCT_INACTIVE"],
      [draft({ lines: [{ ...value, agreed_value: 1.005 }] }), "VALIDATION_FAILED"],
      [draft({ lines: [{ ...value, colour: "red" }] }), "VALIDATION_FAILED"],
    ],
  };
}

/** Leaves out what differs between two resources of the same content. */
function contentOf(resource: Json): Json {
  return JSON.parse(
    JSON.stringify(resource, (name, value) =>
      ["id", "external_id", "created_at", "updated_at", "product_number"].includes(name)
        ? undefined
        : value,
    ),
  );
}

describe.each([
  ["/products", "product", products],
  ["/work-registrations", "work_registration", registrations],
  ["/invoices", "invoice", invoices],
])("POST %s/batch", (path, type, rowsOf) => {
  it("saves and refuses rows as the call for one does", async () => {
    const { good, bad } = await rowsOf();
    const { headers } = await world.rest("GET /events?limit=1");
    const after = headers.get("matchbook-sequence");

    const { rows } = await sendBatch(world, `${path}/batch`, [...good, ...bad.map(([row]) => row)]);

    expect(rows.map(({ outcome, code }) => code ?? outcome)).toEqual([
      ...good.map(() => "created"),
      ...bad.map(([, code]) => code),
    ]);
    const events = await world.done(`GET /events?limit=100&types=${type}.created&after=${after}`);
    expect(events.data.map(({ resource_id }: Json) => resource_id)).toEqual(
      rows.slice(0, good.length).map(({ id }) => id),
    );
    for (const [index, sent] of good.entries()) {
      const again = await world.rest(`POST ${path}`, sent);
      expect([again.status, again.body.id]).toEqual([200, rows[index].id]);
      expect(events.data[index].data.resource).toEqual(again.body);
    }
    for (const [index, [sent, code]] of bad.entries()) {
      const { body } = await world.rest(`POST ${path}`, sent);
      const { message, field_errors = null } = body.error;
      expect(body.error.code).toBe(code);
      expect(rows[good.length + index]).toMatchObject({ id: null, code, message, field_errors });
    }
  });

  it("makes what the call for one makes", async () => {
    const { good } = await rowsOf();
    const [sent] = good;
    const { rows } = await sendBatch(world, `${path}/batch`, [sent]);
    const made = await world.done(`GET ${path}/${rows[0].id}`);
    const twin = await world.done(`POST ${path}`, named({ ...sent, external_id: undefined }));

    expect(contentOf(made)).toEqual(contentOf(twin));
    expect(made.external_id).toBe(sent.external_id);
  });

  it("keeps a repeated row, and refuses other content", async () => {
    const { good } = await rowsOf();
    const [first, second] = good;
    await sendBatch(world, `${path}/batch`, [first, second]);

    const other = { ...second, external_id: first.external_id };
    const { rows: again } = await sendBatch(world, `${path}/batch`, [first, second]);
    const { rows: changed } = await sendBatch(world, `${path}/batch`, [other]);

    expect(again.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
    expect(changed[0]).toMatchObject({ outcome: "refused", code: "EXTERNAL_ID_CONFLICT" });
  });

  it("creates each row once in two calls at once, beside calls for one", async () => {
    const { good } = await rowsOf();
    const [a, b] = await Promise.all([
      sendBatch(world, `${path}/batch`, good),
      sendBatch(world, `${path}/batch`, good),
      ...good.map((row) => world.done(`POST ${path}`, row)),
    ]);

    const ids = (rows: readonly Json[]) => rows.map(({ id }) => id);
    expect(ids(a.rows)).toEqual(ids(b.rows));
    expect([...a.rows, ...b.rows].filter(({ outcome }) => outcome === "refused")).toEqual([]);
  });

  it("changes nothing in a dry run", async () => {
    const { good } = await rowsOf();
    const { rows: dry } = await sendBatch(world, `${path}/batch?dry_run=true`, good);
    const { rows } = await sendBatch(world, `${path}/batch`, good);

    expect(dry.map(({ outcome, id }) => [outcome, id])).toEqual(good.map(() => ["created", null]));
    expect(rows.map(({ outcome }) => outcome)).toEqual(good.map(() => "created"));
  });
});
