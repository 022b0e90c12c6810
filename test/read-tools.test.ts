/** Every reading tool, for an admin and for a standard user: its text, its data, and that the two agree. */
import { beforeAll, describe, expect, it } from "vitest";
import type { PersonContext } from "../src/platform/mcp/tool.ts";
import { readTools } from "../src/read-tools.ts";
import { jsonSchemaOf, personContext, refusalOf, tell, toolNamed } from "./support/tools.ts";
import { useWork } from "./support/work.ts";
import type { Json } from "./support/world.ts";

const { world, customer, product, line, hours, active, draft, lineIds, edit, issued, at, lineIn } =
  useWork();

let admin: PersonContext;
let bo: PersonContext;
let bo_id: string;
let eva_id: string;
/** Bo's draft by hours, Eva's draft, Bo's issued invoice, Eva's issued one. */
let boDraft: Json;
let evaDraft: Json;
let boInvoice: Json;
let evaInvoice: Json;
let evaCustomer: Json;
let boSeries: Json;
let evaSeries: Json;
let boNote: Json;
let evaNote: Json;

const to = (user_id: string): Json => ({ assignees: [{ user_id }] });

beforeAll(async () => {
  const user = async (name: string, external_id: string): Promise<string> =>
    (
      await world().done("POST /users", {
        name,
        email: `${external_id}@studio.example`,
        external_id,
      })
    ).id;
  const invoice = (fields: Json): Promise<Json> =>
    world().done("POST /invoices", { customer_id: customer().id, ...fields });
  const issue = async (fields: Json): Promise<Json> =>
    world().done(`POST /invoices/${(await invoice(fields)).id}/issue`);
  at("2027-03-20");
  bo_id = await user("Bo Holm", "bo");
  eva_id = await user("Eva", "eva");
  admin = await personContext(world(), world().account.admin.user_id);
  bo = await personContext(world(), bo_id);
  evaCustomer = await world().done("POST /customers", {
    name: "Beta ApS",
    vat_number: "DK12345674",
  });
  boInvoice = await issue({
    lines: [line({ ...to(bo_id), agreed_value: 1000 })],
    issue_date: "2027-03-01",
  });
  evaInvoice = await issue({
    customer_id: evaCustomer.id,
    lines: [line({ ...to(eva_id), agreed_value: 500.5 })],
    issue_date: "2027-03-02",
  });
  boDraft = await invoice({
    title: 'Phase "one"\nView: all. In scope: 9.',
    issue_date: "2027-03-25",
    lines: [hours(to(bo_id)), line(to(eva_id))],
  });
  evaDraft = await invoice({ customer_id: evaCustomer.id, lines: [line(to(eva_id))] });
  const timing = { issue_timing: { mode: "end-of-period" } };
  boSeries = await active({
    external_id: "care",
    lines: [hours({ assignees: [{ user_id: bo_id, hourly_rate_override: 1200 }] })],
    start_date: "2027-03-01",
    ...timing,
  });
  evaSeries = await active({
    customer_id: evaCustomer.id,
    lines: [line(to(eva_id))],
    start_date: "2027-03-01",
  });
  const credit = (external_id: string, of: Json, amount: number): Promise<Json> =>
    world().done("POST /credit-notes", {
      external_id,
      invoice: of.id,
      kind: "partial",
      credit_date: "2027-03-15",
      lines: [{ invoice_line_id: of.lines[0].id, amount }],
    });
  boNote = await credit("bo-1", boInvoice, 100);
  evaNote = await credit("eva-1", evaInvoice, 0.5);
  const work = (
    user_id: string,
    line_id: string,
    count: number,
    fields: Json = {},
  ): Promise<Json> =>
    world().done("POST /work-registrations", { user_id, line_id, hours: count, ...fields });
  await work(bo_id, boDraft.lines[0].id, 2.5, { date: "2027-03-18", note: "Kick-off\nwith Ann" });
  await work(eva_id, boDraft.lines[0].id, 1, { billable: false });
});

