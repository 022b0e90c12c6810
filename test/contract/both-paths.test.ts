/**
 * Reads of stored resources answer random requests with the same bytes on both paths: in one statement with the look-up of the
 * caller, and in the ordinary way. Requests that are refused get the same refusal. FUZZ_RUNS and FUZZ_SEED make it longer or other;
 * a failure shows the seed and the smallest request found.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import { MCP_PATH } from "../../src/assistant/protocol/endpoint.ts";
import { routes } from "../../src/routes.ts";
import { type ExactReply, exactReply } from "../support/http/exact-reply.ts";
import { operations } from "../support/http/openapi.ts";
import { UNKNOWN_ID } from "../support/http/target.ts";
import { type Agent, agentOf, MCP_HEADERS } from "../support/mcp/mcp.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? 120);
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_310);
const LIMIT_MS = 30_000 + 100 * RUNS;

const reads = routes.filter(({ read }) => read !== undefined);
const lists = reads.filter(({ path }) => !path.includes(":")).map(({ path }) => path);

const world = useWorld();
const customer = world.made("POST /customers", { name: "Æble & Søn 🍏", external_id: "acme" });
const product = world.made("POST /products", { name: "Work", external_id: "p", default_price: 9 });
let admin: Agent;
let standard: Agent;
/** Ids of each list, in this account and in another one. */
let ids: readonly string[];
let cursors: readonly string[];
/** Cursors of the tool, among drafts and among issued invoices. */
let tool_cursors: readonly string[];
let asked: MockInstance;

beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
  standard = await agentOf(world, { role: "standard" });
  await sell(world.account.keys.read_write, customer.id, product.id);
  const other = (await world.openAnother()).keys;
  const foreign = await world.done("POST /customers", { name: "Foreign" }, other.read_write);
  const sold = await world.done("POST /products", { name: "Work" }, other.read_write);
  await sell(other.read_write, foreign.id, sold.id);
  const found: string[] = [];
  for (const list of lists) {
    for (const key of [world.account.keys.read, other.read]) {
      const all = list === "/invoices" ? "&origin=all" : "";
      const { data } = await world.done(`GET ${list}?limit=100${all}`, undefined, key);
      expect(data.length, list).toBeGreaterThan(0);
      found.push(...data.map(({ id }: Json) => id));
    }
  }
  ids = found;
  cursors = (await Promise.all(lists.map(cursorsOf))).flat();
  const pages = [1, 2, 8, 12].map((limit) => admin.done("list_invoices", { scope: "all", limit }));
  tool_cursors = (await Promise.all(pages)).map(({ next_cursor }) => next_cursor);
  asked = vi.spyOn(pg.Client.prototype, "query");
}, 120_000);
afterAll(() => {
  asked?.mockRestore();
});

/** One of everything that is listed, or some, with titles that JSON has to escape. */
async function sell(key: string, customer_id: string, product_id: string): Promise<void> {
  const post = (path: string, body: Json = {}) => world.done(`POST ${path}`, body, key);
  const line = { product_id, recognition_method: "value", agreed_value: 12.5 };
  const invoice = { customer_id, auto_send: false, lines: [line] };
  await post("/users", { name: "Ada", email: `ada-${customer_id}@x.example`, external_id: "ada" });
  for (const name of ["Søren", "søster", "Inactive 1", "Inactive 2"]) {
    const { id } = await post("/customers", { name, external_id: name });
    if (name.startsWith("I")) await post(`/customers/${id}/deactivate`);
    await post("/products", { name, external_id: name, default_price: 1 });
    await post("/bank-accounts", { name, external_id: name, ledger_account: 6485 });
  }
  for (let at = 0; at < 12; at += 1) {
    const title = `A "title",\n${at} with 日本 and \\ in it`;
    const { id, lines } = await post("/invoices", { ...invoice, title, external_id: `i-${at}` });
    if (at % 3 === 0) continue;
    await post(`/invoices/${id}/issue`);
    if (at % 3 === 1) continue;
    await post("/credit-notes", {
      external_id: `n-${at}`,
      invoice: id,
      kind: "partial",
      credit_date: "2026-03-10",
      lines: [{ invoice_line_id: lines[0].id, amount: 1 }],
    });
  }
  for (const external_id of ["pay-1", "pay-2", "pay-3"]) {
    const kept = { date: "2026-03-10", amount: 5, customer: customer_id };
    await post("/payments", { ...kept, external_id, remainder: "customer_credit" });
  }
  await post("/opening-items", {
    external_id: "late",
    number: "late",
    date: "2026-02-01",
    customer: "ext:Søren",
    due_date: "2026-02-01",
    amount: 5,
    counter_account: 6950,
  });
  for (const external_id of ["o-1", "o-2", "o-3"]) {
    await post("/opening-contracts", {
      external_id,
      customer: external_id === "o-1" ? "ext:Søren" : customer_id,
      product: product_id,
      invoiced: 120,
      earned: 20,
      service_to: "2026-12-31",
      cutover: "2026-01-31",
      counter_account: 6950,
    });
  }
  await post("/opening-contracts/ext:o-2/end", { date: "2026-01-31", reason: "wrong" });
  for (const day of ["2026-02-10", "2026-02-20", "2026-03-05"]) {
    const { rows } = await post("/reminder-runs/preview", { date: day, customer: "ext:Søren" });
    const [{ currency, agreed }] = rows;
    const row = { customer: "ext:Søren", currency, agreed };
    await post("/reminder-runs", { date: day, rows: [row] });
  }
  for (const external_id of ["s-1", "s-2", "s-3", "s-4"]) {
    const monthly = { ...invoice, external_id, frequency: "monthly", start_date: "2026-02-01" };
    const { id } = await post("/recurring-series", monthly);
    if (external_id === "s-1") continue;
    await post(`/recurring-series/${id}/activate`);
    await post(`/recurring-series/${id}/occurrences/2026-02/issue`);
  }
}

