/** The roll-forward of a month in the form that travels to the browser: amounts are text in minor units. */
import type * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import type { Reconciliation } from "../../features/revenue/accruals/schemas.ts";

interface ContractShown {
  /** Null for a retainer and an opening contract. */
  readonly invoice_id: string | null;
  readonly customer_id: string;
  readonly customer: string;
  readonly name: string;
  readonly opening: string;
  readonly earned: string;
  /** With what was brought along. */
  readonly invoiced: string;
  readonly exchange: string;
  /** Above 0 an asset, below a liability. */
  readonly closing: string;
}

export interface RollShown {
  readonly month: Month;
  readonly currency: string;
  readonly opening: string;
  readonly earned: string;
  /** Before credit notes. */
  readonly invoiced: string;
  readonly credited: string;
  /** What opening contracts brought along, less what they gave back. */
  readonly brought_along: string;
  readonly exchange: string;
  /** The part of the movements that belongs to closed months. */
  readonly carried: string;
  readonly closing: string;
  /** The contracts with the largest balances; `contract_count` counts all. */
  readonly contracts: readonly ContractShown[];
  readonly contract_count: number;
  /** The contracts without amounts, because a closing rate is missing. */
  readonly unknown: number;
  /** Of the last closed month, or of the month itself where it is closed. */
  readonly agreement: z.output<typeof Reconciliation>;
}
