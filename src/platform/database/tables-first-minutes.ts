/** The tables of the first minutes: sign-in links, the first start, studios and the steps that were put away. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Generated } from "./columns.ts";

export interface FirstMinutesTables {
  sign_in_links: { login_id: string; hash: Buffer; expires_at: Timestamp };
  first_start: {
    login_id: string;
    account_id: string;
    signed_in_at: Timestamp | null;
    claimed_at: Timestamp | null;
  };
  studios: {
    account_id: string;
    login_id: string;
    ends_on: CalendarDate;
    stands: boolean;
    steps_done: Generated<number>;
    lease_until: Timestamp | null;
    finished_at: Timestamp | null;
    put_away_at: Timestamp | null;
  };
  put_away_steps: {
    account_id: string;
    step: "welcome" | "company" | "customer" | "product" | "invoice" | "assistant";
    put_away_at: Generated<Timestamp>;
  };
}
