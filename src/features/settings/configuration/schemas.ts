/** The requests and responses of the configuration and of exchange rates (spec 7.3 and 7.4). */
import * as z from "zod";
import { calendarDate, isTimeZone } from "../../../domain/base/calendar.ts";
import { isColor } from "../../../domain/base/color.ts";
import { isCurrency } from "../../../domain/base/currency.ts";
import { RATE_DECIMALS } from "../../../domain/base/money.ts";
import { FIK_CREDITOR, fikCardTypes } from "../../../domain/sales/fik.ts";
import {
  type MailKind,
  placeholdersOf,
  unknownPlaceholder,
} from "../../../domain/sales/mail-text.ts";
import { paymentTypes } from "../../../domain/sales/payment.ts";
import { isRegistrationNumber } from "../../../domain/sales/registration-number.ts";
import {
  as,
  Country,
  Currency,
  component,
  Day,
  decimal,
  ElectronicAddress,
  FirstDay,
  input,
  LanguageTag,
  LastDay,
  listOf,
  MailAddress,
  pageParameters,
  readAs,
  shownText,
  text,
} from "../../../platform/http/schemas.ts";
import { forms, withForm } from "../../../platform/http/written-forms.ts";
import { RemindersUpdate, ShownReminders } from "./reminder-schemas.ts";

const AccountNumber = z.int().min(1).max(99_999_999);
const DocumentNumber = z.int().min(1).max(999_999_999_999);
const ROUNDING_LIMIT =
  "The most by which a payment and what it pays may differ as a rounding, in units of its currency.";
const PAYMENTS = "How much a payment may differ from what it pays.";
/** The roles of payments and reminders, each with what its account is for. */
const ROLES = {
  customer_credit:
    "Number of the account for money of customers that pays no invoice yet; null if none is set.",
  rounding: "Number of the account for small differences of payments; null if none is set.",
  payment_fee: "Number of the account for fees of banks and card companies; null if none is set.",
  reminder_fee:
    "Number of the account for fees and compensation of reminders; null if none is set.",
  interest_income: "Number of the account for interest of late payments; null if none is set.",
};
const NEXT_PAYMENT = "The number of the next payment.";
const NEXT_REMINDER = "The number of the next reminder that charges something.";
const sellerText = text(255).nullable().optional();

const SellerUpdate = z.object({
  name: sellerText,
  street: sellerText,
  zip_code: sellerText,
  city: sellerText,
  country_key: Country.nullable().optional(),
  vat_number: sellerText,
  email: MailAddress.nullable().optional(),
  phone: sellerText,
  bank_registration_number: sellerText,
  bank_account_number: sellerText,
  iban: sellerText,
  swift: sellerText,
  registration_number: withForm(
    z
      .string()
      .refine(
        isRegistrationNumber,
        as("invalid_format", "A CVR number has 8 digits, the last of them a check digit."),
      ),
    forms.registration_number,
  )
    .nullable()
    .optional()
    .meta({
      example: "12345674",
      description: "The CVR number in e-invoices. Unset: the digits of a Danish VAT number.",
    }),
  einvoice_address: ElectronicAddress.nullable().optional().meta({
    description:
      "The electronic address from which e-invoices come. Unset: 0184 and the CVR number.",
  }),
  contact_name: sellerText.describe("The person or department that e-invoices name as contact."),
  fik_creditor_number: z
    .string()
    .regex(FIK_CREDITOR, "A creditor number has 8 digits.")
    .nullable()
    .optional()
    .meta({
      example: "12345678",
      description:
        "The creditor number of Danish payment slips. Invoices in kroner print a payment line with their number.",
    }),
  fik_card_type: z.enum(fikCardTypes).nullable().optional().meta({
    description:
      "The card type of payment slips, which the bank has agreed: 71 or 75 with a payment id, 73 without. Default 71; without a creditor number there is none.",
  }),
  accent_color: withForm(
    z
      .string()
      .refine(isColor, as("invalid_format", "Not a colour of the form #rrggbb."))
      .overwrite((value) => value.toLowerCase()),
    forms.color,
  )
    .nullable()
    .optional()
    .meta({
      example: "#0b5b49",
      description:
        "Of headings on documents. A light colour is printed darker, so that it is legible.",
    }),
});

/** The longest subject and the longest text of a mail, in characters. */
const MOST_SUBJECT = 200;
const MOST_BODY = 2000;

