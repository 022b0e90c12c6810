/** Changes the configuration (spec 7.3) and stores exchange rates (7.4). */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { RATE_DECIMALS, scaledFromChecked, scaledFromNumber } from "../../../domain/base/money.ts";
import {
  type FieldError,
  invalidField,
  Problem,
  requireValid,
} from "../../../domain/base/problem.ts";
import { electronicAddressFaults } from "../../../domain/einvoice/electronic-address.ts";
import { requireLockKept } from "../../../domain/revenue/accrual-booking.ts";
import { roleFaults } from "../../../domain/sales/account-roles.ts";
import type { Seller } from "../../../domain/sales/document.ts";
import { PERCENT_DECIMALS } from "../../../domain/sales/line.ts";
import type {
  MailKind,
  MailLanguage,
  MailText,
  MailTexts,
} from "../../../domain/sales/mail-text.ts";
import { vatNumberFaults } from "../../../domain/sales/vat-number.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { takeStamp } from "../../../platform/database/resources.ts";
import { raw, sql, update } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { booksOf, requireAccount, withoutSales } from "./accounts.ts";
import { remindersFaults, remindersWith, storedReminders } from "./change-reminders.ts";
import { lockFollowingBank, moveBankAccount } from "./move-bank-account.ts";
import { movePrices } from "./move-prices.ts";
import {
  type Configuration,
  findLockedClose,
  getConfiguration,
  getNumbering,
  hasBookings,
  lockNumbering,
  type Numbering,
  presentConfiguration,
  presentRate,
  ROUNDING_LIMIT_DECIMALS,
  roleAccounts,
} from "./queries.ts";
import { ConfigurationUpdate, RateParams, RatePut } from "./schemas.ts";

interface ConfigurationPlan {
  readonly before: Configuration;
  readonly after: Configuration;
  readonly numbering: Numbering;
  readonly sent: ConfigurationUpdate;
}

/**
 * Changes the given fields of the configuration; nested objects are merged. Another functional currency moves the prices of
 * products and the default bank account. Throws CONFIGURATION_LOCKED, PERIOD_CLOSED.
 */
export const changeConfiguration = defineCommand({
  name: "change_configuration",
  access: "write",
  input: ConfigurationUpdate,

  async plan(tx, sent): Promise<ConfigurationPlan> {
    const plan = await planChange(tx, sent);
    const { before, after } = plan;
    if (before.functional_currency !== after.functional_currency && (await hasBookings(tx))) {
      throw new Problem("CONFIGURATION_LOCKED", { details: { field: "functional_currency" } });
    }
    if (sent.period_lock_date !== undefined) {
      const closed = await findLockedClose(tx);
      requireLockKept(before.own_lock_date, after.own_lock_date, closed);
    }
    return plan;
  },

  async commit(tx, { before, after, numbering, sent }): Promise<JsonText> {
    const was = presentConfiguration(tx, before, numbering);
    await ensureAccounts(tx, sent);
    const numbers = sent.numbering ? await renumbered(tx, sent.numbering) : numbering;
    if (was === presentConfiguration(tx, after, numbers)) return was;
    const { account_id } = tx.caller;
    const [from, to] = [before.functional_currency, after.functional_currency];
    if (from !== to) {
      const bank = await lockFollowingBank(tx, from);
      await movePrices(tx, from, to);
      if (bank !== undefined) moveBankAccount(tx, bank, to);
    }
    const updated_at = await takeStamp(tx);
    const {
      own_lock_date: period_lock_date,
      locked_by: _1,
      receivables_begun_on: _2,
      connection_id: _3,
      is_moving: _4,
      einvoice_connection_id: _5,
      einvoice_formats: _6,
      ...rest
    } = after;
    const seller = after.seller && JSON.stringify(after.seller);
    const mail_texts = JSON.stringify(after.mail_texts);
    const reminders = storedReminders(after);
    const row = { ...rest, period_lock_date, seller, mail_texts, reminders, updated_at };
    tx.write(sql`${update("configurations", row)} where account_id = ${account_id}`);
    const is = presentConfiguration(tx, await getConfiguration(tx), numbers);
    tx.audit("configuration", account_id, "updated", { before: was, after: is });
    return is;
  },
});

