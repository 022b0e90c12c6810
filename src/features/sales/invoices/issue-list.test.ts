/** POST /invoices/issue: a list of invoices, each issued or refused by itself (spec 5.3). */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import { rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { answerOnce } from "../../../platform/http/idempotency.ts";
import { freeze, thaw } from "../../../platform/runtime/json.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { sendDueDeliveries } from "../../documents/deliveries/run-due.ts";
import { issueList } from "./issue-many.ts";

const { world, customer, draft, issued } = useSales();

const issueAll = (references: readonly string[]): Promise<Json> =>
  world.done("POST /invoices/issue", { references });
const drafts = async (count: number, fields: object = {}): Promise<Json[]> => {
  const made: Json[] = [];
  for (let n = 0; n < count; n += 1) made.push(await draft([100 + n], fields));
  return made;
};
/** `issued 3` or `refused INVOICE_EMPTY`, one text for each outcome. */
const reported = ({ outcomes }: Json): string[] =>
  outcomes.map(({ outcome, ledger_invoice_number, code }: Json) =>
    outcome === "issued" ? `issued ${ledger_invoice_number}` : `${outcome} ${code}`,
  );

describe("POST /invoices/issue", () => {
  it("issues each invoice of the list, in its order, in one transaction", async () => {
    const made = await drafts(4);
    const ids = made.map(({ id }) => id).reverse();

    const run = await issueAll(ids);

    expect(run).toMatchObject({ object: "invoice_issue_run", issued: 4, refused: 0, remaining: 0 });
    expect(run.outcomes).toEqual(
      ids.map((id, at) => ({
        reference: id,
        outcome: "issued",
        invoice_id: id,
        status: "issued",
        ledger_invoice_number: run.outcomes[0].ledger_invoice_number + at,
      })),
    );
    for (const { invoice_id, ledger_invoice_number } of run.outcomes) {
      expect(await world.done(`GET /invoices/${invoice_id}`)).toMatchObject({
        status: "issued",
        ledger_invoice_number,
        issue_date: "2026-03-10",
      });
    }
    const [{ n }] = await world.sql(
      "select count(distinct xmin::text)::int as n from invoices where id = any($1)",
      [ids],
    );
    expect(n).toBe(1);
  });

  it("waits at its end for an invoice that another transaction has locked, and only for that one", async () => {
    const ids = (await drafts(3)).map(({ id }) => id);
    const others = () =>
      world.sql("select 1 from invoices where id = any($1) and status = 'issued'", [ids.slice(1)]);
    const holder = await world.db.runner.connect();
    try {
      await holder.query("begin");
      await holder.query("select from invoices where id = $1 for update", [ids[0]]);
      const running = issueAll(ids);
      while ((await others()).length < 2) await new Promise(setImmediate);
      await holder.query("rollback");

      expect(await running).toMatchObject({ issued: 3, refused: 0, remaining: 0 });
    } finally {
      holder.release();
    }
  });

  it("stores the same data as the issue of a single invoice", async () => {
    const [alone, listed] = await drafts(2, { title: "Same", external_id: undefined });
    await world.done(`POST /invoices/${alone.id}/issue`);
    await issueAll([listed.id]);
    const rows = await world.sql(
      `select i.status, i.issue_date, i.rate_micro, l.amount, l.amount_functional, l.vat_code, l.account_number,
         e.kind, e.entry_date, d.kind as document_kind, a.action
       from invoices i join invoice_lines l on l.invoice_id = i.id join ledger_entries e on e.guid = i.id
       join issued_documents d on d.document_id = i.id
       join audit_events a on a.resource_id = i.id::text and a.action = 'issued'
       where i.id = any($1) order by i.id`,
      [[alone.id, listed.id]],
    );
    const [one, other] = rows.map(({ amount: _, amount_functional: __, ...row }) => row);
    expect(other).toEqual(one);
  });

  it("refuses invoices for different reasons, and issues the others", async () => {
    const [good, other] = await drafts(2);
    const empty = await draft([]);
    const done = await issued([5]);
    const { id: gone } = await world.done("POST /customers", { name: "Gone" });
    const inactive = await draft([5], { customer_id: gone });
    await world.done(`POST /customers/${gone}/deactivate`);
    const { keys } = await world.openAnother();
    const { id: customer_id } = await world.done("POST /customers", { name: "B" }, keys.read_write);
    const foreign = await world.done("POST /invoices", { customer_id, lines: [] }, keys.read_write);
    const unknown = randomUUID();

    const run = await issueAll([
      unknown,
      good.id,
      empty.id,
      "no reference",
      done.id,
      inactive.id,
      "ext:unknown",
      foreign.id,
      other.id,
    ]);

    const number = done.ledger_invoice_number;
    expect(reported(run)).toEqual([
      "refused NOT_FOUND",
      `issued ${number + 1}`,
      "refused INVOICE_EMPTY",
      "refused NOT_FOUND",
      "refused INVOICE_ALREADY_ISSUED",
      "refused CUSTOMER_INACTIVE",
      "refused NOT_FOUND",
      "refused NOT_FOUND",
      `issued ${number + 2}`,
    ]);
    expect([run.issued, run.refused, run.remaining]).toEqual([2, 7, 0]);
    expect(run.outcomes[0]).toEqual({
      reference: unknown,
      outcome: "refused",
      invoice_id: null,
      status: null,
      ledger_invoice_number: null,
      code: "NOT_FOUND",
      message: `There is no invoice ${unknown}.`,
      details: { resource: "invoice", ref: unknown },
    });
    expect(run.outcomes[2]).toMatchObject({ invoice_id: empty.id, status: "draft" });
    expect(run.outcomes[4]).toMatchObject({ status: "issued", ledger_invoice_number: number });
  });

  it("counts an invoice that is named twice once, by whatever reference", async () => {
    const { id } = await draft([5], { external_id: "named-twice" });

    const run = await issueAll([
      "ext:named-twice",
      id,
      id.toUpperCase(),
      "ext:named-twice",
      "x",
      "x",
    ]);

    expect(run.outcomes.map(({ reference, outcome }: Json) => [reference, outcome])).toEqual([
      ["ext:named-twice", "issued"],
      ["x", "refused"],
    ]);
    expect(await reported(await issueAll([id]))).toEqual(["refused INVOICE_ALREADY_ISSUED"]);
  });

  it.each<[string, unknown, string]>([
    ["no reference", { references: [] }, "too_short"],
    ["more than 500", { references: Array(501).fill("x") }, "too_long"],
    ["an empty reference", { references: [""] }, "too_short"],
    ["a reference that is not a text", { references: [7] }, "invalid_type"],
    ["an unknown field", { references: ["x"], send: true }, "unknown_field"],
  ])("refuses %s with 422", async (_what, body, code) => {
    const reply = await world.rest("POST /invoices/issue", body);

    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.body)).toContain(code);
  });

  it("needs a key that may write", async () => {
    const body = { references: ["x"] };
    const reply = await world.rest("POST /invoices/issue", body, world.account.keys.read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });

  it("issues one by one the invoices that the database refuses together", async () => {
    const made = await drafts(3);
    await world.sql(
      `create function break() returns trigger language plpgsql as $$ begin
         if new.document_id = '${made[1].id}' then raise 'secret detail'; end if; return new; end $$`,
    );
    await world.sql(
      "create trigger break before insert on issued_documents for each row execute function break()",
    );
    const run = await issueAll(made.map(({ id }) => id)).finally(() =>
      world.sql("drop function break() cascade"),
    );

    expect(run.outcomes.map(({ code = "issued" }: Json) => code)).toEqual([
      "issued",
      "INTERNAL_ERROR",
      "issued",
    ]);
    expect(JSON.stringify(run)).not.toContain("secret");
    expect(reported(await issueAll([made[1].id]))[0]).toMatch(/^issued/);
  });
});

