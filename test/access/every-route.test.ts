/**
 * Who may call what, over every route (spec 11.4 and 11.6). The routes are read from src/routes.ts: a new one is tested
 * automatically, or fails here until account A has something that it could show to the wrong caller.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedAccount, operatorContext } from "../../src/features/access/accounts/create.ts";
import { makeKey } from "../../src/features/access/api-keys/key.ts";
import { mintKey, revokeKey } from "../../src/features/access/api-keys/mint.ts";
import { transact } from "../../src/platform/commands/tx.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { newId } from "../../src/platform/runtime/id.ts";
import { routes } from "../../src/routes.ts";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { sendBankFile } from "../support/bank/send-file.ts";
import { png } from "../support/documents/pictures.ts";
import { fieldName, fieldsOf, operations, smallestOf, withField } from "../support/http/openapi.ts";
import { callPlainly, type PlainReply } from "../support/http/plain-call.ts";
import type { Json } from "../support/world/world.ts";
import { useWorld } from "../support/world/world.ts";

/** Values that only account A has: a text in its resources, a rate, an amount, a time. No other caller may see one. */
const MARKS = ["Matchless", "7.654321", "76.54", "7654.32", "2031-07-06T05:04:03"];
/** Routes that show sums and counts, and no text from a person. */
const FIGURES_ALONE = new Set([
  "/allocations",
  "/open-items",
  "/receivables/summary",
  "/ledger/vat-report",
  "/ledger/verification",
  "/ledger/connection",
  "/einvoice/connection",
  "/einvoice/receivers",
  "/ledger/queue",
  "/key",
  "/requests",
]);
/** Routes that answer every account the same, with ids of examples. */
const SAME_FOR_ALL = new Set(["/event-types", "/exports"]);
/** Routes that read an external accounting system: neither account is connected to one. */
const OF_A_CONNECTION = new Set(["/ledger/reconciliation"]);
/** Routes below a document that answer about an issued one only. */
const OF_ISSUED = new Set(["/invoices/:ref/payment"]);
const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

/** For each name of a path parameter, values that no account has. `ref` is given as a UUID and as `ext:`. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  ref: [UNKNOWN_ID, "ext:unknown"],
  number: ["99999"],
  id: [UNKNOWN_ID],
  month: ["1999-01"],
};

/** The path of the list of a resource, where it is not the part of the path before its parameter. */
const LISTS: Readonly<Record<string, string>> = {
  "/accruals": "/customers/ext:matchless-customer/accruals",
  "/statements": "/customers/ext:matchless-customer/statements",
  "/webhook-deliveries": "/webhook-endpoints/ext:matchless-endpoint/deliveries",
  "/opening-items": "/open-items?kind=opening",
};

/** Required parameters of GET routes, with values that would show data of account A. */
const ASKED: Readonly<Record<string, string>> = {
  customer: "ext:matchless-customer",
  address: "0088:5798009811578",
  month: "2031-06",
  from: "2031-06",
  to: "2031-06",
  q: "matchless",
};

/** Fields of a body whose resource is absent in the same way as one of a path (spec 0.2). */
const ABSENT_IN_BODY: readonly string[] = ["line_id"];

/** Values that no resource has within it. */
const ABSENT_WITHIN: Readonly<Record<string, string>> = { period: "1999-01", line_id: UNKNOWN_ID };

let a: OpenedAccount;
let b: OpenedAccount;
/** A resource of each kind that bodies refer to, of A and of B. */
let referred: Readonly<Record<string, { readonly others: string; readonly own: string }>>;
/** A line of A with earned revenue. */
let earning_line: string;
/** For account A and for account B, the value of each path parameter; that of `ref` by the list. */
let within_a: Readonly<Record<string, string>>;
let within_b: Readonly<Record<string, string>>;
let dead_keys: Readonly<Record<string, string | null>>;

