/** The SQL queries of the configuration and of exchange rates. */

import { type CalendarDate, calendarDate, type Month } from "../../../domain/base/calendar.ts";
import { RATE_DECIMALS, scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { EinvoiceTerms } from "../../../domain/einvoice/missing.ts";
import {
  type ReminderSettings,
  usualReminders,
} from "../../../domain/receivables/reminder-settings.ts";
import type { UsedAccounts } from "../../../domain/sales/account-roles.ts";
import type { Seller } from "../../../domain/sales/document.ts";
import { PERCENT_DECIMALS } from "../../../domain/sales/line.ts";
import { type MailTexts, USUAL_MAIL_TEXTS } from "../../../domain/sales/mail-text.ts";
import type { VatSettings } from "../../../domain/sales/vat.ts";
import { ledgerTitle } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import {
  cursorFrom,
  envelope,
  positionFrom,
  strangeCursor,
} from "../../../platform/database/page.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { ConfigurationResource, type RateQuery, RateResource } from "./schemas.ts";

/** The decimals of the stored limit of roundings. */
export const ROUNDING_LIMIT_DECIMALS = 2;

type ConfigurationRow = Selectable<Tables["configurations"]>;

export type Configuration = Omit<
  ConfigurationRow,
  "account_id" | "seller" | "mail_texts" | "reminders"
> & {
  readonly seller: Seller | null;
  readonly mail_texts: MailTexts;
  readonly reminders: ReminderSettings;
  /** The name of the connected ledger when `period_lock_date` comes from that ledger; null when it is our own lock date. */
  readonly locked_by: string | null;
  /** From this day on it is known what is paid; null while nothing says paid or overdue. */
  readonly receivables_begun_on: CalendarDate | null;
  /** Our own lock date, for PATCH and GET. `period_lock_date` is the later of this date and the connected ledger's. */
  readonly own_lock_date: CalendarDate | null;
  /** The connection through which the account books; null for the built-in ledger. */
  readonly connection_id: string | null;
  /** Whether the books are being moved to another ledger: nothing may be booked meanwhile. */
  readonly is_moving: boolean;
  /** The connection through which the account sends e-invoices; null without one. */
  readonly einvoice_connection_id: string | null;
  /** The formats that this connection carries; null without one. */
  readonly einvoice_formats: readonly string[] | null;
};

/** Locks the configuration, with its lock date, until the commit. */
export function holdConfiguration(tx: Tx): void {
  tx.lock(sql`select from configurations where account_id = ${tx.caller.account_id} for share`);
}

/**
 * Returns the account's configuration, with the lock date in effect. Throws RESOURCE_BUSY when the account has another ledger
 * since the caller's request began: the caller would book in books that are no longer the account's.
 */
export async function getConfiguration(cx: Reader): Promise<Configuration> {
  const row =
    await cx.row<StoredConfiguration>(sql`select c.*, l.locked_through, l.id as connection_id, a.ledger_kind,
       r.begun_on as receivables_begun_on, m.id is not null as is_moving, e.id as einvoice_connection_id,
       e.formats as einvoice_formats
     from configurations c join accounts a on a.id = c.account_id
       left join ledger_connections l on l.account_id = c.account_id and l.is_current
       left join receivables_begins r on r.account_id = c.account_id
       left join einvoice_connections e on e.account_id = c.account_id and e.is_current
       left join ledger_moves m on m.account_id = c.account_id and m.state = 'moving'
     where c.account_id = ${cx.caller.account_id}`);
  if (row === undefined) throw new Error("the account has no configuration");
  const { account_id: _, locked_through, ledger_kind, ...configuration } = row;
  if (ledger_kind !== cx.caller.ledger_kind) {
    throw new Problem("RESOURCE_BUSY", { retry_after_seconds: 1 });
  }
  const own_lock_date = configuration.period_lock_date;
  const period_lock_date = laterOf(own_lock_date, locked_through);
  const locked_by = period_lock_date === own_lock_date ? null : ledgerTitle(cx.ledger);
  const mail_texts = configuration.mail_texts ?? USUAL_MAIL_TEXTS;
  const reminders = configuration.reminders ?? usualReminders(configuration.functional_currency);
  return {
    ...configuration,
    mail_texts,
    reminders,
    own_lock_date,
    period_lock_date,
    locked_by,
  };
}

type StoredConfiguration = Omit<
  Configuration,
  "own_lock_date" | "locked_by" | "mail_texts" | "reminders"
> & {
  readonly reminders: ReminderSettings | null;
  readonly account_id: string;
  readonly mail_texts: MailTexts | null;
  readonly locked_through: CalendarDate | null;
  readonly ledger_kind: string;
};

function laterOf(one: CalendarDate | null, other: CalendarDate | null): CalendarDate | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

export interface Numbering {
  readonly next_invoice_number: bigint;
  readonly next_credit_note_number: bigint;
  readonly next_voucher_number: bigint;
  readonly next_payment_number: bigint;
  readonly next_reminder_number: bigint;
}

/** Returns the counters of document numbers, and locks them until the commit. */
export function lockNumbering(tx: Tx): Promise<Numbering> {
  tx.lock(
    sql`select from ledger_books where account_id = ${tx.caller.account_id} for no key update`,
  );
  return getNumbering(tx);
}

export async function getNumbering(cx: Reader): Promise<Numbering> {
  const row =
    await cx.row<Numbering>(sql`select next_invoice_number, next_credit_note_number, next_voucher_number,
       next_payment_number, next_reminder_number from ledger_books where account_id = ${cx.caller.account_id}`);
  return row ?? NO_NUMBERS;
}

const NO_NUMBERS: Numbering = {
  next_invoice_number: 1n,
  next_credit_note_number: 1n,
  next_voucher_number: 1n,
  next_payment_number: 1n,
  next_reminder_number: 1n,
};

/** Returns the account of each role, and that of the default revenue. */
export function roleAccounts(configuration: Configuration): UsedAccounts {
  return {
    contract_asset: configuration.contract_asset_account,
    contract_liability: configuration.contract_liability_account,
    exchange_difference: configuration.exchange_difference_account,
    customer_credit: configuration.customer_credit_account,
    rounding: configuration.rounding_account,
    payment_fee: configuration.payment_fee_account,
    reminder_fee: configuration.reminder_fee_account,
    interest_income: configuration.interest_income_account,
    default_revenue: configuration.default_revenue_account,
  };
}

/** Presents the configuration as the API shows it. */
export function presentConfiguration(
  cx: Reader,
  configuration: Configuration,
  numbering: Numbering,
): JsonText {
  const { default_revenue: default_revenue_account, ...account_roles } =
    roleAccounts(configuration);
  const domestic_rate = scaledToNumber(BigInt(configuration.vat_domestic_rate), PERCENT_DECIMALS);
  return jsonText(
    ConfigurationResource.parse({
      object: "configuration",
      functional_currency: configuration.functional_currency,
      time_zone: configuration.time_zone,
      recognition_convention: configuration.recognition_convention,
      period_lock_date: configuration.own_lock_date,
      work_lock_date: configuration.work_lock_date,
      account_roles,
      default_revenue_account,
      default_payment_terms: { type: configuration.payment_type, days: configuration.payment_days },
      default_auto_send: configuration.default_auto_send,
      vat: { domestic_rate, domestic_country: configuration.vat_domestic_country },
      numbering: {
        next_invoice_number: Number(numbering.next_invoice_number),
        next_credit_note_number: Number(numbering.next_credit_note_number),
        next_voucher_number: Number(numbering.next_voucher_number),
        next_payment_number: Number(numbering.next_payment_number),
        next_reminder_number: Number(numbering.next_reminder_number),
      },
      payments: {
        rounding_limit: scaledToNumber(
          configuration.payments_rounding_limit,
          ROUNDING_LIMIT_DECIMALS,
        ),
      },
      receivables_begun_on: configuration.receivables_begun_on,
      reminders: configuration.reminders,
      seller: configuration.seller,
      invoice_language_key: configuration.invoice_language_key,
      rate_max_age_days: configuration.rate_max_age_days,
      require_complete_invoices: configuration.require_complete_invoices,
      document_links: configuration.document_links,
      mail_texts: configuration.mail_texts,
      ledger: { connected: cx.ledger !== null, kind: cx.caller.ledger_kind },
      updated_at: configuration.updated_at,
    }),
  );
}

/** Returns what the account adds to the rules of its e-invoices. */
export function einvoiceTerms({
  vat_domestic_country: domestic_country,
  einvoice_formats: carried_formats,
}: Pick<Configuration, "vat_domestic_country" | "einvoice_formats">): EinvoiceTerms {
  return { domestic_country, carried_formats };
}

/** Returns the VAT settings of the configuration. */
export function vatSettings(configuration: Configuration): VatSettings {
  return {
    domestic_rate: configuration.vat_domestic_rate,
    domestic_country: configuration.vat_domestic_country,
  };
}

/** Returns the latest month that a completed close has locked. Read while the configuration is locked, the month stays valid. */
export async function findLockedClose(cx: Reader): Promise<Month | null> {
  const row = await cx.row<{ month: Month | null }>(sql`
    select max(month) as month from period_closes
     where account_id = ${cx.caller.account_id} and status = 'completed' and locks`);
  return row?.month ?? null;
}

/** Whether anything has been booked, or is being booked: then the functional currency is fixed. */
export async function hasBookings(cx: Reader): Promise<boolean> {
  const row = await cx.row<{ found: boolean }>(sql`
    select exists (select from ledger_entries where account_id = ${cx.caller.account_id})
         or exists (select from issued_documents where account_id = ${cx.caller.account_id})
         or exists (select from intents where account_id = ${cx.caller.account_id}
           and state in ('booking', 'unknown', 'pending', 'parked'))
         or exists (select from accrual_bookings where account_id = ${cx.caller.account_id}) as found`);
  return row?.found ?? false;
}

/** A currency and the date for which its rate is wanted. */
interface RateAsked {
  readonly currency: string;
  readonly day: CalendarDate;
}

/** Returns the latest rates on or before the dates, in their order, in millionths. Null without a rate (spec 2.7). */
export async function findRates(cx: Reader, asked: readonly RateAsked[]): Promise<(Rate | null)[]> {
  const keyOf = ({ currency, day }: RateAsked): string => `${currency} ${day}`;
  const distinct = [...new Map(asked.map((one) => [keyOf(one), one])).values()];
  if (distinct.length === 0) return [];
  const { table } = tableOf(distinct, {
    currency: ["text", (one) => one.currency],
    day: ["date", (one) => one.day],
  });
  const found = await cx.rows<RateAsked & Rate>(sql`select r.currency, a.day, r.date, r.rate_micro
     from ${table} as a (currency, day) cross join lateral (
       select e.currency, e.date, e.rate_micro from exchange_rates e
       where e.account_id = ${cx.caller.account_id} and e.currency = a.currency and e.date <= a.day
       order by e.date desc limit 1) as r`);
  const rates = new Map(found.map(({ day, ...rate }) => [keyOf({ ...rate, day }), rate]));
  return asked.map((one) => rates.get(keyOf(one)) ?? null);
}

export interface Rate {
  readonly currency: string;
  readonly date: CalendarDate;
  readonly rate_micro: bigint;
}

export function presentRate(rate: Rate): JsonText {
  return jsonText(
    RateResource.parse({
      object: "exchange_rate",
      currency: rate.currency,
      date: rate.date,
      rate: scaledToNumber(rate.rate_micro, RATE_DECIMALS),
    }),
  );
}

const RATE_POSITION = /^\d{4}-\d\d-\d\d:[A-Z]{3}$/;

/** Lists rates by date, the newest first, then by currency. */
export async function listRates(cx: Reader, page: RateQuery): Promise<JsonText> {
  const position =
    page.cursor === undefined ? null : positionFrom(page.cursor, RATE_POSITION).id.split(":");
  if (position && calendarDate(position[0] ?? "") === undefined) throw strangeCursor();
  const rows = await cx.rows<Rate>(sql`select currency, date, rate_micro from exchange_rates
     where account_id = ${cx.caller.account_id} and (${page.currency ?? null}::text is null or currency = ${page.currency ?? null})
       and (${page.from ?? null}::date is null or date >= ${page.from ?? null}) and (${page.to ?? null}::date is null or date <= ${page.to ?? null})
       and (${position?.[0] ?? null}::date is null or date < ${position?.[0] ?? null} or (date = ${position?.[0] ?? null} and currency > ${position?.[1] ?? null}))
     order by date desc, currency limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: `${last.date}:${last.currency}`, horizon: null }) : null;
  return envelope(shown.map(presentRate), next);
}