describe("the documents that a list sends", () => {
  const states = async (ids: readonly string[]): Promise<string[]> => {
    const rows = await world.sql("select state from deliveries where document_id = any($1)", [ids]);
    return rows.map(({ state }) => state).sort();
  };

  it("are sent before the answer when they are few, and the answer names failures", async () => {
    const silent = await world.done("POST /customers", { name: "Without an address" });
    const [good] = await drafts(1, { auto_send: true });
    const [bad] = await drafts(1, { auto_send: true, customer_id: silent.id });
    const [quiet] = await drafts(1);

    const { outcomes } = await issueAll([good.id, bad.id, quiet.id]);

    expect(outcomes.map(({ outcome, send_error = null }: Json) => [outcome, send_error])).toEqual([
      ["issued", null],
      ["issued", "the customer has no e-mail address"],
      ["issued", null],
    ]);
    expect(await states([good.id, bad.id, quiet.id])).toEqual([
      "failed_permanent",
      "written_to_outbox",
    ]);
  });

  it("are left to the worker when they are many, and the answer says so", async () => {
    const ids = (await drafts(21, { auto_send: true })).map(({ id }) => id);

    const { outcomes } = await issueAll(ids);

    expect(new Set(outcomes.map(({ send_error }: Json) => send_error))).toEqual(
      new Set(["The document has not been sent yet: it waits for its turn."]),
    );
    while ((await sendDueDeliveries(world.services)) > 0);
    expect(new Set(await states(ids))).toEqual(new Set(["written_to_outbox"]));
    expect(customer.email).toBe("ap@acme.example");
  });
});

