/**
 * The whole way from a request of a caller to the books of a real Tryton: connecting and mapping it, and documents over the
 * service's own line and intents, with nothing of ours replaced.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { operatorContext } from "../../src/features/accounts/create.ts";
import { changeMapping } from "../../src/features/connections/change-mapping.ts";
import { connectAccount } from "../../src/features/connections/connect-account.ts";
import { run } from "../../src/platform/command.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let books: TrytonBooks;
let product_id: string;
let customer_id: string;

beforeEach(requireTryton);
beforeAll(async () => {
  if (whyNoTryton() !== undefined) return;
  books = await openTryton();
  const operator = () => operatorContext(world.services, world.account.account_id);
  await connectAccount(await operator(), "tryton", { ...books.settings, ...books.secrets });
  const row = (account_number: number, vat_code: string, account: number, tax: string | null) => ({
    ...{ account_number, vat_code, ledger_account: String(account), ledger_vat_code: tax },
  });
  const rows = [
    row(1000, "DK25", 1010, "U25"),
    row(6240, "", 6240, null),
    row(8070, "", 8070, null),
  ];
  await run(changeMapping, await operator(), { rows });
  const customer = { name: "Acme A/S", email: "ap@acme.example" };
  customer_id = (await world.done("POST /customers", customer)).id;
  product_id = (await world.done("POST /products", { name: "Consulting" })).id;
});
afterAll(() => books?.close());

const there = (guid: string) =>
  books.sql(
    `select invoice.state, invoice.number, party.name as party from account_invoice invoice
      join party_party party on party.id = invoice.party where invoice.reference = $1`,
    [guid],
  );

it("is connected to the company that it is", async () => {
  expect(await world.done("GET /ledger/connection")).toMatchObject({
    kind: "tryton",
    state: "connected",
    organisation: { name: "Nordlys Rådgivning ApS" },
    capabilities: { documents: "service", supplies_rates: true },
  });
});

it("posts an invoice and its credit note there, and prints and sends them here", async () => {
  const lines = [{ product_id, recognition_method: "value", agreed_value: 1000.5 }];
  const { id } = await world.done("POST /invoices", { customer_id, lines, auto_send: true });

  const issued = await world.done(`POST /invoices/${id}/issue`);

  expect(issued).toMatchObject({ status: "issued", ledger_invoice_number: 1 });
  expect(await there(id)).toEqual([{ state: "posted", number: "1", party: "Acme A/S" }]);
  expect(await world.mails()).toHaveLength(1);
  const credit = await world.done("POST /credit-notes", {
    ...{ invoice: id, external_id: "credit-1", kind: "full", credit_date: issued.issue_date },
  });
  expect(await there(credit.id)).toEqual([{ state: "posted", number: "1", party: "Acme A/S" }]);
});
