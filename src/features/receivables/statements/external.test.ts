/** Statements of account where a connected accounting system records payments. */
import { expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";

const { world, customer } = useExternalLedger();

it("are refused, because payments are not known here", async () => {
  const { id } = customer;
  const read = await world.rest(`GET /customers/${id}/statement`);
  expect(refusal(read)).toBe("409 PAYMENTS_IN_LEDGER");
  const sent = await world.rest(`POST /customers/${id}/statements`, {});
  expect(refusal(sent)).toBe("409 PAYMENTS_IN_LEDGER");
  expect(await world.done(`GET /customers/${id}/statements`)).toMatchObject({ data: [] });
});
