/**
 * Where the keys under `expected` of a scenario are read (decisions.md 50). Every scenario is played
 * and every key of it read: nothing is left out.
 */

import {
  accrual,
  accrualAsked,
  accruals,
  accrualsWith,
  earnedToDate,
  errors,
  liabilityByMonth,
  lineAmounts,
  printedRows,
  type Reader,
  recognised,
  recognisedByUser,
  recognisedTotal,
  reversalEntries,
} from "./revenue.ts";

/** A step's answer, a call after the last step, or a reader's; `path` leads into it. */
export type Source = (
  | { readonly step: number }
  | { readonly call: string }
  | { readonly told: Reader }
) & {
  readonly path?: string;
  /**
   * Further fields of each entry of an array: the sum of `sum` over the `data` of a call, in which the
   * entry's own fields have names too.
   */
  readonly each?: Readonly<Record<string, { readonly call: string; readonly sum: string }>>;
  /** Further fields of an object, by their paths into it. */
  readonly also?: Readonly<Record<string, string>>;
};

export interface Story {
  readonly id: string;
  /** What steps save in addition. */
  readonly saves?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /** Calls after a step, whose answers are kept under a name: what a later step changes. */
  readonly asks?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  readonly reads: Readonly<Record<string, Source>>;
}

export const stories: readonly Story[] = [
  {
    id: "O01",
    reads: {
      line_amounts: { told: lineAmounts("$inv") },
      recognised: { told: recognised() },
      recognised_by_user: { told: recognisedByUser() },
      accruals: { told: accruals },
      accrual_resource: { step: 5 },
    },
  },
  {
    id: "O02",
    reads: {
      line_amounts: { told: lineAmounts("$inv") },
      recognised: { told: recognised() },
      recognised_by_user: { told: recognisedByUser() },
      ledger_invoice_lines: { told: printedRows("$inv") },
      accruals: { told: accruals },
      errors: { told: errors },
    },
  },
  {
    id: "O03",
    reads: {
      occurrence: { step: 4 },
      recognised: { told: recognised() },
      recognised_by_user: { told: recognisedByUser() },
      contract_liability_closing_by_month: { told: liabilityByMonth },
      accruals: { told: accruals },
    },
  },
  {
    id: "O04",
    reads: {
      recognised: { told: recognised() },
      recognised_total: { told: recognisedTotal("2025-03", "2026-03") },
      accruals: { told: accruals },
      same_line_under_monthly_convention: {
        told: async (player, expected) => {
          await player.ask("PATCH /configuration", { recognition_convention: "monthly" });
          return recognised()(player, expected);
        },
      },
    },
  },
  {
    id: "O05",
    reads: {
      occurrence: { call: "GET /recurring-series/$ser/occurrences/2025-Q2" },
      invoice: {
        told: async (player) => {
          const { invoice_id } = await player.ask("GET /recurring-series/$ser/occurrences/2025-Q2");
          return player.ask(`GET /invoices/${invoice_id}`);
        },
      },
      recognised: { told: recognised() },
      accruals: { told: accruals },
    },
  },
  {
    id: "O06",
    reads: {
      recognised: { told: recognised() },
      recognised_by_user: { told: recognisedByUser() },
      accruals: { told: accruals },
    },
  },
  { id: "O07", reads: { recognised: { told: recognised() }, accruals: { told: accruals } } },
  {
    id: "O08",
    reads: {
      accruals: { told: accruals },
      recognised_by_work_month: { told: recognised() },
      recognised_by_booking_month: { told: recognised("customer=ext:acme", "booking_month") },
    },
  },
  {
    id: "O09",
    reads: {
      recognised: { told: recognised() },
      recognised_total: { told: recognisedTotal("2025-01", "2025-03") },
      accruals: { told: accruals },
    },
  },
  {
    id: "O10",
    saves: { 8: { credit_note: "credit_notes[0].id" } },
    reads: {
      cancel_a: { step: 8 },
      credit_note_after_tick: { call: "GET /credit-notes/$credit_note" },
      cancel_b: {
        step: 17,
        also: {
          dropped_occurrences_first: "dropped_occurrences[0]",
          dropped_occurrences_count: "dropped_occurrences.length",
        },
      },
      registrations_on_dropped_status: {
        call: "GET /work-registrations?series=$b&period=2025-04",
        path: "data[1].status",
      },
      recognised_a: { told: recognised("series=ext:o10a") },
      accruals: { told: accruals },
      recognised_b: { told: recognised("series=ext:o10b") },
    },
  },
  {
    id: "O11",
    reads: {
      monthly: {
        step: 4,
        path: "data",
        each: {
          amount: { call: "GET /recurring-series/$m/occurrences/$period/lines", sum: "amount" },
        },
      },
      yearly: { step: 2, path: "data" },
    },
  },
  {
    id: "O12",
    asks: {
      14: { february: "GET /accruals/$feb", march: "GET /accruals/$mar" },
    },
    reads: {
      close: { step: 8 },
      accruals: { told: accrualsWith({ "acme 2025-02": "february" }) },
      march_draft_before_reopen: { told: accrualAsked("acme", "march") },
      february_draft_after_reopen: { told: accrual("acme", "2025-02") },
      reversal_entries: { told: reversalEntries("feb") },
      period_lock_date_after_reopen: { call: "GET /configuration", path: "period_lock_date" },
      errors: { told: errors },
    },
  },
  {
    id: "O13",
    reads: {
      recognised: { told: recognised() },
      recognised_by_user: { told: recognisedByUser() },
      contract_liability_closing_by_month: { told: liabilityByMonth },
    },
  },
  { id: "O14", reads: { accruals: { told: accruals }, earned_to_date: { told: earnedToDate } } },
  {
    id: "O15",
    reads: {
      march_invoice: {
        told: async (player, expected) => {
          const { invoice_id } = await player.ask("GET /recurring-series/$ser/occurrences/2025-03");
          const line_amounts = await lineAmounts(invoice_id)(player, expected.line_amounts);
          return { ...(await player.ask(`GET /invoices/${invoice_id}`)), line_amounts };
        },
      },
      accruals: { told: accruals },
      errors: { told: errors },
    },
  },
];