describe("the catalogue of reading tools", () => {
  it("has sixteen, in the order of their table, each read-only, with a title and when to use it", () => {
    expect(readTools.map((tool) => tool.name)).toEqual([
      "list_customers",
      "get_customer",
      "list_invoices",
      "get_invoice",
      "list_series",
      "get_series",
      "list_occurrences",
      "list_credit_notes",
      "get_credit_note",
      "list_products",
      "list_users",
      "get_my_work",
      "list_work_registrations",
      "get_accrual",
      "get_revenue",
      "get_configuration",
    ]);
    for (const tool of readTools) {
      expect(tool.scope).toBe("mcp:read");
      expect(tool.annotations.readOnlyHint).toBe(true);
      expect(tool.title).not.toBe("");
      expect(tool.description).toMatch(/^Use it /);
    }
  });

  it.each(["list_customers", "list_invoices", "list_series", "list_credit_notes"])(
    "offers %s the whole account to admins only",
    (name) => {
      const offered = (role: "admin" | "standard") =>
        jsonSchemaOf(toolNamed(name).input(role), "input").properties.scope;
      expect(offered("admin")).toMatchObject({ enum: ["mine", "related", "all"], default: "mine" });
      expect(offered("standard")).toMatchObject({ enum: ["mine", "related"], default: "mine" });
    },
  );

  it("has objects as roots of all its schemas", () => {
    for (const tool of readTools) {
      for (const role of ["admin", "standard"] as const) {
        expect(jsonSchemaOf(tool.input(role), "input").type).toBe("object");
      }
      expect(jsonSchemaOf(tool.output, "output").type).toBe("object");
    }
  });
});

describe("views", () => {
  it.each<[string, number, number, number]>([
    ["list_customers", 1, 1, 2],
    ["list_invoices", 2, 2, 4],
    ["list_series", 1, 1, 2],
    ["list_credit_notes", 1, 1, 2],
  ])("of %s: mine is related, and all is the account", async (name, mine, beyond, all) => {
    for (const scope of ["mine", "related"]) {
      const told = await tell(bo, name, { scope });
      expect(told.lines[0]).toBe(`View: ${scope}. In scope: ${mine}. Beyond scope: ${beyond}.`);
      expect(told.structured).toMatchObject({ view: scope, in_scope: mine, beyond_scope: beyond });
      expect(told.structured.data).toHaveLength(mine);
    }
    expect((await tell(bo, name)).structured.view).toBe("mine");
    const everything = await tell(admin, name, { scope: "all" });
    expect(everything.lines[0]).toBe(`View: all. In scope: ${all}. Beyond scope: 0.`);
    expect(everything.structured.data).toHaveLength(all);
    expect((await tell(admin, name)).lines[0]).toBe(
      `View: mine. In scope: 0. Beyond scope: ${all}.`,
    );
  });

  it("refuse the whole account to a standard user, whatever the schema lets pass", async () => {
    for (const name of ["list_customers", "list_invoices", "list_series", "list_credit_notes"]) {
      const args = { ...toolNamed(name).input("standard").parse({}), scope: "all" };
      expect(await refusalOf(toolNamed(name).call(bo, args))).toBe("ROLE_FORBIDDEN");
    }
  });

  it("count all pages under the same filters", async () => {
    const drafts = await tell(bo, "list_invoices", { status: "draft" });
    expect(drafts.lines[0]).toBe("View: mine. In scope: 1. Beyond scope: 1.");
    const of_eva = await tell(bo, "list_invoices", { customer: evaCustomer.id });
    expect(of_eva.lines[0]).toBe("View: mine. In scope: 0. Beyond scope: 2.");
    expect(of_eva.lines[2]).toBe("No invoices.");
    const march = { from: "2027-03-02", to: "2027-03-31", scope: "all" };
    const dated = await tell(admin, "list_invoices", march);
    expect(dated.structured.data.map(({ id }: Json) => id)).toEqual([boDraft.id, evaInvoice.id]);
    const paged = await tell(admin, "list_invoices", { scope: "all", limit: 3 });
    expect(paged.structured).toMatchObject({ in_scope: 4, beyond_scope: 0, has_more: true });
    expect(paged.text).toContain(`cursor ${paged.structured.next_cursor}`);
    const cursor = paged.structured.next_cursor;
    const rest = await tell(admin, "list_invoices", { scope: "all", limit: 3, cursor });
    expect(rest.structured).toMatchObject({ in_scope: 4, has_more: false, next_cursor: null });
    const ids = [...paged.structured.data, ...rest.structured.data].map(({ id }: Json) => id);
    expect(ids).toEqual([evaDraft.id, boDraft.id, evaInvoice.id, boInvoice.id]);
  });

  it("say so when nothing is in them", async () => {
    const nobody = await world().done("POST /users", { name: "New", email: "new@studio.example" });
    const told = await tell(await personContext(world(), nobody.id), "list_invoices");
    expect(told.lines[0]).toBe("View: mine. In scope: 0. Beyond scope: 4.");
  });
});

