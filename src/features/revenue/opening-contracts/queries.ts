/** The SQL queries of opening contracts. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { RATE_DECIMALS as EXCHANGE_DECIMALS, scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { PERCENT_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import type { Condition } from "../../../platform/database/page.ts";
import {
  columnOfRef,
  refersTo,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import { insert, raw, sql, update } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { OpeningContract, type OpeningContractQuery } from "./schemas.ts";

/** An opening contract without the columns that follow from the others. Amounts are minor units. */
export type OpeningContractRow = Omit<
  Selectable<Tables["opening_contracts"]>,
  "account_id" | "request_hash" | "document" | "updated_at"
>;

/** Presents an opening contract as the API shows it. */
export function presentOpeningContract(contract: OpeningContractRow): JsonText {
  const digits = currencyDigits(contract.currency);
  const { rate_micro, entry_no, ended_on } = contract;
  return jsonText(
    OpeningContract.parse({
      object: "opening_contract",
      id: contract.id,
      external_id: contract.external_id,
      customer_id: contract.customer_id,
      product_id: contract.product_id,
      line_id: contract.line_id,
      currency: contract.currency,
      invoiced: scaledToNumber(contract.invoiced, digits),
      earned: scaledToNumber(contract.earned, digits),
      service_from: contract.service_from,
      service_to: contract.service_to,
      cutover: contract.cutover,
      rate: rate_micro === null ? null : scaledToNumber(rate_micro, EXCHANGE_DECIMALS),
      counter_account: contract.counter_account,
      account_number: contract.account_number,
      vat_code: contract.vat_code,
      assignees: contract.assignees.map((one) => ({
        user_id: one.user_id,
        distribution_percentage: numberOrNull(one.distribution_percentage, PERCENT_DECIMALS),
        hourly_rate_override: numberOrNull(one.hourly_rate_override, RATE_DECIMALS),
      })),
      status: ended_on === null ? "running" : "ended",
      ended_on,
      entry_no: entry_no === null ? null : Number(entry_no),
      created_at: contract.created_at,
    }),
  );
}

function numberOrNull(value: number | string | null, decimals: number): number | null {
  return value === null ? null : scaledToNumber(BigInt(value), decimals);
}

/** Returns the read of a page of opening contracts, the newest first; an unknown customer gives an empty list. */
export function readOpeningContracts(page: OpeningContractQuery): StoredRead {
  const conditions: Condition[] = [];
  if (page.external_id !== undefined) conditions.push(["external_id =", page.external_id]);
  if (page.customer !== undefined) {
    conditions.push(refersTo("customer_id", "customers", page.customer));
  }
  if (page.status !== undefined) {
    conditions.push([page.status === "ended" ? "ended_on is not null" : "ended_on is null"]);
  }
  return readPage("opening_contracts", conditions, page);
}

/** Returns the contract that a reference names. Throws NOT_FOUND. */
export async function getOpeningContract(cx: Reader, ref: string): Promise<OpeningContractRow> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<Selectable<Tables["opening_contracts"]>>(sql`
    select * from opening_contracts where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`);
  if (row === undefined) throw notFound("opening_contract", ref);
  const { account_id: _, request_hash: __, document: ___, updated_at: ____, ...contract } = row;
  return contract;
}

export function insertOpeningContract(
  tx: Tx,
  contract: OpeningContractRow,
  request_hash: Buffer,
): void {
  const { account_id } = tx.caller;
  const row = {
    ...contract,
    assignees: JSON.stringify(contract.assignees),
    account_id,
    request_hash,
    document: presentOpeningContract(contract),
    updated_at: stamped(account_id),
  };
  tx.write(insert("opening_contracts", row));
}

/** Stores the end of a contract. */
export function updateEnd(tx: Tx, contract: OpeningContractRow): void {
  const { account_id } = tx.caller;
  const { id, counter_account, ended_on, returned, returned_functional, end_guid } = contract;
  const document = presentOpeningContract(contract);
  const stored = { counter_account, ended_on, returned, returned_functional, end_guid, document };
  tx.write(sql`${update("opening_contracts", { ...stored, updated_at: stampedAnew(account_id) })}
    where account_id = ${account_id} and id = ${id}`);
}
