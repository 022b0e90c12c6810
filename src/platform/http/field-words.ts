/**
 * Descriptions of fields and parameters, with unit and form, by name. OpenAPI shows such a description where a schema has none.
 * `Owner.field` takes precedence over `field`; an owner is a component or the enclosing field. `*Component` is the unit of the
 * component's amounts that name no other unit. Assistants do not get these descriptions.
 */

export const WORDS = `
*AccrualDetail, *LedgerAccount, *Reconciliation: In functional currency.
*CreditNotePreview, *CreditNoteRow, *InvoiceRow: In the invoice's currency.
*RecognitionEntry, *RollforwardEntry, *SentStatement, *Statement, *StatementRow: In \`currency\`.
*RecognitionExplanation: In the line's currency.
*VatReport: In DKK.
Accrual, AccrualDetail.status: \`draft\` until its voucher is booked, or nothing needs one; then \`booked\`.
CreditNote, CreditNoteRow.status: \`draft\` while it is queued or being booked, then \`issued\`.
Invoice, InvoiceRow, IssuedInvoice.status: \`draft\` may be changed; \`issued\` is numbered, booked and frozen.
Occurrence, occurrences.status: \`scheduled\` until it falls due; \`failed\` is tried again; \`dropped\` is after the end of the series.
PeriodClose.status: \`completed\` when nothing failed, \`partial\` when something did, \`reopened\` after a reopening.
RecurringSeries, RecurringSeriesRow, CancelledSeries.status: \`draft\` issues nothing; \`active\` is issued by the scheduler.
Configuration, ConfigurationUpdate.vat: The VAT at home.
da, en.credit_note: In mails of credit notes.
da, en.invoice: In mails of invoices.
invoice, credit_note.body: The account's own text; null takes the usual one.
invoice, credit_note.subject: The account's own subject; null takes the usual one.
mail_texts.da: In mails of Danish documents.
mail_texts.en: In mails of English documents.
SentStatement, Statement.lines: The changes of the balance in the period.
lines.balance: Balance after the change, in \`currency\`.
account_roles.exchange_difference: Number of the account for exchange differences; null if none is set.
account_roles.contract_asset: Number of the account for revenue earned and not invoiced yet; null if none is set.
account_roles.contract_liability: Number of the account for amounts invoiced and not earned yet; null if none is set.
lines.earned_to_date: Earned through the month, in the line's currency.
months, RecognitionExplanation.earned: Earned in the month, in the line's currency.
months.invoiced: Net invoiced in the month, in the line's currency.
Accrual.id: UUID, which stays the same for a customer and a month.
AccrualDetail.contracts: By contract, in functional currency; null while an exchange rate is missing.
AccrualDetail.entries: The voucher that is or will be booked, in functional currency; null while an exchange rate is missing.
AccrualDetail.lines: The lines that earned, were invoiced or have a balance.
AuditEvent.action: The action, as \`invoice.issued\`.
AuditEvent.at: When, by the real clock; ISO 8601, UTC.
AuditEvent.id: UUID of the event.
BankAccount.ledger_account: Number of its account in the books.
CancelInput.credit: \`prorated\` credits the unused days invoiced beyond the end; \`none\` credits nothing.
CancelledSeries.credit_notes: The credit notes of the cancellation: queued, to be issued by the next scheduler run.
Configuration.ledger: The accounting system that documents are booked in.
CreditNote.lines: What is credited, line by line of the invoice.
CreditNoteCreate, CreditNotePreviewInput.lines: Amounts to credit by line, at least one of them above 0; only in a partial credit note, which requires them.
Delivery.at: When the attempt was made; ISO 8601, UTC.
Error.details: More about the refusal, by its code, such as the id that caused it.
ExchangeRate.currency: The foreign currency, ISO 4217.
ExchangeRate.date: The first day on which the rate applies, \`YYYY-MM-DD\`.
ExchangeRate.rate: The value of one unit of the currency in functional currency; at most six decimals.
InvoiceLineInput, SeriesLineInput, SeriesLineChange.assignees: The people who work on the line, each once. Except on a line by \`hours\`, either none has a percentage, or all have one and the percentages add up to 100.
InvoiceLineInput, SeriesLineInput, SeriesLineChange.budget_hours: Estimated hours of the whole line; required for \`progress\`, not allowed for other methods.
InvoiceLineInput.service_from: First day of the service period, \`YYYY-MM-DD\`; only for \`value\`, and together with \`service_to\`.
InvoiceLineInput.service_to: Last day of the service period, \`YYYY-MM-DD\`, less than ten years after the first; only for \`value\`.
LedgerAccount.type: The type of the account.
LedgerEntry.kind: What was booked.
LedgerEntry.number: The number of the document, without gaps within its kind.
LedgerEntry.text: What the entry is about, as the journal shows it.
LedgerAccount.number: The account's number.
LedgerAccount, LedgerAccountUpdate.vat_code: VAT code of future sales to the account; null if only the customer determines it.
Occurrence.issue_date: The day on which it is, or is planned to be, issued; \`YYYY-MM-DD\`.
PeriodClose.errors: Customers whose booking was refused, and why.
PeriodClose.failed: How many customers' bookings were refused.
PeriodClose.closed_by: Who closed the month; null while it is not closed.
Product.name: The name on lines and documents.
RecognitionExplanation.amount: The total that the line invoices, net of VAT, in the line's currency.
RecognitionExplanation.convention: How straight-line revenue is spread: \`monthly\` by whole months and days of parts, \`daily\` by days.
RecognitionExplanation.credit_notes: The credit notes that reduce the line.
RecognitionExplanation, rows.discount: In percent, 0 to 100.
RecognitionExplanation.earned_before: Earned through the end of the previous month, in the line's currency.
RecognitionExplanation.forecast: True if the month is in the future.
RecognitionExplanation.progress: The progress of the line at the end of the month: \`part\` of \`whole\`.
RecognitionExplanation.rows: The rows that the line prints; their nets add up to the amount.
RecognitionExplanation, months.users: How the month's revenue is split among users.
RecognitionSchedule.lines: By line of the invoice, in its currency.
SchedulerRun.issued: The occurrences that were issued.
SchedulerRun.skipped: The occurrences that had nothing to invoice, and why.
SchedulerRun.failed: The occurrences that were refused; they are tried again.
SeriesLineInput, SeriesLineChange.recognition_method: How the line earns revenue; \`milestone\` is not allowed in a series. \`value\`: evenly over its service period. \`hours\`: hours × rate, in the month of the work. \`progress\`: agreed value × hours ÷ budget. \`on_issue\`: all on the invoice's date.
SeriesLineInput, SeriesLineChange.service_from: Null or left out: the period of the occurrence is the service period.
SeriesLineInput, SeriesLineChange.service_to: Null or left out, as \`service_from\`.
SeriesPreview.until: The last day of the preview, \`YYYY-MM-DD\`.
SeriesPreview.occurrences: The occurrences that fall due until that day, the earliest first.
SeriesLine.line_id: Permanent UUID of the line.
TestClock.now: The current time of the account; ISO 8601, UTC; null while it follows the real clock.
Totals, vat_breakdown.vat: VAT, in the document's currency.
Totals.lines: By line of the document, in its order.
TrialBalance.accounts: The accounts that have a balance or were posted to, in functional currency.
TrialBalance.from: First day, \`YYYY-MM-DD\`; null: from the beginning.
TrialBalance.to: Last day, \`YYYY-MM-DD\`; null: through everything booked.
User, UserUpdate.active: Whether the person may sign in and be assigned.
User, UserCreate, UserUpdate.role: \`admin\` has access to everything, \`standard\` to assigned work.
User, UserCreate, UserUpdate.email: E-mail address to sign in with.
VatReport.boxes: The fields of the Danish VAT return, in DKK.
VatReport.documents: With \`include=documents\`: those behind each field.
VatReport.eu_sales: The EU sales list: by customer, in DKK.
VatReport.from: First day, \`YYYY-MM-DD\`.
VatReport.to: Last day, \`YYYY-MM-DD\`.
Verification.checks: The checks and their findings.
Warning.code: The subject of the warning; new codes may be added.
Warning.message: The warning as a sentence.
WorkRegistration.status: \`open\` until it is invoiced; \`dropped\` with its period.
WorkRegistrationCreate, WorkRegistrationUpdate.hours: Hours of work.
accruals.earned: In the line's currency.
accruals.carried: Whether it belongs to a closed month and is carried into this accrual.
actor.id: UUID of the key or person; a name for actions of the service itself.
actor.kind: An API key, a person, the scheduler, or the operator of the service.
blockers.details: More about the refusal, by its code.
contract.invoice_id: UUID of the invoice that is the contract; null for another.
contract.opening_contract_id: UUID of the opening contract that is the contract; null for another.
contract.series_id: UUID of the series that is the contract; null for another.
credit_notes.amount: Net of VAT, in the currency of the line or document.
credit_notes.credit_note_id: UUID of the credit note; null while it is queued without one.
credit_notes.kind: \`full\` credits the whole invoice, \`partial\` a part.
credit_notes.status: \`draft\` while it is queued, then \`issued\`.
default_payment_terms.type: How the due date follows from the issue date: \`Netto\` after \`days\`, \`NettoCash\` immediately, \`CurrentMonthOut\` \`days\` after the end of the month.
dropped_occurrences.work_registrations: The number of its work registrations.
error.code: The refusal, for programs to compare; never renamed.
error.message: The refusal as a sentence, and what to do about it.
eu_sales.documents: With \`include=documents\`: those behind the figures.
faults.what: The fault, as a sentence.
field_errors.code: The fault of the field, for programs to compare.
field_errors.message: The fault, as a sentence.
functional.currency: The account's functional currency, ISO 4217.
functional.earned: Earned in the month, in functional currency; null while a rate is missing.
functional.exchange_difference: Difference of rates in the month, in functional currency; null while a rate is missing.
functional.invoiced: Invoiced in the month, in functional currency; null while a rate is missing.
functional.rate: The value of one unit of the line's currency in functional currency; null while it is missing.
ledger.connected: Whether documents can be booked.
ledger.kind: Which accounting system; \`builtin\` is part of Matchbook.
lines.id: UUID of the line.
lines.description: The printed text of the line.
lines.amount: Net of VAT, in the document's currency.
lines.months: Month by month.
months.carried: Whether the month is closed, so that this accrual carries it.
occurrences.lines: The lines of the future invoice.
postings.credit: Credited, in functional currency; 0 for a debit.
postings.debit: Debited, in functional currency; 0 for a credit.
postings.customer_id: UUID of the customer of the posting; null if it has none.
prices.amount: Price of one unit, in this currency, net of VAT.
prices.currency: ISO 4217; neither twice nor the functional currency.
progress.part: The part completed through the month, as decimal text in the unit.
progress.unit: The unit of the progress.
progress.whole: The total, as decimal text in the unit.
reversal_voucher.guid: UUID of the voucher that reversed the booking.
rows.net: Net of VAT, in the document's currency.
rows.quantity: Number of units or hours.
rows.unit_price: Price of one unit or hour before the discount, net of VAT, in the document's currency.
seller.accent_color: Colour of headings on documents, \`#rrggbb\`; absent for black.
seller.country_key: Country, ISO 3166-1 alpha-2 in upper case.
seller.email: E-mail address on documents.
seller.fik_card_type: Card type of payment slips; absent without a creditor number.
seller.fik_creditor_number: Creditor number of Danish payment slips, eight digits; absent when there is none.
seller.name: Name on documents.
seller.phone: Telephone number on documents.
seller.vat_number: The seller's number for VAT.
share.days: Number of days of the part.
share.of: Number of days of the whole period.
skipped.reason: The reason why there was nothing to invoice.
users.earned: The person's part, in the line's currency.
users.user_id: UUID of the person; null for unassigned revenue.
vat_breakdown.base: Net amount to which the rate applies, in the document's currency.
vat_breakdown.rate: In percent; 25 is 25 %.
voucher.guid: UUID of the voucher in the ledger.
warnings.count: The number of cases.
account_number: Number of the account in the ledger; null if none is set.
account_role: The purpose of the account.
account_roles: The accounts of accruals, payments and reminders, by role; account numbers, null if none is set.
accounting_cost: The account, project or cost centre in the buyer's books, printed; absent if not set here.
accrual_id: UUID of the accrual; null where there is none yet.
accrual_month: The month that is accrued, \`YYYY-MM\`.
action: The action.
actor: The actor.
active: \`true\` lists active ones only, \`false\` inactive ones only.
address: The e-mail address to which it was sent; null if there is none.
agreed_value: The agreed price, net of VAT, in the document's currency, before the discount; null on lines by hours.
alignment: Where periods begin: \`anniversary\` counts from \`start_date\`, \`calendar\` from the first of the week, month, quarter, half-year or year.
amount: Net of VAT, in the document's currency.
assignees: The users who work on the line, and how its revenue is split among them.
at: When; ISO 8601, UTC.
att_person: The contact person named on documents.
auto_send: Whether it is sent to the customer when it is issued.
balance_after: Balance after the accrual, in functional currency: above 0 an asset, below a liability; null while a rate is missing.
balance_before: Balance before the accrual, in functional currency: above 0 an asset, below a liability; null while a rate is missing.
bank_account_number: Number of the bank account to pay to.
bank_registration_number: Registration number of the bank.
billable: Whether the hours are invoiced and earn.
booked_at: When its voucher was booked; ISO 8601, UTC; null before.
booked_with_voucher: How many customers' accruals were booked with a voucher.
booked_without_voucher: How many customers' accruals needed none: their entries total 0.
budget_hours: Estimated hours of the whole line; at most two decimals.
buyer_reference: Printed as the buyer's reference; absent if not set here.
cancelled_at: When the series was ended; ISO 8601, UTC; null otherwise.
channel: How it was sent.
city: City of the address.
closed_at: When the month was closed; ISO 8601, UTC; null before.
closing: Balance at the end, in functional currency or in \`currency\`.
code: A code for programs to compare; never renamed.
comments: For your own use; not printed.
company_type_key: Kind of company, in your own words; not interpreted.
completed_on: The day on which the line was completed, \`YYYY-MM-DD\`; null while it is not.
content_type: Kind of the file.
contract: The contract of the line.
contract_asset_after: Contract asset after the accrual, in functional currency.
contract_asset_before: Contract asset before the accrual, in functional currency.
contract_asset_closing: Contract asset at the end.
contract_asset_movement: Change of the contract asset by the accrual, in functional currency.
contract_asset_opening: Contract asset at the beginning.
contract_liability: Amounts invoiced and not earned yet.
contract_liability_after: Contract liability after the accrual, in functional currency.
contract_liability_before: Contract liability before the accrual, in functional currency.
contract_liability_closing: Contract liability at the end.
contract_liability_movement: Change of the contract liability by the accrual, in functional currency.
contract_liability_opening: Contract liability at the beginning.
country_key: Country, ISO 3166-1 alpha-2 in upper case.
created_at: When it was created; ISO 8601, UTC.
credit: Credited, in functional currency; 0 for a debit.
credit_date: The date of the credit note, \`YYYY-MM-DD\`.
credit_notes_failed: Queued credit notes that were refused; they are tried again.
credit_notes_issued: UUIDs of the queued credit notes that were issued.
credited: Credited by credit notes, net of VAT, in the document's currency.
csv_profile: How CSV files of the bank are read; null if none were read yet.
currency: Of the amounts, ISO 4217 in upper case.
customer_id: UUID of the customer.
data: The resources of this page.
date: The day, \`YYYY-MM-DD\`.
days: Number of days.
debit: Debited, in functional currency; 0 for a credit.
default_auto_send: Whether documents are sent when they are issued, unless the document states otherwise.
default_months: Months over which a line with the product is earned, as editors propose it; only over time. Absent without a proposal.
default_payment_terms: Payment terms of customers without their own.
default_price: Price of one unit in functional currency, net of VAT; 0 is no price.
default_recognition_method: How a line with the product is earned, as editors propose it; a line states its own. Absent without a proposal.
default_revenue_account: Sales account of products that name none; null if none is set.
description_override: The printed text of the line, instead of the product's name.
difference: Ledger less sub-ledger, in functional currency; null where one of them is unknown.
discarded: True if no period of the series was or can be issued.
discount: In percent, 0 to 100.
distribution_percentage: The person's part of the line, in percent; null: equal parts of the remainder.
document_links: Whether mails of documents have a button that opens the document in a browser. False also closes the links of earlier mails.
document_id: UUID of the invoice or credit note.
domestic_country: The country whose VAT is domestic, ISO 3166-1 alpha-2.
domestic_rate: Rate of domestic VAT in percent; 25 is 25 %.
dropped_occurrences: Periods after the end that will not be issued.
ean_number: GLN (EAN) for electronic invoices, 13 digits.
einvoice_address: The electronic address that e-invoices are sent to, \`scheme:value\` by the EAS list of Peppol. Null or absent: that of the EAN, CVR, SE or P number of a Danish customer.
einvoice_by_mail: Whether PDFs that are mailed contain the e-invoice (Factur-X).
einvoice_format: The format of e-invoices to the customer. Null or absent: \`peppol-bis-3\`.
earned: Revenue earned in the month.
earned_after: Earned in the month with the credit note, in the invoice's currency.
earned_before: Earned in the month without the credit note, in the invoice's currency.
earned_functional: Earned in the month, in functional currency; null while a rate is missing.
earned_to_date: Earned through the month, in the line's currency.
effective_date: The date from which it applies, \`YYYY-MM-DD\`.
email: E-mail address that documents are sent to.
end_date: Last day of service, \`YYYY-MM-DD\`; null: until further notice.
entry_no: Number in the journal, without gaps.
error: The fault.
eu_goods: Goods to businesses in the EU, in DKK.
eu_services: Services to businesses in the EU, in DKK.
exchange_difference: Difference of exchange rates.
exchange_difference_functional: Difference of exchange rates in the month, in functional currency; null while a rate is missing.
external_id: Your own id, unique among resources of its kind; 1 to 128 characters.
external_reference: A reference of your own; not interpreted.
field: The field, as \`lines[0].agreed_value\`.
footer: Text under the lines; absent where there is none.
forecast: True if the month is in the future.
frequency: The length of a period.
from: The first, included: a month \`YYYY-MM\` or a day \`YYYY-MM-DD\`.
functional_currency: The currency of the books, ISO 4217.
goods: Goods, in DKK.
gross: Net and VAT together, in the document's currency.
guid: UUID in the ledger.
has_more: Whether there is another page.
height: In pixels.
hourly_rate: Price of an hour before the discount, net of VAT, in the document's currency; null on lines that are not by hours.
hourly_rate_override: The person's own rate for an hour, net of VAT, in the document's currency; null: the line's.
hours: Hours of work, with at most two decimals.
hours_specification: Whether registered hours are printed on separate pages; absent if not set here.
iban: International number of the bank account.
id: UUID.
invoice_id: UUID of the invoice; null where there is none.
invoice_language_key: Language of documents of customers without their own, as \`da-DK\`.
invoice_line_id: UUID of the line of the invoice.
invoice_mail_out_option_key: How documents are mailed, in your own words; not interpreted.
invoiced: Net invoiced in the month.
invoiced_after: Invoiced in the month with the credit note, in the invoice's currency.
invoiced_before: Invoiced in the month without the credit note, in the invoice's currency.
invoiced_functional: Invoiced in the month, in functional currency; null while a rate is missing.
invoiced_to_date: Invoiced through the month, net of VAT, in the line's currency.
is_default: Whether it is the bank account of payments that name none.
is_final_partial: Whether it is the last period, cut short by the end of the series.
is_person: Whether the customer is a private person.
issue_date: The date of the document, \`YYYY-MM-DD\`; null: the day of its issue.
issue_timing: When a period is invoiced.
issued_at: When it was issued; ISO 8601, UTC; null before.
kind: Its kind.
ledger_credit_note_guid: UUID of the credit note in the ledger; null before it is issued.
ledger_credit_note_number: Number of the credit note in the ledger, without gaps; null before it is issued.
ledger_invoice_guid: UUID of the invoice in the ledger; null before it is issued.
ledger_invoice_number: Number of the invoice in the ledger, without gaps; null before it is issued.
ledger_voucher_guid: UUID of the voucher in the ledger; null while none is booked.
ledger_voucher_number: Number of the voucher in the ledger; null while none is booked.
line: The line.
line_id: UUID of the line.
line_kind: Whether an effective line was changed or that of one period.
lines: The lines, in their order.
mail_texts: The account's own texts of mails of documents, by language and kind of the document.
message: As a sentence.
mode: \`start-of-period\` or \`end-of-period\`, each with \`offset_days\`; \`manual\` is issued by a call only.
month: A month, \`YYYY-MM\`.
months: Month by month.
movement: The change by the accrual, in functional currency; null while a rate is missing.
name: Name.
net: Net of VAT, in the document's currency.
next_credit_note_number: The number of the next credit note.
next_cursor: The \`cursor\` of the next page; null on the last.
next_invoice_number: The number of the next invoice.
next_voucher_number: The number of the next voucher.
note: The work, in words.
number: The number in the ledger.
numbering: The next number of each kind of document.
object: The kind of resource.
of: The resource to which it belongs.
offset_days: Days between the first or last day of the period and the issue; may be below 0.
ok: True if there are no findings.
opening: Balance at the beginning, in functional currency or in \`currency\`.
opening_contract_id: UUID of the opening contract; null where there is none.
order_reference: The buyer's order number, printed; absent if not set here.
other_exempt: Other sales without Danish VAT, in DKK.
p_number: Number of the production unit (P-nummer).
payment_condition_number_of_days: Payment period in days, 0 to 3650; null without a type: the account's terms.
payment_condition_type: How the due date follows from the issue date: \`Netto\` so many days after it, \`NettoCash\` immediately, \`CurrentMonthOut\` so many days after the end of its month; null with days is \`Netto\`, without them the account's terms.
payment_mean: How the customer pays, in your own words; not interpreted.
period: By its first day: \`2026-03\` by month, \`2026-W12\` by week, \`2026-Q1\` by quarter, \`2026-H1\` by half-year, \`2026\` by year; null where there is none.
period_from: First day of the period, \`YYYY-MM-DD\`.
period_lock_date: Nothing is booked on or before this day, \`YYYY-MM-DD\`; null: nothing is locked.
period_to: Last day of the period, included, \`YYYY-MM-DD\`.
phone: Telephone number.
position: Position of the line, from 1.
preferred_invoice_currency_key: Currency of documents, ISO 4217; null: the functional currency.
preferred_invoice_language_key: Language of documents, as \`da-DK\`; null: the account's.
product_id: UUID of the product.
product_number: Your own number of the product; unique.
quantity: Default number of units of a line.
rate_max_age_days: Documents are refused with an exchange rate that is more than this number of days older; null: any.
rate_of: The day of the rate: the invoice's issue or the month's end.
reason: The reason, in words.
recognition_convention: How straight-line revenue is spread: \`monthly\` by whole months and days of parts, \`daily\` by days.
recognition_method: How the line earns revenue. \`value\`: evenly over its service period, or on the invoice's date without one. \`hours\`: hours × rate, in the month of the work. \`progress\`: agreed value × hours ÷ budget. \`milestone\`: all on the day of completion. \`on_issue\`: all on the invoice's date.
registration_number: Registration number of the bank.
require_complete_invoices: Whether invoices that lack data required by law are refused, instead of only causing a warning.
resource_id: UUID, or other key, of the resource.
resource_type: The kind of the resource.
reversal_voucher: The voucher that reversed the booking; null if it was not reversed.
revision: The number of the booking of the accrual; a booking after a reopening has the next number.
role: \`admin\` or \`standard\`.
roles: By role of account.
rows: The rows that the line prints.
sales_vat: The VAT of sales, in DKK.
scope: The periods: only this one, this and all later ones, or all open ones.
se_number: The customer's SE number.
seller: The seller, as printed on documents.
send_error: Why it was not sent; null if it was sent, or was not to be sent.
send_method: How documents are sent.
series_id: UUID of the series; null where there is none.
series_line_id: UUID of the series line.
service_ends_on: Last day of service after the credit, \`YYYY-MM-DD\`; null if it does not change.
service_from: First day of service, \`YYYY-MM-DD\`; \`value\` lines earn from it on.
service_to: Last day of service, included, \`YYYY-MM-DD\`.
services: Services, in DKK.
sha256: Hash of the file, hexadecimal.
start_date: First day of service, \`YYYY-MM-DD\`.
started_at: When the run began; ISO 8601, UTC.
state: The state of the delivery: \`accepted\` by the receiving server or \`written_to_outbox\`; \`failed_temporary\` is tried again, \`unknown\` may have arrived.
statements_through: Last day of the newest statement, \`YYYY-MM-DD\`; null before the first.
status: The current state.
street: Street and number of the address.
swift: SWIFT (BIC) of the bank.
time_zone: IANA time zone in which days begin, as \`Europe/Copenhagen\`.
title: Printed above the lines.
to: The last, included: a month \`YYYY-MM\` or a day \`YYYY-MM-DD\`.
to_book_without_voucher: How many customers' accruals would be booked without a voucher.
unit: The unit, as \`hours\` or \`parts\`.
until: The last day, \`YYYY-MM-DD\`.
updated_at: When it last changed; ISO 8601, UTC.
use_cvr: Whether your own systems look the customer up by CVR number; not interpreted.
user_id: UUID of the user; null where there is none.
vat: VAT, in the document's currency.
vat_breakdown: Net and VAT by VAT code and rate.
vat_code: The VAT treatment.
vat_number: Number for VAT, with or without the country's prefix.
voucher: The booked voucher; null if none was needed.
warnings: Points to check; none of them causes a refusal.
webpage: Address of the website.
width: In pixels.
work_lock_date: Standard users change no work on or before this day, \`YYYY-MM-DD\`; null: nothing is locked.
zip_code: Postal code of the address.
`;