function mailPart(kind: MailKind, most: number) {
  const known = placeholdersOf[kind].map((name) => `{${name}}`).join(", ");
  return withForm(
    text(most)
      .refine(
        (value) => unknownPlaceholder(kind, value) === null,
        as("invalid_value", `A placeholder is not known; known are ${known}.`),
      )
      .overwrite((value) => value.replaceAll("\r\n", "\n")),
    forms.text,
  )
    .meta({ maxLength: most })
    .nullable()
    .optional();
}

function mailTextOf(kind: MailKind) {
  const subject = mailPart(kind, MOST_SUBJECT);
  return z.object({ subject, body: mailPart(kind, MOST_BODY) }).optional();
}

const mailTextsOfLanguage = z.object({
  invoice: mailTextOf("invoice"),
  credit_note: mailTextOf("credit_note"),
});

export const ConfigurationUpdate = input("ConfigurationUpdate", {
  functional_currency: Currency.optional().describe(
    "The currency of the books and of every product's `default_price`. It can change until the first booking; prices then remain in the currency in which they were given.",
  ),
  time_zone: z
    .string()
    .refine(isTimeZone, as("invalid_value", "Not an IANA time zone."))
    .optional(),
  recognition_convention: z.enum(["monthly", "daily"]).optional(),
  period_lock_date: Day.nullable().optional(),
  work_lock_date: Day.nullable().optional(),
  account_roles: z
    .object({
      contract_asset: AccountNumber.nullable().optional(),
      contract_liability: AccountNumber.nullable().optional(),
      exchange_difference: AccountNumber.nullable().optional(),
      customer_credit: AccountNumber.nullable().optional().describe(ROLES.customer_credit),
      rounding: AccountNumber.nullable().optional().describe(ROLES.rounding),
      payment_fee: AccountNumber.nullable().optional().describe(ROLES.payment_fee),
      reminder_fee: AccountNumber.nullable().optional().describe(ROLES.reminder_fee),
      interest_income: AccountNumber.nullable().optional().describe(ROLES.interest_income),
    })
    .optional(),
  default_revenue_account: AccountNumber.nullable().optional(),
  default_payment_terms: z
    .object({ type: z.enum(paymentTypes).optional(), days: z.int().min(0).max(3650).optional() })
    .optional(),
  default_auto_send: z.boolean().optional(),
  vat: z
    .object({
      domestic_rate: decimal(2, 0, 100).optional(),
      domestic_country: Country.optional(),
    })
    .optional(),
  numbering: z
    .object({
      next_invoice_number: DocumentNumber.optional(),
      next_credit_note_number: DocumentNumber.optional(),
      next_voucher_number: DocumentNumber.optional(),
      next_payment_number: DocumentNumber.optional().describe(NEXT_PAYMENT),
      next_reminder_number: DocumentNumber.optional().describe(NEXT_REMINDER),
    })
    .optional(),
  payments: z
    .object({
      rounding_limit: decimal(2, 0, 1_000_000).optional().describe(ROUNDING_LIMIT),
    })
    .optional()
    .describe(PAYMENTS),
  reminders: RemindersUpdate,
  seller: SellerUpdate.nullable().optional(),
  invoice_language_key: LanguageTag.optional(),
  rate_max_age_days: z.int().min(0).max(3650).nullable().optional().meta({
    description:
      "Documents are not booked with an exchange rate that is more than this number of days older; null: any.",
  }),
  require_complete_invoices: z.boolean().optional().meta({
    description:
      "Whether an invoice without name, address or VAT number of the seller, or without name or address of the customer, is refused.",
  }),
  document_links: z.boolean().optional(),
  mail_texts: z
    .object({ da: mailTextsOfLanguage, en: mailTextsOfLanguage })
    .partial()
    .optional()
    .meta({
      description:
        "The account's own subjects and texts of mails of documents, by language and kind of the document. Null takes the usual text. Plain text with the placeholders `{number}`, `{customer}`, `{amount}`, `{sender}` and, for invoices, `{due_date}`; another text in braces is refused.",
    }),
});
export type ConfigurationUpdate = z.output<typeof ConfigurationUpdate>;

const shownLogo = {
  sha256: z.string(),
  content_type: z.enum(["image/png", "image/jpeg"]),
  width: z.int(),
  height: z.int(),
};
const ShownLogo = z.strictObject(shownLogo);

/** Slightly above the largest picture in base64, so that larger pictures are rejected later with a better reason. */
const MOST_LOGO_TEXT = 800_000;

export const LogoPut = input("LogoInput", {
  content: z
    .string()
    .max(MOST_LOGO_TEXT)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, "Not base64.")
    .describe(
      "The file in base64: a PNG or JPEG of at most 300,000 bytes, 2,000 pixels wide and high and 500,000 in all.",
    ),
});

