/** Ends an opening contract (spec 3.13): nothing is earned after the day, and the rest goes back to the counter account. */
import * as z from "zod";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { invalidField, Problem, requireValid } from "../../../domain/base/problem.ts";
import { endFaults, leftAfter } from "../../../domain/revenue/opening-contract.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import {
  type Configuration,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import { lockCustomers } from "../accruals/book-accrual.ts";
import { lineFacts } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { postOpening, requireOpeningCounter, requirePostable } from "./book-entry.ts";
import {
  getOpeningContract,
  type OpeningContractRow,
  presentOpeningContract,
  updateEnd,
} from "./queries.ts";
import { OpeningContractEnd } from "./schemas.ts";

interface EndPlan {
  readonly before: OpeningContractRow;
  readonly after: OpeningContractRow;
  readonly configuration: Configuration;
  readonly reason: string;
}

/**
 * Takes a reference and the body of POST /opening-contracts/{ref}/end; returns the contract. Throws NOT_FOUND, VALIDATION_FAILED
 * for another day, OPENING_CONTRACT_ENDED, LEDGER_MOVING, PERIOD_LOCKED, LATER_PERIOD_CLOSED, LATER_ACCRUAL_BOOKED or
 * ACCOUNT_ROLE_MISSING.
 */
export const endOpeningContract = defineCommand({
  name: "end_opening_contract",
  access: "issue",
  input: z.object({ ref: Ref, ...OpeningContractEnd.shape }),

  async plan(tx, { ref, date, reason, counter_account: named = null }): Promise<EndPlan> {
    const { customer_id } = await getOpeningContract(tx, ref);
    lockCustomers(tx, [customer_id]);
    holdConfiguration(tx);
    const [before, configuration] = await Promise.all([
      getOpeningContract(tx, ref),
      getConfiguration(tx),
    ]);
    requireValid(endFaults(date, before.cutover));
    const counter_account = await counterOf(tx, before, named, configuration);
    if (before.ended_on !== null) throw new Problem("OPENING_CONTRACT_ENDED");
    await requirePostable(tx, configuration, customer_id, date);
    const { customers } = await factsOfCustomers(tx, [customer_id], new Set([before.line_id]));
    const line = customers[0]?.lines.find(({ line: { id } }) => id === before.line_id);
    if (line === undefined) throw new Error("an opening contract has no line");
    const { rate_micro, amount, amount_functional: booked } = before;
    const conversion = rate_micro && {
      rate_micro,
      from_digits: currencyDigits(before.currency),
      to_digits: currencyDigits(configuration.functional_currency),
    };
    const facts = { ...lineFacts(line, []), amount };
    const left = leftAfter(facts, configuration.recognition_convention, date, {
      conversion: conversion || null,
      booked,
    });
    const is_posted = counter_account !== null && tx.ledger?.transactional === true;
    const end_guid = is_posted && left.returned_functional !== 0n ? newId<string>() : null;
    const after = { ...before, counter_account, ended_on: date, ...left, end_guid };
    return { before, after, configuration, reason };
  },

  async commit(tx, { before, after, configuration, reason }): Promise<JsonText> {
    const { counter_account, ended_on, returned, returned_functional, end_guid } = after;
    if (counter_account !== null && end_guid !== null && ended_on !== null) {
      await postOpening(tx, configuration, {
        ...after,
        guid: end_guid,
        date: ended_on,
        text: `End of opening contract ${after.external_id}`,
        counter_account,
        amount: -(returned ?? 0n),
        functional: -(returned_functional ?? 0n),
        reverses_guid: returned === before.amount ? before.id : null,
      });
    }
    updateEnd(tx, after);
    const document = presentOpeningContract(after);
    const shown = { before: presentOpeningContract(before), after: document };
    tx.audit("opening_contract", after.id, "ended", { ...shown, reason });
    return document;
  },
});

/**
 * Returns the counter account of the contract, or the named one for a contract that has none: it began in a connected ledger, and
 * its books have moved here since. Nothing is posted while another ledger has the books. Throws VALIDATION_FAILED.
 */
async function counterOf(
  tx: Tx,
  { counter_account }: OpeningContractRow,
  named: number | null,
  configuration: Configuration,
): Promise<number | null> {
  if (counter_account === null) {
    await requireOpeningCounter(tx, named, configuration);
    return named;
  }
  if (named === null) return counter_account;
  const message = `The contract has the counter account ${counter_account}.`;
  throw invalidField("counter_account", "not_allowed", message);
}
