/** The tables of recurring series, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Printed } from "../../domain/sales/printed.ts";
import type { Generated, Json, Stamped } from "./columns.ts";

export interface SeriesTables {
  recurring_series: {
    account_id: string;
    id: string;
    external_id: string | null;
    customer_id: string;
    currency: string;
    frequency: "weekly" | "monthly" | "quarterly" | "half_yearly" | "yearly";
    alignment: "anniversary" | "calendar";
    start_date: CalendarDate;
    end_date: CalendarDate | null;
    timing_mode: "start-of-period" | "end-of-period" | "manual";
    offset_days: number;
    auto_send: boolean | null;
    status: "draft" | "active";
    activated_on: CalendarDate | null;
    cancelled_at: Timestamp | null;
    end_before_cancel: CalendarDate | null;
    is_discarded: Generated<boolean>;
    next_due_on: CalendarDate | null;
    next_retry_at: Timestamp | null;
    request_hash: Buffer | null;
    document: string;
    updated_at: Stamped;
    standing_index: Generated<number>;
    printed: Json<Printed>;
    announced_soon: Generated<CalendarDate[]>;
    announced_ended: Generated<CalendarDate[]>;
    next_announcement_on: Generated<CalendarDate | null>;
  };
  series_lines: {
    account_id: string;
    line_id: string;
    series_id: string;
    hashed_periods: number[] | null;
  };
  hashed_line_ids: { account_id: string; id: string; line_id: string; period: string };
  series_line_versions: {
    account_id: string;
    line_id: string;
    from_index: number;
    content: string | null;
  };
  series_line_overrides: {
    account_id: string;
    line_id: string;
    period_index: number;
    content: string | null;
  };
  series_line_assignees: {
    account_id: string;
    line_id: string;
    user_id: string;
    until_index: number | null;
  };
  occurrences: {
    account_id: string;
    series_id: string;
    period_index: number;
    state: "failed" | "skipped";
    reason: string | null;
    failure_code: string | null;
    attempts: Generated<number>;
    next_attempt_at: Timestamp | null;
    updated_at: Generated<Timestamp>;
  };
}