describe("a resource outside the view", () => {
  it.each<[string, () => Json, () => Json]>([
    ["get_customer", () => ({ customer: customer().id }), () => ({ customer: evaCustomer.id })],
    ["get_invoice", () => ({ invoice: boDraft.id }), () => ({ invoice: evaDraft.id })],
    ["get_invoice", () => ({ invoice: boInvoice.id }), () => ({ invoice: evaInvoice.id })],
    ["get_series", () => ({ series: "ext:care" }), () => ({ series: evaSeries.id })],
    ["list_occurrences", () => ({ series: boSeries.id }), () => ({ series: evaSeries.id })],
    ["get_credit_note", () => ({ credit_note: boNote.id }), () => ({ credit_note: evaNote.id })],
  ])("is refused by %s to a standard user, not to an admin", async (name, inside, outside) => {
    expect(await refusalOf(tell(bo, name, inside()))).toBe("told");
    expect(await refusalOf(tell(bo, name, outside()))).toBe("OUT_OF_SCOPE");
    expect(await refusalOf(tell(admin, name, outside()))).toBe("told");
  });

  it("says what it is", async () => {
    await expect(tell(bo, "get_invoice", { invoice: evaDraft.id })).rejects.toThrow(
      "This invoice is outside your view",
    );
  });

  it("of another account is not found, and listed nowhere", async () => {
    const other = await world().openAnother();
    const stranger = await personContext(world(), other.admin.user_id, other.account_id);
    for (const [name, args] of [
      ["get_customer", { customer: customer().id }],
      ["get_invoice", { invoice: boDraft.id }],
      ["get_series", { series: boSeries.id }],
      ["list_occurrences", { series: boSeries.id }],
      ["get_credit_note", { credit_note: boNote.id }],
      ["get_accrual", { customer: customer().id, month: "2027-03" }],
    ] as const) {
      expect([name, await refusalOf(tell(stranger, name, args))]).toEqual([name, "NOT_FOUND"]);
    }
    for (const name of ["list_customers", "list_invoices", "list_series", "list_credit_notes"]) {
      const told = await tell(stranger, name, { scope: "all" });
      expect(told.lines[0]).toBe("View: all. In scope: 0. Beyond scope: 0.");
    }
    expect((await tell(stranger, "list_products")).structured.data).toEqual([]);
    expect((await tell(stranger, "list_users")).structured.data).toHaveLength(1);
    expect((await tell(stranger, "get_my_work")).lines[0]).toContain("Beyond scope: 0.");
    expect(
      (await tell(stranger, "list_work_registrations", { user: bo_id })).structured.data,
    ).toEqual([]);
    const months = { from: "2027-03", to: "2027-03" };
    expect((await tell(stranger, "get_revenue", months)).structured.data).toEqual([]);
  });
});

describe("what is the admins' own", () => {
  it.each<[string, () => Json]>([
    ["get_accrual", () => ({ customer: customer().id, month: "2027-03" })],
    ["get_configuration", () => ({})],
  ])("%s is refused to a standard user", async (name, args) => {
    expect(await refusalOf(tell(bo, name, args()))).toBe("ROLE_FORBIDDEN");
    expect(await refusalOf(tell(admin, name, args()))).toBe("told");
  });
});