const world = useWorld();
beforeAll(async () => {
  a = await world.openAnother({ sandbox: true });
  b = await world.openAnother({ sandbox: true });
  await world.done("PUT /test-clock", { now: "2031-07-06T05:04:03.000Z" }, a.keys.read_write);
  await world.done("PUT /test-clock", { now: "2031-07-05T00:00:00.000Z" }, b.keys.read_write);
  const others = await furnish(a, "Matchless");
  const own = await furnish(b, "Ordinary");
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.654321 }, a.keys.read_write);
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 }, b.keys.read_write);
  await world.done("PUT /reference-rates/2026-01-01", { rate: 76.54 }, a.keys.read_write);
  await world.done("PUT /reference-rates/2026-01-01", { rate: 1.75 }, b.keys.read_write);
  earning_line = others.earning_line;
  within_a = { period: "2031-07", line_id: others.series_line };
  within_b = {
    "/invoices": own.draft,
    "/recurring-series": own.series,
    "/work-registrations": own.work,
    period: "2031-07",
    line_id: own.series_line,
  };
  referred = {
    customer_id: { others: others.customer, own: own.customer },
    product_id: { others: others.product, own: own.product },
    user_id: { others: others.user, own: own.user },
    invoice_line_id: { others: others.issued_line, own: own.issued_line },
    invoice: { others: others.issued, own: own.issued },
    line_id: { others: others.worked_line, own: own.worked_line },
  };
  dead_keys = {
    "no key": null,
    "a key that was never made": makeKey(),
    "a key that was revoked": await deadKey("revoked"),
    "a key that has expired": await deadKey("expired"),
    "text that is no key": "nonsense",
  };
});

const each = (applies: (route: Route) => boolean) =>
  routes.filter(applies).map((route) => [nameOf(route), route] as const);

describe("without a valid key, every route answers 401 before it reads anything else", () => {
  it.each(each(() => true))("%s", async (_name, route) => {
    const texts = new Set<string>();
    for (const [what, key] of Object.entries(dead_keys)) {
      const reply = await call(route.method, unreadable(route), key, broken(route));
      expect(reply.status, what).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
      texts.add(reply.text);
    }
    expect([...texts]).toEqual([
      '{"error":{"code":"UNAUTHORIZED","message":"A valid API key is required."}}',
    ]);
  });
});

describe("with a read key, a route that writes answers 403 before it reads path and body", () => {
  it.each(each((route) => route.access !== "read"))("%s", async (_name, route) => {
    const reply = await call(route.method, unreadable(route), a.keys.read, broken(route));
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.text).error.code).toBe("INSUFFICIENT_SCOPE");
  });

  it("covers every route that changes data", () => {
    const lax = routes.filter((route) => route.method !== "GET" && route.access === "read");
    expect(lax.map(nameOf)).toEqual([]);
  });
});

describe("another account's resource is answered like an unknown one by", () => {
  let before: readonly string[];
  beforeAll(async () => {
    before = await everythingOfA();
  });
  afterAll(async () => {
    expect(await everythingOfA()).toEqual(before);
  });

  it.each(each(namesResource))("%s", async (_name, route) => {
    const body = smallestBody(route);
    const absent = await Promise.all(
      absentPaths(route).map((path) => call(route.method, path, b.keys.read_write, body)),
    );
    const [text = ""] = absent.map((reply) => reply.text);
    expect(JSON.parse(text).error.code).toBe("NOT_FOUND");
    expect(absent.filter((reply) => reply.status !== 404 || reply.text !== text)).toEqual([]);
    for (const path of await pathsOfA(route)) {
      const reply = await call(route.method, path, b.keys.read_write, body);
      expect([path, reply.status, reply.text]).toEqual([path, 404, text]);
      if (route.method !== "GET") continue;
      const { status } = await call("GET", path, a.keys.read);
      // Drafts have no e-invoice.
      expect(route.path.endsWith("/einvoice") && status === 409 ? 200 : status).toBe(200);
    }
  });

  it("the scheduler run of another account", async () => {
    const due = `/recurring-series/ext:Matchless-series/occurrences/2031-07`;
    expect((await call("GET", due, a.keys.read)).text).toContain('"scheduled"');

    const reply = await call("POST", "/scheduler-runs", b.keys.read_write);

    expect(reply.status).toBe(201);
    expect((await call("GET", due, a.keys.read)).text).toContain('"scheduled"');
  });
});