/** The cursors of a list with pages of two rows, and of polls. */
async function cursorsOf(list: string): Promise<string[]> {
  const found: string[] = [];
  for (const start of ["limit=2", `limit=2&updated_since=${encodeURIComponent(LONG_AGO)}`]) {
    const { next_cursor } = await world.done(`GET ${list}?${start}`);
    if (next_cursor !== null) found.push(next_cursor);
  }
  return found;
}

const LONG_AGO = "2020-01-01T00:00:00Z";
/** Values of a parameter by its name: those that are valid for most lists, and those that are not. */
interface Values {
  readonly valid: readonly Json[];
  readonly others: readonly Json[];
}

function valuesOf(name: string): Values {
  const days = { valid: ["2026-03-10", "2020-01-01"], others: ["2026-03", "2026-02-30", "x", ""] };
  const known: Readonly<Record<string, Values>> = {
    limit: { valid: [10, 20, 25, 50, 100, 1, 2, 3], others: [0, 101, -1, 1.5, "x", ""] },
    tool_cursor: { valid: tool_cursors, others: ["strange", "", ...cursors.slice(0, 1), "M3wx"] },
    cursor: { valid: cursors, others: ["strange", "", `${cursors[0]}=`, "MXwx", "💥"] },
    external_id: {
      valid: ["acme", "p", "ada", "i-3", "i-4", "n-2", "s-1", "o-1", "none", "a'b"],
      others: [""],
    },
    customer: {
      valid: [customer.id, customer.id, "ext:acme", customer.id.toUpperCase(), ...ids],
      others: [UNKNOWN_ID, "ext:none", "x", "", "ext:"],
    },
    invoice: { valid: ["ext:i-2", ...ids], others: [UNKNOWN_ID, "ext:none", "x", "", "ext:"] },
    status: {
      valid: ["draft", "issued", "booked", "reversed", "running", "ended"],
      others: ["active", "gone", ""],
    },
    origin: { valid: ["one_time", "series", "all"], others: ["none", ""] },
    delivery_state: { valid: ["none", "none,accepted"], others: ["lost", "none,", ""] },
    payment_state: { valid: ["open", "paid", "partly_paid"], others: ["late", ""] },
    overdue: { valid: ["true", "false"], others: ["maybe", ""] },
    number: { valid: [1, 2, 999], others: [0, "x"] },
    issued_from: days,
    issued_to: days,
    from: days,
    to: days,
    updated_since: {
      valid: [LONG_AGO, "2026-03-10T09:00:00Z", "2199-01-01T00:00:00Z"],
      others: ["2026-03-10", "x", ""],
    },
    search: { valid: ["s", "SØ", "title", "%", "日本", "acme"], others: [""] },
    include: {
      valid: ["customer", "totals", "totals,customer", "payment"],
      others: ["series", "lines", ""],
    },
    active: { valid: ["true", "false", "all"], others: ["x", ""] },
    kind: { valid: ["payment", "refund"], others: ["cheque", ""] },
    bank_account: { valid: ["ext:Søren", ...ids], others: [UNKNOWN_ID, "ext:none", "x", ""] },
    role: { valid: ["admin", "standard"], others: ["owner", ""] },
    scope: { valid: ["all", "all", "mine"], others: ["none", 1] },
  };
  return known[name] ?? { valid: [], others: ["name", "-id"] };
}

type Parameters = readonly (readonly [name: string, value: Json])[];

/** Some of the parameters; few requests have an invalid value, a parameter twice, or one that does not exist. */
function someOf(names: readonly string[]): fc.Arbitrary<Parameters> {
  const each = [...names, ...names.slice(0, 1), "sort"].map((name, at) => {
    const { valid, others } = valuesOf(name);
    const is_usual = at < names.length;
    return fc
      .oneof(
        { weight: is_usual ? 60 : 88, arbitrary: fc.constant([]) },
        { weight: is_usual ? 38 : 8, arbitrary: fc.constantFrom(...valid, ...others.slice(0, 1)) },
        { weight: is_usual ? 2 : 4, arbitrary: fc.constantFrom(...others) },
      )
      .map((value) =>
        Array.isArray(value) ? [] : [[name.replace("tool_cursor", "cursor"), value] as const],
      );
  });
  return fc.tuple(...each).map((found) => found.flat());
}