describe("list_customers", () => {
  it.each([
    ["bet", 1],
    ["DK1234", 1],
    ["ap@acme", 1],
    ["%", 0],
    ["nobody", 0],
  ])("finds %s in names and numbers, whatever its case", async (search, count) => {
    const told = await tell(admin, "list_customers", { scope: "all", search });
    expect(told.structured.in_scope).toBe(count);
  });

  it("shows names in quotes and the ids that come next", async () => {
    const told = await tell(admin, "list_customers", { scope: "all", search: "beta" });
    expect(told.lines[3]).toMatch(new RegExp(`^${evaCustomer.id} +\\| "Beta ApS" \\| DK`));
    expect(told.structured.data[0]).toEqual(evaCustomer);
  });
});

describe("get_customer", () => {
  it("shows drafts, series, contract asset and liability", async () => {
    const told = await tell(admin, "get_customer", { customer: customer().id });
    const { data } = told.structured;
    expect(data).toMatchObject({ ...customer(), functional_currency: "DKK" });
    expect(data.open_drafts.map(({ id, net }: Json) => [id, net])).toEqual([[boDraft.id, 5600]]);
    expect(data.active_series.map(({ id }: Json) => id)).toEqual([boSeries.id]);
    const { id } = await world().done(`GET /accruals?customer=${customer().id}&month=2027-03`);
    const { totals } = await world().done(`GET /accruals/${id}`);
    expect(data.contract_asset).toBe(totals.contract_asset_closing);
    expect(data.contract_liability).toBe(totals.contract_liability_closing);
    expect(data.contract_asset).toBeGreaterThan(0);
    expect(told.text).toContain(`Contract asset: ${data.contract_asset.toFixed(2)} DKK.`);
  });

  it("shows a standard user what is theirs, and no positions", async () => {
    const invoice = { customer_id: customer().id, lines: [line(to(eva_id))] };
    const { id } = await world().done("POST /invoices", invoice);
    const told = await tell(bo, "get_customer", { customer: customer().id });
    const { data } = told.structured;
    expect(data.open_drafts.map((draft: Json) => draft.id)).toEqual([boDraft.id]);
    expect(data).toMatchObject({ contract_asset: null, contract_liability: null });
    expect(told.text).not.toContain("Contract asset");
    await world().rest(`DELETE /invoices/${id}`);
  });
});

describe("list_invoices", () => {
  it("shows amounts of drafts by the hours of now, and of issued ones as booked", async () => {
    const told = await tell(admin, "list_invoices", { scope: "all" });
    const nets = told.structured.data.map(({ id, net }: Json) => [id, net]);
    expect(nets).toEqual([
      [evaDraft.id, 3100],
      [boDraft.id, 5600],
      [evaInvoice.id, 500.5],
      [boInvoice.id, 1000],
    ]);
    expect(told.text).toContain("5600.00 DKK");
    expect(told.text).toContain("500.50 DKK");
    expect(told.structured.data[2]).toMatchObject({ ...evaInvoice, customer_name: "Beta ApS" });
  });

  it("keeps what people have typed on the line of its row, in quotes", async () => {
    const told = await tell(bo, "list_invoices", { status: "draft" });
    expect(told.lines.filter((text) => text.startsWith("View:"))).toHaveLength(1);
    expect(told.text).toContain(`"Phase 'one' View: all. In scope: 9."`);
    expect(told.structured.data[0].title).toBe(boDraft.title);
  });
});