describe("an unknown part of one's own resource is 404 in", () => {
  it.each(each((route) => namesResource(route) && /:.*:/.test(route.path)))(
    "%s",
    async (_name, route) => {
      const [list = ""] = route.path.split("/:");
      const path = withParameters(route, within_b[list] ?? "", ABSENT_WITHIN) + queryOf(route);
      const reply = await call(route.method, path, b.keys.read_write, smallestBody(route));
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([404, "NOT_FOUND"]);
    },
  );
});

describe("an account sees only its own data in", () => {
  it.each(each(isReading))("%s", async (_name, route) => {
    const [to_a, to_b] = [
      await call("GET", `${route.path}${all(route)}`, a.keys.read),
      await call("GET", `${route.path}${all(route)}`, b.keys.read),
    ];
    if (SAME_FOR_ALL.has(route.path)) {
      expect([to_b.status, to_b.text]).toEqual([200, to_a.text]);
      return;
    }
    if (OF_A_CONNECTION.has(route.path)) {
      expect([to_a.status, to_b.status]).toEqual([409, 409]);
      return;
    }
    expect(to_a.status).toBe(200);
    if (!FIGURES_ALONE.has(route.path)) {
      expect(MARKS.some((mark) => to_a.text.includes(mark))).toBe(true);
    }
    // Account B has asked for resources of A, which its own requests name in their paths.
    const [of_a, of_b] = [to_a, to_b].map(({ text }) => text.replace(/"path":"[^"]*"/g, ""));
    for (const mark of [...MARKS, a.account_id]) expect(of_b).not.toContain(mark);
    const ids_of_a = new Set(of_a?.match(UUIDS));
    expect((of_b?.match(UUIDS) ?? []).filter((id) => ids_of_a.has(id))).toEqual([]);
  });
});

describe("a reference to another account's resource", () => {
  const referring = operations.flatMap((operation) =>
    fieldsOf(operation.body ?? {})
      .filter((field) => field.schema.format === "uuid" && field.path.at(-1) !== "bank_line")
      .map((field) => [`${operation.method} ${operation.path}`, field.path] as const),
  );

  it.each(["book", "preview"])(
    "that is a bank line to %s is the outcome NOT_FOUND, like an unknown one",
    async (verb) => {
      const [line] = JSON.parse((await call("GET", "/bank-lines", a.keys.read)).text).data;
      for (const bank_line of [line.id, UNKNOWN_ID]) {
        const body = JSON.stringify({ lines: [{ bank_line, ignore: "not ours" }] });
        const reply = await call("POST", `/bank-lines/${verb}`, b.keys.read_write, body);
        const [outcome] = JSON.parse(reply.text).outcomes;
        expect(outcome).toMatchObject({ state: "refused", code: "NOT_FOUND" });
      }
      const after = JSON.parse((await call("GET", `/bank-lines/${line.id}`, a.keys.read)).text);
      expect(after).toEqual(line);
    },
  );

  it.each(referring)("%s: %j is refused like an unknown one", async (name, path) => {
    const field = fieldName(path);
    const ids = referred[String(path.at(-1))];
    const body = bodyOfB(name);
    if (!ids || !body) throw new Error(`tell this test what ${field} of ${name} may refer to`);
    const [method = "", template = ""] = name.split(" ");
    const [list = ""] = template.split("/{");
    const target = template.replace(
      /\{(\w+)\}/g,
      (_, part) => within_b[part] ?? within_b[list] ?? "",
    );
    const send = (id: string) =>
      call(method, target, b.keys.read_write, JSON.stringify(withField(body, path, id)));

    const [foreign, absent, own] = [
      await send(ids.others),
      await send(UNKNOWN_ID),
      await send(ids.own),
    ];

    const is_absent = ABSENT_IN_BODY.includes(field);
    expect(foreign).toMatchObject({ status: is_absent ? 404 : 422, text: absent.text });
    if (!is_absent) {
      expect(JSON.parse(foreign.text).error.field_errors).toEqual([
        { field, code: "unknown_reference", message: expect.any(String) },
      ]);
    }
    expect(own.status).toBeLessThan(300);
  });

  it("in a filter finds nothing, like an unknown one", async () => {
    const customers = [referred.customer_id?.others, "ext:matchless-customer", UNKNOWN_ID];
    const invoices = [referred.invoice?.others, "ext:matchless-issued", UNKNOWN_ID];
    const calls = [
      ...["/invoices", "/credit-notes", "/recurring-series", "/work-registrations"].flatMap(
        (list) => customers.map((customer) => `${list}?customer=${customer}`),
      ),
      ...["/allocations", "/open-items", "/receivables", "/reminders"].flatMap((list) =>
        customers.map((customer) => `${list}?customer=${customer}`),
      ),
      ...["/allocations", "/credit-notes", "/work-registrations", "/reminders"].flatMap((list) =>
        invoices.map((invoice) => `${list}?invoice=${invoice}`),
      ),
      ...customers.flatMap((customer) => [
        `/recognition?from=2031-06&to=2031-07&customer=${customer}`,
        `/recognition/rollforward?from=2031-06&to=2031-07&customer=${customer}`,
      ]),
      ...invoices.map((invoice) => `/recognition?from=2031-06&to=2031-07&invoice=${invoice}`),
      `/recognition?from=2031-06&to=2031-07&user=${referred.user_id?.others}`,
      `/recognition?from=2031-06&to=2031-07&product=${referred.product_id?.others}&group_by=product`,
      `/work-registrations?user=${referred.user_id?.others}`,
      `/work-registrations?line=${referred.line_id?.others}`,
    ];
    for (const path of calls) {
      const reply = await call("GET", path, b.keys.read);
      expect(JSON.parse(reply.text)).toMatchObject({ data: [], has_more: false });
    }
  });

  it("is 404 for an invoice to credit, by its id and by its external id", async () => {
    for (const invoice of [referred.invoice?.others, "ext:matchless-issued", UNKNOWN_ID]) {
      const body = {
        external_id: "other-account",
        invoice,
        kind: "full",
        credit_date: "2031-07-06",
      };
      const sent = JSON.stringify(body);
      const reply = await call("POST", "/credit-notes", b.keys.read_write, sent);
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
});

const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The rows that a connection leaves: a customer that the ledger has refused, a booking that it holds, and a refused move. */
async function leaveAtLedger(account_id: string, word: string, customer_id: string) {
  const connection_id = newId();
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'builtin', '{}', 'none', '')`,
    [account_id, connection_id],
  );
  await world.sql(
    `insert into ledger_links (account_id, connection_id, kind, local_id, state, reason)
     values ($1, $2, 'customer', $3, 'failed', $4)`,
    [account_id, connection_id, customer_id, word],
  );
  await world.sql(
    `insert into intents (account_id, id, document_id, connection_id, kind, state, payload, payload_hash, actor_kind,
       actor_id, last_outcome, lease_until, next_attempt_at, settled_at)
     values ($1, $2, $3, $4, 'invoice', 'released', '{}', '', 'user', '1', $5, now(), now(), now())`,
    [account_id, newId(), newId(), connection_id, word],
  );
  await world.sql(
    `insert into ledger_moves (account_id, id, state, from_kind, to_kind, to_connection_id, begins_on, contract_asset,
       contract_liability, reason, requested_by, ended_at)
     values ($1, $2, 'refused', 'builtin', 'builtin', $3, '2031-06-01', 0, 0, $4, 'user:1', now())`,
    [account_id, newId(), connection_id, word],
  );
}

/** Reminds the customer of the opening item, which is a day late. */
async function remindOf(
  customer: string,
  done: (name: string, body?: Json) => Promise<Json>,
): Promise<void> {
  await done("PATCH /configuration", { reminders: { levels: [{ days_after_due: 1, fee: 76 }] } });
  const { rows } = await done("POST /reminder-runs/preview", { customer });
  const [{ currency, agreed }] = rows;
  const { outcomes } = await done("POST /reminder-runs", {
    rows: [{ customer, currency, agreed }],
  });
  expect(outcomes).toMatchObject([{ outcome: "issued" }]);
}

/** Creates one of each resource, each containing the word. Returns their ids. */
async function furnish(account: OpenedAccount, word: string) {
  const key = account.keys.read_write;
  const ext = word.toLowerCase();
  const done = (name: string, body?: Json): Promise<Json> => world.done(name, body, key);
  const account_number = word === "Matchless" ? 4711 : 4712;
  const fields = {
    name: word,
    external_id: `${ext}-customer`,
    email: `${ext}@acme.example`,
    ean_number: "5798009811578",
    att_person: word,
  };
  const customer = await done("POST /customers", fields);
  const product = await done("POST /products", {
    name: word,
    external_id: `${ext}-product`,
    account_number,
  });
  await done("POST /bank-accounts", {
    name: word,
    external_id: `${ext}-bank`,
    ledger_account: account_number + 2_100,
    iban: DANISH_IBAN,
  });
  await done("POST /opening-contracts", {
    external_id: `${ext}-opening`,
    customer: customer.id,
    product: product.id,
    invoiced: 100,
    earned: 50,
    service_from: "2031-08-01",
    service_to: "2031-12-31",
    cutover: "2030-12-31",
    counter_account: account_number + 2_100,
  });
  const picture = Buffer.concat([png(word.length, 4), Buffer.from(word)]).toString("base64");
  await done("PUT /configuration/logo", { content: picture });
  await done(`PATCH /ledger/accounts/${account_number}`, { name: word });
  await leaveAtLedger(account.account_id, word, customer.id);
  await done("POST /webhook-endpoints", {
    url: `https://${ext}.example/${word}`,
    external_id: `${ext}-endpoint`,
    event_types: ["customer.created"],
    headers: { "X-Word": word },
  });
  await done(`POST /webhook-endpoints/ext:${ext}-endpoint/replay`, { only: "all" });
  await world.sql("update webhook_deliveries set body = $2 where account_id = $1", [
    account.account_id,
    JSON.stringify({ text: word }),
  ]);
  const user = await done("POST /users", {
    name: word,
    email: `${ext}@studio.example`,
    external_id: `${ext}-user`,
  });
  await done("PATCH /configuration", { seller: { name: word, vat_number: "DK10150817" } });
  const invoice = {
    customer_id: customer.id,
    title: word,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }],
  };
  const issued = await done("POST /invoices", { ...invoice, external_id: `${ext}-issued` });
  await done(`POST /invoices/${issued.id}/issue`);
  const draft = await done("POST /invoices", { ...invoice, external_id: `${ext}-draft` });
  const worked = await done("POST /invoices", { ...invoice, external_id: `${ext}-worked` });
  const worked_line = worked.lines[0].id;
  const work = await done("POST /work-registrations", {
    line_id: worked_line,
    user_id: user.id,
    hours: 1,
    note: word,
    external_id: `${ext}-work`,
  });
  const issued_line = issued.lines[0].id;
  await done("POST /credit-notes", {
    external_id: `${word}-credit`,
    invoice: issued.id,
    kind: "partial",
    credit_date: "2031-07-06",
    lines: [{ invoice_line_id: issued_line, amount: 40 }],
  });
  await done("POST /payments", {
    external_id: `${word}-payment`,
    date: "2031-07-05",
    amount: 25,
    reference: word,
    allocations: [{ invoice: issued.id, amount: 20 }],
    remainder: "customer_credit",
  });
  await done("POST /opening-items", {
    external_id: `${word}-opening`,
    number: word,
    customer: customer.id,
    due_date: "2031-07-05",
    amount: 30,
    counter_account: 6950,
  });
  await done("POST /allocations", {
    external_id: `${word}-allocation`,
    payment: `ext:${word}-payment`,
    invoice: issued.id,
  });
  const series = (fields: object): Promise<Json> =>
    done("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      start_date: "2031-07-06",
      lines: [{ ...invoice.lines[0], agreed_value: word === "Matchless" ? 7654.32 : 100 }],
      ...fields,
    });
  const active = await series({ external_id: `${word}-series` });
  await done(`POST /recurring-series/${active.id}/activate`);
  const drafted = word === "Matchless" ? active : await series({});
  const { data } = await done(`GET /recurring-series/${drafted.id}/lines`);
  const earning = await done("POST /invoices", {
    ...invoice,
    external_id: `${ext}-earning`,
    lines: [
      {
        ...invoice.lines[0],
        agreed_value: word === "Matchless" ? 7654.32 : 1,
        service_from: "2031-06-01",
        service_to: "2031-06-30",
      },
    ],
  });
  const contract_asset = account_number + 2_000;
  const roles = { contract_asset, contract_liability: 8070, exchange_difference: 3610 };
  await done("PATCH /configuration", { account_roles: roles });
  // B closes no month: the month that A has closed is absent in B.
  if (word === "Matchless") await done("POST /period-closes", { month: "2031-06", lock: false });
  await done(`POST /customers/${customer.id}/statements`, {});
  if (word === "Matchless") await remindOf(customer.id, done);
  const balance = word === "Matchless" ? "7654.32" : "1.00";
  const entries = [{ amount: balance, day: "2031-06-02", text: word }];
  const file = camt({ closing: ["2031-06-30", balance], entries });
  expect((await sendBankFile(world, file, { key })).status).toBe(201);
  return {
    earning_line: earning.lines[0].id,
    customer: customer.id,
    product: product.id,
    user: user.id,
    draft: draft.id,
    issued: issued.id,
    issued_line,
    worked_line,
    work: work.id,
    series: drafted.id,
    series_line: data[0].line_id,
  };
}