/** Moves the lock date for a close that ends or is reopened, without any check. */
export async function moveLockDate(tx: Tx, period_lock_date: CalendarDate | null): Promise<void> {
  await changeConfiguration.commit(tx, await planChange(tx, { period_lock_date }));
}

/** Changes the parts of the seller that no field of the configuration sets. */
export async function changeSeller(tx: Tx, change: (seller: Seller) => Seller): Promise<void> {
  const plan = await planChange(tx, {});
  const seller = change(plan.before.seller ?? noSeller);
  await changeConfiguration.commit(tx, { ...plan, after: { ...plan.after, seller } });
}

async function planChange(tx: Tx, sent: ConfigurationUpdate): Promise<ConfigurationPlan> {
  const before = await lockConfiguration(tx);
  const after = merged(before, sent);
  requireValid([
    ...sellerFaults(before, after),
    ...remindersFaults(after, sent),
    ...(await accountFaults(tx, after, sent)),
  ]);
  const numbering = await getNumbering(tx);
  return { before, after, numbering, sent };
}

/** Returns faults of the named accounts whose other uses exclude them. */
async function accountFaults(
  tx: Tx,
  after: Configuration,
  { account_roles = {}, default_revenue_account }: ConfigurationUpdate,
): Promise<FieldError[]> {
  const roles = Object.keys(account_roles) as (keyof typeof account_roles)[];
  const named = [
    ...roles,
    ...(default_revenue_account === undefined ? [] : (["default_revenue"] as const)),
  ];
  if (named.length === 0) return [];
  const { account_id } = tx.caller;
  const [sold, banks] = await Promise.all([
    tx.rows<{ account_number: number }>(sql`select distinct account_number from products
      where account_id = ${account_id} and account_number = any(${[...withoutSales(after)]})`),
    tx.rows<{ ledger_account: number }>(
      sql`select ledger_account from bank_accounts where account_id = ${account_id}`,
    ),
  ]);
  const control = booksOf(tx)?.control_accounts;
  return roleFaults(roleAccounts(after), named, {
    control: control === undefined ? [] : [control.receivables, control.vat],
    of_banks: banks.map(({ ledger_account }) => ledger_account),
    sold_on: sold.map(({ account_number }) => account_number),
  });
}

/** Creates or replaces the rate of a currency on a date. Existing bookings keep their rate. */
export const putRate = defineCommand({
  name: "put_exchange_rate",
  access: "write",
  input: RateParams.extend({ rate: RatePut.shape.rate }),

  async plan(tx, { currency, date, rate }) {
    const { functional_currency } = await getConfiguration(tx);
    if (currency === functional_currency) {
      throw invalidField("currency", "not_allowed", "The functional currency has no rate.");
    }
    const rate_micro = scaledFromNumber(rate, RATE_DECIMALS);
    if (typeof rate_micro === "string") throw invalidField("rate", rate_micro, "Not a rate.");
    return { currency, date, rate_micro };
  },

  async commit(tx, rate): Promise<JsonText> {
    const { account_id } = tx.caller;
    const earlier = await tx.row<{ rate_micro: bigint }>(
      sql`select rate_micro from exchange_rates where account_id = ${account_id} and currency = ${rate.currency} and date = ${rate.date} for no key update`,
    );
    tx.write(sql`insert into exchange_rates (account_id, currency, date, rate_micro, updated_at)
       values (${account_id}, ${rate.currency}, ${rate.date}, ${rate.rate_micro}, clock_timestamp())
       on conflict (account_id, currency, date) do update set rate_micro = excluded.rate_micro, updated_at = excluded.updated_at`);
    const before = earlier ? presentRate({ ...rate, ...earlier }) : null;
    const after = presentRate(rate);
    if (before !== after) {
      tx.audit(
        "exchange_rate",
        `${rate.currency}:${rate.date}`,
        before === null ? "created" : "updated",
        { before, after },
      );
    }
    return after;
  },
});