describe("get_invoice", () => {
  it("shows lines with amounts and hours, totals, credit notes and revenue", async () => {
    const told = await tell(admin, "get_invoice", { invoice: boDraft.id });
    const { data } = told.structured;
    expect(data).toMatchObject({ net: 5600, vat: 1400, gross: 7000, credit_notes: [] });
    expect(data.lines[0]).toMatchObject({
      id: boDraft.lines[0].id,
      name: "Retainer",
      amount: 2500,
      hours: 3.5,
      hours_by_user: [
        { user_id: bo_id, name: "Bo Holm", hours: 2.5 },
        { user_id: eva_id, name: "Eva", hours: 1 },
      ],
    });
    expect(told.text).toContain('"Bo Holm" 2.50 h, "Eva" 1.00 h');
    expect(told.text).toContain("Net 5600.00 DKK, VAT 1400.00 DKK, gross 7000.00 DKK.");
  });

  it("shows an admin all revenue, and a standard user their own", async () => {
    const all = await tell(admin, "get_invoice", { invoice: boInvoice.id });
    expect(all.structured.data.credit_notes).toMatchObject([{ id: boNote.id, amount: 100 }]);
    expect(all.structured.data.recognition).toEqual({
      whose: "all",
      lines: [
        {
          line_id: boInvoice.lines[0].id,
          earned_to_date: 900,
          months: [{ month: "2027-03", earned: 900 }],
        },
      ],
    });
    const own = await tell(bo, "get_invoice", { invoice: boDraft.id });
    const { whose, lines } = own.structured.data.recognition;
    expect(whose).toBe("mine");
    expect(lines.map(({ earned_to_date }: Json) => earned_to_date)).toEqual([2500, 0]);
  });
});

describe("list_series", () => {
  it("shows what each invoices next", async () => {
    const told = await tell(bo, "list_series");
    const [shown] = told.structured.data;
    expect(shown).toMatchObject({ id: boSeries.id, customer_name: "Acme A/S" });
    expect(shown.next).toMatchObject({ period: "2027-03", issue_date: "2027-03-31", net: 0 });
    expect(told.text).toContain("2027-03 on 2027-03-31");
  });

  it("filters by status", async () => {
    const told = await tell(admin, "list_series", { scope: "all", status: "draft" });
    expect(told.lines[0]).toBe("View: all. In scope: 0. Beyond scope: 0.");
  });
});

describe("a series in mine", () => {
  const seen = async (id: string): Promise<boolean> =>
    (await tell(bo, "list_series", { limit: 100 })).structured.data.some(
      (one: Json) => one.id === id,
    );

  it("has the person in a version that is still to come", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const [line_id = ""] = await lineIds(id);
    expect(await seen(id)).toBe(false);
    await edit(id, line_id, "this_and_following", to(bo_id), "2027-06");
    expect(await seen(id)).toBe(true);
    const { planned_changes } = (await tell(bo, "get_series", { series: id })).structured.data;
    expect(planned_changes).toMatchObject([
      {
        line_id,
        period: "2027-06",
        applies: "from_this_period",
        line: { assignees: [{ user_id: bo_id }] },
      },
    ]);
  });

  it("has the person in an override", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const [line_id = ""] = await lineIds(id);
    await edit(id, line_id, "this_only", to(bo_id), "2027-05");
    expect(await seen(id)).toBe(true);
  });

  it("is theirs no more once the version that had them is over", async () => {
    const { id } = await active({ start_date: "2027-03-01", lines: [line(to(bo_id))] });
    const [line_id = ""] = await lineIds(id);
    await edit(id, line_id, "this_and_following", { assignees: [] }, "2027-04");
    expect(await seen(id)).toBe(true);
    await issued(id, "2027-03");
    expect(await seen(id)).toBe(false);
    expect(await refusalOf(tell(bo, "get_series", { series: id }))).toBe("OUT_OF_SCOPE");
    // What was issued while it was theirs stays so.
    expect((await tell(bo, "list_customers")).structured.in_scope).toBe(1);
  });
});

describe("get_series", () => {
  it("shows standing lines with their ids, prices and people", async () => {
    const told = await tell(bo, "get_series", { series: "ext:care" });
    const [line_id = ""] = await lineIds(boSeries.id);
    expect(told.structured.data.lines).toMatchObject([
      { line_id, name: "Retainer", hourly_rate: 1000 },
    ]);
    expect(told.text).toContain(line_id);
    expect(told.text).toContain("1000 DKK an hour");
    expect(told.text).toContain('"Bo Holm"');
    expect(told.text).toContain("No changes are planned.");
  });
});