/** A request for a list with parameters, or for one resource. */
function requestFor(operation: string): fc.Arbitrary<string> {
  const found = operations.find(({ operationId }) => operationId === operation);
  if (found === undefined) throw new Error(`there is no operation ${operation}`);
  const { path, parameters } = found;
  if (!path.includes("{")) {
    const names = parameters.map(({ name }) => name);
    return someOf(names).map((all) => `${path}?${new URLSearchParams(all as [string, string][])}`);
  }
  const external = ["acme", "p", "ada", "i-3", "n-2", "s-2", "o-2", "none", "", "%00", "a%2Fb"];
  const strange = [UNKNOWN_ID, "x", "%00", "💥", "me", `${UNKNOWN_ID}0`, "ext", "ids?limit=1"];
  return fc
    .constantFrom(...ids, ...external.map((name) => `ext:${name}`), ...strange)
    .map((ref) => path.replace(/{\w+}/, ref));
}

/** The reply of a request, and how many statements it took. */
async function counted(reply: () => Promise<ExactReply>): Promise<[ExactReply, number]> {
  asked.mockClear();
  const { text, ...others } = await reply();
  return [{ ...others, text: withoutHorizon(text) }, asked.mock.calls.length];
}

/** The text without the moment of a poll, which its cursor has and which differs between two requests. */
function withoutHorizon(text: string): string {
  return text.replace(/"next_cursor":"([\w-]+)"/, (_, cursor) => {
    const [form, id] = Buffer.from(cursor, "base64url").toString().split("|");
    return `"next_cursor":"${form === "1" ? `${form}|${id}` : cursor}"`;
  });
}

/** Sends requests on both paths and compares the replies; returns the requests that one statement answered. */
async function compare<Request>(
  requests: fc.Arbitrary<Request>,
  runs: number,
  send: (request: Request, is_ordinary: boolean) => Promise<ExactReply>,
): Promise<[Request, ExactReply][]> {
  const in_one: [Request, ExactReply][] = [];
  const compared = fc.asyncProperty(requests, async (request) => {
    const [fast, statements] = await counted(() => send(request, false));
    const [ordinary, more] = await counted(() => send(request, true));
    expect(fast).toEqual(ordinary);
    expect(fast.status).toBeLessThan(500);
    if (statements === 1 && more > 1) in_one.push([request, fast]);
  });
  await fc.assert(compared, { numRuns: runs, seed: SEED });
  return in_one;
}

describe("random requests on both paths", () => {
  it("concern twenty routes and one tool", () => {
    expect(reads.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      lists
        .flatMap((list) => [`GET ${list}`, `GET ${list}/:${list === "/reminders" ? "id" : "ref"}`])
        .sort(),
    );
    expect(reads).toHaveLength(20);
    const of_tools = tools.filter(({ read }) => read !== undefined);
    expect(of_tools.map(({ name }) => name)).toEqual(["list_invoices"]);
  });

  it.each(reads.map(({ operation }) => operation))(
    "%s answers the same",
    async (operation) => {
      const { read, read_write } = world.account.keys;
      // A request with a content length of 0 takes the ordinary path.
      const in_one = await compare(
        fc.tuple(requestFor(operation), fc.constantFrom(read, read_write)),
        RUNS,
        ([path, key], is_ordinary) =>
          exactReply(
            `${world.origin}/api/v1${path}`,
            key,
            is_ordinary ? { "content-length": "0" } : {},
          ),
      );
      expect(in_one.filter(([, { status }]) => status === 200)).not.toHaveLength(0);
    },
    LIMIT_MS,
  );

  it(
    "list_invoices answers the same",
    async () => {
      const names = "scope origin status customer from to delivery_state search limit".split(" ");
      const any = fc.tuple(someOf([...names, "tool_cursor"]), fc.boolean());
      // Few of those need one statement alone, and a statement of a background task may count as one of theirs.
      const plain = fc.tuple(
        someOf(["origin", "limit", "tool_cursor"]).map(
          (all): Parameters => [["scope", "all"], ...all],
        ),
        fc.constant(true),
      );
      const in_one = await compare(
        fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: plain }),
        RUNS,
        ([all, is_admin], is_ordinary) => {
          const params = { name: "list_invoices", arguments: Object.fromEntries(all) };
          // An empty `_meta` has no meaning, but the official server answers a message that has one.
          const sent = is_ordinary ? { ...params, _meta: {} } : params;
          const body = JSON.stringify({
            jsonrpc: "2.0",
            id: 7,
            method: "tools/call",
            params: sent,
          });
          const { token } = is_admin ? admin : standard;
          return exactReply(world.origin + MCP_PATH, token, MCP_HEADERS, body);
        },
      );
      const answered = in_one.filter(([, { text }]) => text.includes('"in_scope":'));
      expect(answered).not.toHaveLength(0);
      expect(
        answered.filter(([[all]]) => all.some(([name]) => name === "cursor")),
      ).not.toHaveLength(0);
    },
    LIMIT_MS,
  );
});