/** A body of account B that refers only to its own resources, for a call with references. */
function bodyOfB(name: string): Json | undefined {
  const line = {
    product_id: referred.product_id?.own,
    recognition_method: "value",
    agreed_value: 1,
    assignees: [{ user_id: referred.user_id?.own, distribution_percentage: 100 }],
  };
  const invoice = { customer_id: referred.customer_id?.own, lines: [line] };
  const opening = {
    external_id: "brought by B",
    customer: referred.customer_id?.own,
    product: referred.product_id?.own,
    invoiced: 2,
    earned: 1,
    service_to: "2031-12-31",
    cutover: "2031-06-30",
    counter_account: 6950,
    assignees: line.assignees,
  };
  const bodies: Readonly<Record<string, Json>> = {
    "POST /opening-contracts": opening,
    "POST /opening-contracts/preview": { ...opening, external_id: "planned by B" },
    "POST /invoices": invoice,
    "PATCH /invoices/{ref}": invoice,
    "POST /credit-notes": {
      external_id: "of B",
      invoice: referred.invoice?.own,
      kind: "partial",
      credit_date: "2031-07-06",
      lines: [{ invoice_line_id: referred.invoice_line_id?.own, amount: 1 }],
    },
    "POST /credit-notes/preview": {
      external_id: "planned by B",
      invoice: referred.invoice?.own,
      kind: "partial",
      credit_date: "2031-07-06",
      lines: [{ invoice_line_id: referred.invoice_line_id?.own, amount: 1 }],
    },
    "POST /work-registrations": {
      line_id: referred.line_id?.own,
      user_id: referred.user_id?.own,
      hours: 1,
    },
    "PATCH /work-registrations/{ref}": {
      line_id: referred.line_id?.own,
      user_id: referred.user_id?.own,
    },
    "POST /recurring-series": { ...invoice, frequency: "monthly", start_date: "2031-07-06" },
    "PATCH /recurring-series/{ref}": { customer_id: invoice.customer_id },
    "POST /recurring-series/{ref}/lines": { scope: "all", line },
    "PATCH /recurring-series/{ref}/lines/{line_id}": { scope: "all", line },
  };
  return bodies[name];
}