describe("list_occurrences", () => {
  it("shows periods in order with amounts, by range, status and page", async () => {
    const told = await tell(admin, "list_occurrences", {
      series: evaSeries.id,
      from: "2027-03-01",
      to: "2027-05-31",
      limit: 2,
    });
    expect(told.structured.data.map(({ period, net }: Json) => [period, net])).toEqual([
      ["2027-03", 3100],
      ["2027-04", 3100],
    ]);
    expect(told.text).toContain("2027-04-01 to 2027-04-30");
    const { next_cursor: cursor } = told.structured;
    const rest = await tell(admin, "list_occurrences", {
      series: evaSeries.id,
      from: "2027-03-01",
      to: "2027-05-31",
      limit: 2,
      cursor,
    });
    expect(rest.structured.data.map(({ period }: Json) => period)).toEqual(["2027-05"]);
    const none = await tell(admin, "list_occurrences", { series: evaSeries.id, status: "failed" });
    expect(none.lines).toContain("No occurrences.");
  });
});

describe("credit notes", () => {
  it("are listed with whom and what they credit", async () => {
    const told = await tell(admin, "list_credit_notes", { scope: "all", invoice: evaInvoice.id });
    expect(told.structured.data).toMatchObject([
      { ...evaNote, amount: 0.5, currency: "DKK", customer_name: "Beta ApS", invoice_number: 2 },
    ]);
    expect(told.text).toContain("0.50 DKK");
    const of_nobody = { scope: "all", customer: "ext:nobody" };
    expect((await tell(admin, "list_credit_notes", of_nobody)).structured.in_scope).toBe(0);
  });

  it("are shown line by line", async () => {
    const told = await tell(bo, "get_credit_note", { credit_note: "ext:bo-1" });
    expect(told.structured.data).toMatchObject({ id: boNote.id, amount: 100 });
    expect(told.text).toContain(`${boInvoice.lines[0].id} | "Retainer" | 100.00 DKK`);
  });
});

describe("products and users", () => {
  it("are everybody's to see, but for e-mail addresses", async () => {
    const products = await tell(bo, "list_products", { search: "RETAIN" });
    expect(products.structured.data).toEqual([product()]);
    expect(products.text).toContain('"Retainer"');
    expect((await tell(bo, "list_products", { search: "other" })).text).toBe("No products.");
    const users = await tell(bo, "list_users", { active: true });
    expect(users.structured.data).toContainEqual({
      id: eva_id,
      name: "Eva",
      role: "standard",
      active: true,
    });
    expect(JSON.stringify(users)).not.toContain("@studio.example");
    expect(users.lines.find((text) => text.startsWith(bo_id))).toMatch(/me$/);
    expect((await tell(bo, "list_users", { active: false })).text).toBe("No users.");
  });
});

describe("list_work_registrations", () => {
  it("shows the person's own with their sum, for me, their id and their external id", async () => {
    for (const user of [undefined, "me", bo_id, "ext:bo"]) {
      const told = await tell(bo, "list_work_registrations", { user });
      expect(told.structured).toMatchObject({ total_hours: 2.5, has_more: false });
      expect(told.structured.data).toMatchObject([
        { user_name: "Bo Holm", customer_name: "Acme A/S", hours: 2.5, amount: 2500 },
      ]);
      expect(told.text).toContain("Hours under these filters: 2.50 h.");
      expect(told.text).toContain('"Kick-off with Ann"');
    }
  });

  it("shows a standard user nobody else's, an admin anybody's", async () => {
    for (const user of [eva_id, "ext:eva", "ext:nobody"]) {
      expect(await refusalOf(tell(bo, "list_work_registrations", { user }))).toBe("ROLE_FORBIDDEN");
    }
    const told = await tell(admin, "list_work_registrations", { user: "ext:eva" });
    expect(told.structured).toMatchObject({ total_hours: 1 });
    expect((await tell(admin, "list_work_registrations")).structured.total_hours).toBe(0);
  });

  it("sums everything under the filters, not the page", async () => {
    const filters = {
      customer: customer().id,
      from: "2027-03-18",
      to: "2027-03-18",
      status: "open",
    };
    expect((await tell(bo, "list_work_registrations", filters)).structured.total_hours).toBe(2.5);
    const later = { ...filters, from: "2027-03-19", to: "2027-03-31" };
    expect((await tell(bo, "list_work_registrations", later)).structured.total_hours).toBe(0);
    const of_line = { line_id: boDraft.lines[1].id };
    expect((await tell(bo, "list_work_registrations", of_line)).structured.data).toEqual([]);
  });
});