/** Locks the configuration, so that a booking never sees a part of a change. */
export function lockConfiguration(tx: Tx): Promise<Configuration> {
  tx.lock(
    sql`select from configurations where account_id = ${tx.caller.account_id} for no key update`,
  );
  return getConfiguration(tx);
}

/** The usual card type of payment slips. */
const DEFAULT_CARD_TYPE = "71";

const noSeller: Seller = {
  name: null,
  street: null,
  zip_code: null,
  city: null,
  country_key: null,
  vat_number: null,
  email: null,
  phone: null,
  bank_registration_number: null,
  bank_account_number: null,
  iban: null,
  swift: null,
};

function merged(before: Configuration, sent: ConfigurationUpdate): Configuration {
  const { account_roles: roles, default_payment_terms: terms, vat, seller } = sent;
  const limit = sent.payments?.rounding_limit;
  const domestic_rate = scaledFromNumber(vat?.domestic_rate ?? 0, PERCENT_DECIMALS);
  return {
    ...before,
    ...given({
      functional_currency: sent.functional_currency,
      time_zone: sent.time_zone,
      recognition_convention: sent.recognition_convention,
      own_lock_date: sent.period_lock_date,
      work_lock_date: sent.work_lock_date,
      contract_asset_account: roles?.contract_asset,
      contract_liability_account: roles?.contract_liability,
      exchange_difference_account: roles?.exchange_difference,
      customer_credit_account: roles?.customer_credit,
      rounding_account: roles?.rounding,
      payment_fee_account: roles?.payment_fee,
      reminder_fee_account: roles?.reminder_fee,
      interest_income_account: roles?.interest_income,
      payments_rounding_limit:
        limit === undefined ? undefined : scaledFromChecked(limit, ROUNDING_LIMIT_DECIMALS),
      default_revenue_account: sent.default_revenue_account,
      payment_type: terms?.type,
      payment_days: terms?.days,
      default_auto_send: sent.default_auto_send,
      vat_domestic_rate: vat?.domestic_rate === undefined ? undefined : Number(domestic_rate),
      vat_domestic_country: vat?.domestic_country,
      invoice_language_key: sent.invoice_language_key,
      rate_max_age_days: sent.rate_max_age_days,
      require_complete_invoices: sent.require_complete_invoices,
      document_links: sent.document_links,
    }),
    ...(seller === undefined ? {} : { seller: seller && sellerWith(before.seller, seller) }),
    mail_texts: mailTextsWith(before.mail_texts, sent.mail_texts ?? {}),
    reminders: remindersWith(before, sent),
  };
}

/** Returns the texts with those that were sent; an empty text is the usual one. */
function mailTextsWith(
  before: MailTexts,
  sent: NonNullable<ConfigurationUpdate["mail_texts"]>,
): MailTexts {
  const textOf = (language: MailLanguage, kind: MailKind): MailText => {
    const { subject, body } = { ...before[language][kind], ...given(sent[language]?.[kind] ?? {}) };
    return { subject: subject || null, body: body || null };
  };
  const ofLanguage = (language: MailLanguage) => ({
    invoice: textOf(language, "invoice"),
    credit_note: textOf(language, "credit_note"),
  });
  return { da: ofLanguage("da"), en: ofLanguage("en") };
}