async function deadKey(how: "revoked" | "expired"): Promise<string> {
  const cx = await operatorContext(world.services, a.account_id);
  const minted = await transact(cx, (tx) => mintKey(tx, { name: how, scope: "read_write" }));
  expect((await call("GET", "/customers", minted.key)).status).toBe(200);
  if (how === "revoked") await transact(cx, (tx) => revokeKey(tx, minted.id));
  else {
    await world.sql("update api_keys set expires_at = clock_timestamp() where id = $1", [
      minted.id,
    ]);
  }
  return minted.key;
}

function nameOf(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** Whether the path names a resource that may be absent. */
function namesResource(route: Route): boolean {
  return route.path.includes(":") && route.refuses.includes("NOT_FOUND");
}

/** The path with parameters that cannot be parsed. */
function unreadable(route: Route): string {
  return route.path.replace(/:\w+/g, "nonsense");
}

function broken(route: Route): string | undefined {
  return route.method === "GET" ? undefined : '{"broken';
}

/** The query for the largest page, where there are pages, and for the required parameters. */
function all(route: Route): string {
  const { parameters = [] } = operationOf(route) ?? {};
  const query = parameters.flatMap(({ name, required, schema }) => {
    if (name === "limit") return [`limit=${schema.maximum}`];
    if (!required) return [];
    return [`${name}=${name === "line_id" ? earning_line : ASKED[name]}`];
  });
  return query.length > 0 ? `?${query.join("&")}` : "";
}

function smallestBody(route: Route): string | undefined {
  const body = operationOf(route)?.body;
  return body === undefined ? undefined : JSON.stringify(smallestOf(body));
}

function operationOf(route: Route) {
  const path = route.path.replace(/:(\w+)/g, "{$1}");
  return operations.find((entry) => entry.path === path && entry.method === route.method);
}

function absentPaths(route: Route): string[] {
  const values = ABSENT[firstParameter(route)];
  if (!values) throw new Error(`tell this test an absent value of ${firstParameter(route)}`);
  return values.map((value) => withParameters(route, value, within_a) + queryOf(route));
}

function withLimit(path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}limit=100`;
}

/** The path with each of A's marked resources, by its id and by its external id. */
async function pathsOfA(route: Route): Promise<string[]> {
  const [list = ""] = route.path.split("/:");
  const reply = await call("GET", withLimit(LISTS[list] ?? list), a.keys.read);
  const marked = (JSON.parse(reply.text).data as Json[]).filter((item) =>
    MARKS.some((mark) => JSON.stringify(item).includes(mark)),
  );
  const shown = OF_ISSUED.has(route.path)
    ? marked.filter(({ status }) => status === "issued")
    : marked;
  const name = firstParameter(route);
  const values = shown.flatMap((item) =>
    name === "ref" ? [item.id, `ext:${item.external_id}`] : [String(item[name])],
  );
  if (values.length === 0) throw new Error(`give account A something that ${list} shows`);
  return values.map((value) => withParameters(route, value, within_a) + queryOf(route));
}

/** Every list of A as text, except the audit trail and the requests, which grow by the readings. */
function everythingOfA(): Promise<string[]> {
  const growing = ["/audit-events", "/requests"];
  const readings = routes.filter(isReading).filter((route) => !growing.includes(route.path));
  return Promise.all(
    readings.map(async (route) => (await call("GET", route.path + all(route), a.keys.read)).text),
  );
}

/** Whether the route shows content of an account without a path parameter. */
function isReading(route: Route): boolean {
  return route.method === "GET" && !route.path.includes(":");
}

function firstParameter(route: Route): string {
  return /:(\w+)/.exec(route.path)?.[1] ?? "";
}

/** The path with the given value of the first parameter, and the others by their names. */
function withParameters(
  route: Route,
  value: string,
  within: Readonly<Record<string, string>>,
): string {
  return route.path
    .replace(/:\w+/, encodeURIComponent(value))
    .replace(/:(\w+)/g, (_, name) => within[name] ?? UNKNOWN_ID);
}

/** The smallest query that the route accepts. */
function queryOf(route: Route): string {
  const required = operationOf(route)?.parameters.filter((p) => p.in === "query" && p.required);
  const query = (required ?? []).map((p) => `${p.name}=${smallestOf(p.schema)}`);
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** The answer without what the caller sent: the id of the request, and the reference that a refusal repeats. */
async function call(
  method: string,
  path: string,
  key: string | null,
  body?: string,
): Promise<PlainReply> {
  const reply = await callPlainly(world, method, path, key, { body });
  const text = reply.text.replace(/,"request_id":"[^"]*"/, "");
  const [, named = ""] = /"ref":"([^"]+)"/.exec(text) ?? [];
  const is_sent = named !== "" && `${decodeURIComponent(path)} ${body}`.includes(named);
  return { ...reply, text: is_sent ? text.replaceAll(named, "…") : text };
}