const withKey = async (key: string, references: readonly string[], at = world) => {
  const reply = await fetch(`${at.origin}/api/v1/invoices/issue`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${at.account.keys.read_write}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({ references }),
  });
  return { status: reply.status, body: (await reply.json()) as Json, headers: reply.headers };
};

describe("a list under an idempotency key", () => {
  it("is answered as it was the first time", async () => {
    const ids = (await drafts(2)).map(({ id }) => id);

    const first = await withKey("list-1", [...ids, "x"]);
    const second = await withKey("list-1", [...ids, "x"]);

    expect(second.body).toEqual(first.body);
    expect([first.status, first.body.issued, first.body.refused]).toEqual([200, 2, 1]);
    expect(refusal(await withKey("list-1", ids))).toBe("409 IDEMPOTENCY_CONFLICT");
  });

  it("resumes with the remaining invoices", async () => {
    const ids = (await drafts(2)).map(({ id }) => id);
    const cx = await operatorContext(world.services, world.account.account_id);
    const asked = { key: "list-5", method: "POST", url: "/x", body: { references: ids } };
    const once = () => ({ ...asked, claim: randomUUID(), process: null });
    const answered = async (signal: AbortSignal): Promise<Json> => {
      const { text, is_repeated } = await answerOnce(
        { ...cx, signal },
        once(),
        "r",
        async (own) => ({
          status: 200,
          text: await issueList(own, ids),
        }),
      );
      return { ...JSON.parse(text), is_repeated };
    };

    expect(await answered(AbortSignal.abort())).toMatchObject({ issued: 0, remaining: 2 });
    const whole = { issued: 2, refused: 0, remaining: 0 };
    expect(await answered(cx.signal)).toMatchObject({ ...whole, is_repeated: false });
    expect(await answered(cx.signal)).toMatchObject({ ...whole, is_repeated: true });
  });

  /** Issues a list in a process that ends before it answers; returns the answer that was lost. */
  const unanswered = async (key: string, references: readonly string[]): Promise<Json> => {
    // The stored answer deletes the committed outcomes: a copy restores the state before it.
    await world.sql("create table before_answer (committed text)");
    await world.sql(`create function copy_committed() returns trigger language plpgsql security definer as $$ begin
      insert into before_answer values (old.committed); return null; end $$`);
    await world.sql(`create trigger copy_committed after update on idempotency_keys for each row
      when (old.committed is not null and new.committed is null) execute function copy_committed()`);
    const { body } = await withKey(key, references);
    await world.sql(
      `update idempotency_keys set status = null, answer = null, lease_until = clock_timestamp(),
         committed = (select committed from before_answer) where key = $1`,
      [key],
    );
    await world.sql("drop function copy_committed() cascade");
    await world.sql("drop table before_answer");
    return body;
  };

  it("resumes after the committed outcomes when the process ended before it answered", async () => {
    const ids = (await drafts(3, { auto_send: true })).map(({ id }) => id);
    const first = await unanswered("list-2", ids);

    const second = await withKey("list-2", ids);

    expect(second.body).toEqual(first);
    expect(second.body.issued).toBe(3);
  });

  it("refuses an invoice that was deleted before it is resumed", async () => {
    const [good] = await drafts(1);
    const gone = await draft([]);
    await unanswered("list-3", [good.id, gone.id]);
    // The process ended before it reached the second invoice.
    const [{ committed }] = await world.sql(
      "select committed from idempotency_keys where key = 'list-3'",
    );
    const { result } = thaw<{ result: Json[] }>(committed);
    await world.sql("update idempotency_keys set committed = $1 where key = 'list-3'", [
      freeze({ result: result.slice(0, 1) }),
    ]);
    await world.done(`DELETE /invoices/${gone.id}`);

    const { body } = await withKey("list-3", [good.id, gone.id]);

    expect(body.outcomes).toMatchObject([
      { reference: good.id, outcome: "issued" },
      { reference: gone.id, outcome: "refused", code: "NOT_FOUND" },
    ]);
  });

  it("reports no error for mail that was sent before it is resumed", async () => {
    const ids = (await drafts(21, { auto_send: true })).map(({ id }) => id);
    await unanswered("list-4", ids);
    while ((await sendDueDeliveries(world.services)) > 0);

    const { body } = await withKey("list-4", ids);

    expect(body.issued).toBe(21);
    expect(body.outcomes.filter((one: Json) => "send_error" in one)).toEqual([]);
  });
});

