/** What is paid of an invoice that an external ledger booked. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";

const { world, draft, issue } = useExternalLedger();

beforeAll(async () => {
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, '01990000-0000-7000-8000-00000000c0de', 'scripted', '{}', 'none', '')`,
    [world.account.account_id],
  );
});

describe("an invoice in a connected ledger", () => {
  it("is neither paid nor overdue until that ledger has reported it", async () => {
    const id = await draft({ issue_date: "2026-02-10" });
    await issue(id);
    expect(await world.done(`GET /invoices/${id}/payment`)).toMatchObject({
      source: "ledger",
      due_date: "2026-02-24",
      as_of: null,
      state: null,
      is_overdue: null,
      gross: null,
      open: null,
      allocations: [],
    });
    const before = await world.rest(`GET /invoices/${id}/payment?at=2026-03-09`);
    expect(refusal(before)).toBe("409 PAYMENTS_IN_LEDGER");
  });

  it("is in no list of what is owed, which has today alone", async () => {
    for (const path of ["/open-items", "/receivables"]) {
      expect(await world.done(`GET ${path}`)).toMatchObject({ data: [], has_more: false });
      const earlier = await world.rest(`GET ${path}?at=2026-03-09`);
      expect(refusal(earlier)).toBe("409 PAYMENTS_IN_LEDGER");
    }
    expect(await world.done("GET /receivables/summary")).toMatchObject({
      currencies: [],
      functional: { balance: 0 },
      ledger: [
        { account_role: "receivables", account_number: null, ledger: null, difference: null },
        { account_role: "customer_credit", account_number: null, ledger: null, difference: null },
      ],
    });
  });

  it("that is a draft has no state", async () => {
    const reply = await world.rest(`GET /invoices/${await draft()}/payment`);
    expect(refusal(reply)).toBe("409 INVOICE_NOT_ISSUED");
  });
});
