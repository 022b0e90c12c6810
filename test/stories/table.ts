/**
 * The source of each key under `expected` of a scenario. Every scenario is played and every key is read.
 */

import {
  accrual,
  accrualKept,
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

/** An answer kept under a name, a call after the last step, or a reader; `path` is the path within it. */
export type Source = (
  | { readonly kept: string }
  | { readonly call: string }
  | { readonly reported: Reader }
) & {
  readonly path?: string;
  /**
   * Further fields of each entry of an array: the sum of `sum` over the `data` of a call, in which the
   * entry's own fields are available as names.
   */
  readonly each?: Readonly<Record<string, { readonly call: string; readonly sum: string }>>;
  /** Further fields of an object, by their paths into it. */
  readonly also?: Readonly<Record<string, string>>;
};

interface Story {
  readonly id: string;
  readonly reads: Readonly<Record<string, Source>>;
}

export const stories: readonly Story[] = [
  {
    id: "fixed-price-on-issue",
    reads: {
      line_amounts: { reported: lineAmounts("$inv") },
      recognised: { reported: recognised() },
      recognised_by_user: { reported: recognisedByUser() },
      accruals: { reported: accruals },
      accrual_resource: { kept: "booked" },
    },
  },
  {
    id: "hours-with-rates",
    reads: {
      line_amounts: { reported: lineAmounts("$inv") },
      recognised: { reported: recognised() },
      recognised_by_user: { reported: recognisedByUser() },
      ledger_invoice_lines: { reported: printedRows("$inv") },
      accruals: { reported: accruals },
      errors: { reported: errors },
    },
  },
  {
    id: "prepaid-year",
    reads: {
      occurrence: { kept: "occurrence" },
      recognised: { reported: recognised() },
      recognised_by_user: { reported: recognisedByUser() },
      contract_liability_closing_by_month: { reported: liabilityByMonth },
      accruals: { reported: accruals },
    },
  },
  {
    id: "prepaid-year-by-days",
    reads: {
      recognised: { reported: recognised() },
      recognised_total: { reported: recognisedTotal("2025-03", "2026-03") },
      accruals: { reported: accruals },
      same_line_under_monthly_convention: {
        reported: async (player, expected) => {
          await player.ask("PATCH /configuration", { recognition_convention: "monthly" });
          return recognised()(player, expected);
        },
      },
    },
  },
  {
    id: "quarter-in-arrears",
    reads: {
      occurrence: { call: "GET /recurring-series/$ser/occurrences/2025-Q2" },
      invoice: {
        reported: async (player) => {
          const { invoice_id } = await player.ask("GET /recurring-series/$ser/occurrences/2025-Q2");
          return player.ask(`GET /invoices/${invoice_id}`);
        },
      },
      recognised: { reported: recognised() },
      accruals: { reported: accruals },
    },
  },
  {
    id: "progress-by-hours",
    reads: {
      recognised: { reported: recognised() },
      recognised_by_user: { reported: recognisedByUser() },
      accruals: { reported: accruals },
    },
  },
  {
    id: "two-milestones",
    reads: { recognised: { reported: recognised() }, accruals: { reported: accruals } },
  },
  {
    id: "late-hours",
    reads: {
      accruals: { reported: accruals },
      recognised_by_work_month: { reported: recognised() },
      recognised_by_booking_month: { reported: recognised("customer=ext:acme", "booking_month") },
    },
  },
  {
    id: "price-concession",
    reads: {
      recognised: { reported: recognised() },
      recognised_total: { reported: recognisedTotal("2025-01", "2025-03") },
      accruals: { reported: accruals },
    },
  },
  {
    id: "two-cancellations",
    reads: {
      first_cancellation: { kept: "first" },
      credit_note: { call: "GET /credit-notes/$credit_note" },
      second_cancellation: {
        kept: "second",
        also: {
          dropped_occurrences_first: "dropped_occurrences[0]",
          dropped_occurrences_count: "dropped_occurrences.length",
        },
      },
      dropped_work: {
        call: "GET /work-registrations?series=$b&period=2025-04",
        path: "data[1].status",
      },
      recognised_prepaid: { reported: recognised("series=ext:prepaid-retainer") },
      accruals: { reported: accruals },
      recognised_hourly: { reported: recognised("series=ext:hourly-retainer") },
    },
  },
  {
    id: "anchored-periods",
    reads: {
      months: {
        kept: "months",
        path: "data",
        each: {
          amount: { call: "GET /recurring-series/$m/occurrences/$period/lines", sum: "amount" },
        },
      },
      years: { kept: "years", path: "data" },
    },
  },
  {
    id: "close-and-reopen",
    reads: {
      close: { kept: "close" },
      accruals: { reported: accrualsWith({ "acme 2025-02": "february" }) },
      march_draft_before_reopen: { reported: accrualKept("acme", "march") },
      february_draft_after_reopen: { reported: accrual("acme", "2025-02") },
      reversal_entries: { reported: reversalEntries("feb") },
      period_lock_date_after_reopen: { call: "GET /configuration", path: "period_lock_date" },
      errors: { reported: errors },
    },
  },
  {
    id: "three-shares",
    reads: {
      recognised: { reported: recognised() },
      recognised_by_user: { reported: recognisedByUser() },
      contract_liability_closing_by_month: { reported: liabilityByMonth },
    },
  },
  {
    id: "raised-budget",
    reads: { accruals: { reported: accruals }, earned_to_date: { reported: earnedToDate } },
  },
  {
    id: "fee-and-hours-in-arrears",
    reads: {
      march_invoice: {
        reported: async (player, expected) => {
          const { invoice_id } = await player.ask("GET /recurring-series/$ser/occurrences/2025-03");
          const line_amounts = await lineAmounts(invoice_id)(player, expected.line_amounts);
          return { ...(await player.ask(`GET /invoices/${invoice_id}`)), line_amounts };
        },
      },
      accruals: { reported: accruals },
      errors: { reported: errors },
    },
  },
];