describe("a list of an account with an external ledger", () => {
  const external = useExternalLedger();

  it("is issued one invoice at a time", async () => {
    const ids = [await external.draft(), await external.draft(), await external.draft()];
    external.ledger.onBook(steps.honest, rejected("VALIDATION"));

    const run = await external.world.done("POST /invoices/issue", { references: ids });

    expect(run.outcomes.map(({ code = "issued" }: Json) => code)).toEqual([
      "issued",
      "LEDGER_REJECTED",
      "issued",
    ]);
    await external.expectIssuedOnce(ids[0] ?? "");
    await external.expectIssuedOnce(ids[2] ?? "");
  });

  it("retries temporary failures when it is sent again under its key, and nothing else", async () => {
    const ids = [await external.draft(), await external.draft(), await external.draft()];
    const silent = [steps.notStarted, steps.notStarted, steps.notStarted];
    external.ledger.onBook(steps.honest, rejected("VALIDATION"), ...silent);
    const codes = async (): Promise<string[]> => {
      const { body } = await withKey("list-6", ids, external.world);
      return body.outcomes.map(({ code = "issued" }: Json) => code);
    };

    expect(await codes()).toEqual(["issued", "LEDGER_REJECTED", "LEDGER_UNAVAILABLE"]);
    external.ledger.forget();
    expect(await codes()).toEqual(["issued", "LEDGER_REJECTED", "issued"]);
    expect(external.ledger.calls).toEqual([`find ${ids[2]}`, `book ${ids[2]}`]);
    expect(await codes()).toEqual(["issued", "LEDGER_REJECTED", "issued"]);
  });
});