export const LogoResource = component("Logo", { object: z.literal("logo"), ...shownLogo });

const shownMailText = z.strictObject({ subject: shownText, body: shownText });
const shownMailTexts = z.strictObject({ invoice: shownMailText, credit_note: shownMailText });

export const ConfigurationResource = component("Configuration", {
  object: z.literal("configuration"),
  functional_currency: z.string(),
  time_zone: z.string(),
  recognition_convention: z.enum(["monthly", "daily"]),
  period_lock_date: shownText,
  work_lock_date: shownText,
  account_roles: z.strictObject({
    contract_asset: z.int().nullable(),
    contract_liability: z.int().nullable(),
    exchange_difference: z.int().nullable(),
    customer_credit: z.int().nullable().describe(ROLES.customer_credit),
    rounding: z.int().nullable().describe(ROLES.rounding),
    payment_fee: z.int().nullable().describe(ROLES.payment_fee),
    reminder_fee: z.int().nullable().describe(ROLES.reminder_fee),
    interest_income: z.int().nullable().describe(ROLES.interest_income),
  }),
  default_revenue_account: z.int().nullable(),
  default_payment_terms: z.strictObject({ type: z.enum(paymentTypes), days: z.int() }),
  default_auto_send: z.boolean(),
  vat: z.strictObject({ domestic_rate: z.number(), domestic_country: z.string() }),
  numbering: z.strictObject({
    next_invoice_number: z.int(),
    next_credit_note_number: z.int(),
    next_voucher_number: z.int(),
    next_payment_number: z.int().describe(NEXT_PAYMENT),
    next_reminder_number: z.int().describe(NEXT_REMINDER),
  }),
  payments: z
    .strictObject({ rounding_limit: z.number().describe(ROUNDING_LIMIT) })
    .describe(PAYMENTS),
  receivables_begun_on: shownText.describe(
    "From this day on Matchbook knows what is paid; null while nothing says paid or overdue.",
  ),
  reminders: ShownReminders,
  seller: z
    .strictObject({
      name: shownText,
      street: shownText,
      zip_code: shownText,
      city: shownText,
      country_key: shownText,
      vat_number: shownText,
      email: shownText,
      phone: shownText,
      bank_registration_number: shownText,
      bank_account_number: shownText,
      iban: shownText,
      swift: shownText,
      registration_number: z
        .string()
        .optional()
        .describe(
          "The CVR number, eight digits; absent where it is that of the Danish VAT number.",
        ),
      einvoice_address: z
        .string()
        .optional()
        .describe(
          "Electronic address from which e-invoices come, `scheme:value`; absent where it is 0184 and the CVR number.",
        ),
      contact_name: z
        .string()
        .optional()
        .describe(
          "The person or department that e-invoices name as contact; absent when there is none.",
        ),
      fik_creditor_number: z.string().optional(),
      fik_card_type: z.enum(fikCardTypes).optional(),
      accent_color: z.string().optional(),
      logo: ShownLogo.optional().describe("Set by `PUT /configuration/logo`."),
    })
    .nullable(),
  invoice_language_key: z.string(),
  rate_max_age_days: z.int().nullable(),
  require_complete_invoices: z.boolean(),
  document_links: z.boolean(),
  mail_texts: z.strictObject({ da: shownMailTexts, en: shownMailTexts }),
  ledger: z.strictObject({ connected: z.boolean(), kind: z.string() }),
  updated_at: z.string(),
});

const RatePath = {
  currency: withForm(
    z.string().refine(isCurrency, as("invalid_value", "Not a currency of ISO 4217.")),
    forms.currency,
  ),
  date: withForm(readAs(calendarDate, "Not a day of the form YYYY-MM-DD."), forms.day).meta({
    type: "string",
    format: "date",
  }),
};
export const RateParams = z.object(RatePath);

export const RatePut = input("ExchangeRatePut", {
  rate: decimal(RATE_DECIMALS, 0.000001, 1_000_000_000).describe(
    "Units of functional currency for one unit of the currency.",
  ),
});

export const RateResource = component("ExchangeRate", {
  object: z.literal("exchange_rate"),
  currency: z.string(),
  date: z.string(),
  rate: z.number(),
});

export const RateList = listOf(RateResource).meta({ id: "ExchangeRateList" });

export const RateQuery = z.object({
  ...pageParameters,
  currency: Currency.optional(),
  from: FirstDay.optional(),
  to: LastDay.optional(),
});
export type RateQuery = z.output<typeof RateQuery>;