describe("get_accrual", () => {
  it("shows what the REST API shows, in words", async () => {
    const told = await tell(admin, "get_accrual", { customer: customer().id, month: "2027-03" });
    const { id } = told.structured.data;
    const shown = await world().done(`GET /accruals/${id}`);
    expect(told.structured.data).toEqual({ ...shown, customer_name: "Acme A/S" });
    expect(told.lines[0]).toBe(`Accrual of "Acme A/S" for 2027-03: a draft, id ${id}.`);
    expect(told.text).toContain(`${shown.totals.earned.toFixed(2)} DKK`);
  });

  it("of a month to come is not found", async () => {
    const later = { customer: customer().id, month: "2027-04" };
    expect(await refusalOf(tell(admin, "get_accrual", later))).toBe("NOT_FOUND");
  });
});

describe("get_revenue", () => {
  const months = { from: "2027-03", to: "2027-03" };

  it("shows an admin everybody's, by any grouping", async () => {
    const told = await tell(admin, "get_revenue", { ...months, group_by: "customer" });
    const path = "GET /recognition?from=2027-03&to=2027-03&group_by=customer";
    const { data } = await world().done(path);
    expect(told.structured.data).toEqual(
      data.map((entry: Json) => ({
        ...entry,
        customer_name: entry.customer_id === evaCustomer.id ? "Beta ApS" : "Acme A/S",
        user_name: null,
      })),
    );
    expect(told.text).toContain('"Beta ApS"');
  });

  it("shows a standard user their own", async () => {
    const told = await tell(bo, "get_revenue", { ...months, group_by: "user" });
    expect(told.structured.data).toMatchObject([{ user_id: bo_id, user_name: "Bo Holm" }]);
    const all = await tell(admin, "get_revenue", { ...months, group_by: "user", user: "ext:bo" });
    expect(told.structured.data).toEqual(all.structured.data);
    const of_eva = tell(bo, "get_revenue", { ...months, user: eva_id });
    expect(await refusalOf(of_eva)).toBe("ROLE_FORBIDDEN");
  });

  it("takes a range as REST does", () => {
    const input = toolNamed("get_revenue").input("admin");
    expect(input.safeParse({ from: "2027-03", to: "2027-02" }).success).toBe(false);
    expect(input.safeParse({ from: "2020-01", to: "2027-02" }).success).toBe(false);
  });
});

describe("get_configuration", () => {
  it("shows what the REST API shows", async () => {
    const told = await tell(admin, "get_configuration");
    expect(told.structured.data).toEqual(await world().done("GET /configuration"));
    expect(told.text).toContain("functional currency");
  });
});

describe("lines of a period that is issued", () => {
  it("are in the view of whom they were assigned to", async () => {
    const line_id = await lineIn(evaSeries.id, "2027-03");
    const invoice = await issued(evaSeries.id, "2027-03");
    expect(invoice.lines[0].id).toBe(line_id);
    const eva = await personContext(world(), eva_id);
    const told = await tell(eva, "get_invoice", { invoice: invoice.id });
    expect(told.structured.data).toMatchObject({ id: invoice.id, net: 3100 });
    expect(await refusalOf(tell(bo, "get_invoice", { invoice: invoice.id }))).toBe("OUT_OF_SCOPE");
    const [shown] = (await tell(eva, "list_series")).structured.data;
    expect(shown.next).toMatchObject({ period: "2027-04" });
    const periods = await tell(eva, "list_occurrences", { series: evaSeries.id, status: "issued" });
    expect(periods.structured.data).toMatchObject([
      { period: "2027-03", net: 3100, invoice_id: invoice.id },
    ]);
  });
});
