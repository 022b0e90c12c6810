/** Bank statements of an account whose payments another ledger has. */
import { expect, it } from "vitest";
import { camt } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";

const { world } = useExternalLedger();

it("are refused, after the faults of the file", async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: "DK5000400440116243" });
  const entries = [{ amount: "1.00", day: "2026-03-02" }];
  const { status, body } = await sendBankFile(world, camt({ entries }));
  expect([status, body.error.code]).toEqual([409, "PAYMENTS_IN_LEDGER"]);
  const faulty = await sendBankFile(world, camt({ iban: "DE89370400440532013000", entries }));
  expect([faulty.status, faulty.body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
  expect((await world.done("GET /bank-statements")).data).toEqual([]);
});