/** Returns faults of the seller's changed numbers, by the seller's country, or else by the country of the account. */
function sellerFaults(before: Configuration, { seller, ...after }: Configuration): FieldError[] {
  if (seller === null) return [];
  const { vat_number, einvoice_address } = seller;
  const country_key = seller.country_key ?? after.vat_domestic_country;
  return [
    ...(vat_number === (before.seller?.vat_number ?? null)
      ? []
      : vatNumberFaults(vat_number, country_key, "seller.vat_number")),
    ...(einvoice_address === before.seller?.einvoice_address
      ? []
      : electronicAddressFaults(einvoice_address ?? null, "seller.einvoice_address")),
  ];
}

function sellerWith(
  before: Seller | null,
  sent: NonNullable<ConfigurationUpdate["seller"]>,
): Seller {
  const {
    accent_color,
    fik_creditor_number,
    fik_card_type,
    registration_number,
    einvoice_address,
    contact_name,
    ...seller
  } = { ...noSeller, ...before, ...given(sent) };
  return {
    ...seller,
    ...(registration_number ? { registration_number } : {}),
    ...(einvoice_address ? { einvoice_address } : {}),
    ...(contact_name ? { contact_name } : {}),
    ...(fik_creditor_number
      ? { fik_creditor_number, fik_card_type: fik_card_type ?? DEFAULT_CARD_TYPE }
      : {}),
    ...(accent_color ? { accent_color } : {}),
  };
}

function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]: never } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]: never };
}

async function ensureAccounts(tx: Tx, sent: ConfigurationUpdate): Promise<void> {
  const roles = sent.account_roles ?? {};
  const wanted = [
    [roles.contract_asset, ["asset"], "account_roles.contract_asset"],
    [roles.contract_liability, ["liability"], "account_roles.contract_liability"],
    [roles.exchange_difference, ["expense", "income"], "account_roles.exchange_difference"],
    [roles.customer_credit, ["liability"], "account_roles.customer_credit"],
    [roles.rounding, ["expense", "income"], "account_roles.rounding"],
    [roles.payment_fee, ["expense"], "account_roles.payment_fee"],
    [roles.reminder_fee, ["income"], "account_roles.reminder_fee"],
    [roles.interest_income, ["income"], "account_roles.interest_income"],
  ] as const;
  for (const [number, types, field] of wanted) {
    if (number !== undefined && number !== null) await requireAccount(tx, number, types, field);
  }
  const { default_revenue_account: number } = sent;
  if (number !== undefined && number !== null) {
    await requireAccount(tx, number, ["income"], "default_revenue_account", "DK25");
  }
}

const kindOfCounter = {
  next_invoice_number: "invoice",
  next_credit_note_number: "credit_note",
  next_voucher_number: "voucher",
  next_payment_number: "payment",
  next_reminder_number: "reminder",
} as const;

/** Returns the raised document counters of our own books. Requires no document in their series yet (spec 7.3). */
async function renumbered(
  tx: Tx,
  sent: NonNullable<ConfigurationUpdate["numbering"]>,
): Promise<Numbering> {
  const now = await lockNumbering(tx);
  const { account_id } = tx.caller;
  for (const [counter, value] of Object.entries(sent) as [keyof Numbering, number | undefined][]) {
    if (value === undefined || BigInt(value) === now[counter]) continue;
    if (tx.ledger?.transactional === false) {
      const message = "The connected accounting system numbers documents itself.";
      throw new Problem("CONFIGURATION_LOCKED", { message, details: { field: "numbering" } });
    }
    const booked = await tx.row(
      sql`select 1 from ledger_entries where account_id = ${account_id} and kind = ${kindOfCounter[counter]} limit 1`,
    );
    if (booked !== undefined) {
      throw new Problem("CONFIGURATION_LOCKED", { details: { field: `numbering.${counter}` } });
    }
    if (BigInt(value) < now[counter]) {
      throw invalidField(`numbering.${counter}`, "too_small", "A number may only be increased.");
    }
    tx.write(
      sql`update ledger_books set ${raw(counter)} = ${value} where account_id = ${account_id}`,
    );
  }
  return getNumbering(tx);
}
