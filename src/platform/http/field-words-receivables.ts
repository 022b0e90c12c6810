/** Descriptions of the fields of receivables, in the form of `field-words.ts`. Names without an owner hold for all other fields. */

export const RECEIVABLES_WORDS = `
*InvoicePayment: In the invoice's currency.
*OpenItem, *Receivable, *sums: In \`currency\`.
*ReceivablesSummary: In functional currency.
Allocation.amount: Taken of the credit item, in \`currency\`.
Allocation.credit: The item that was applied.
Allocation.date: The day from which it counts, \`YYYY-MM-DD\`.
Allocation.debit: The item that was owed.
Allocation.entry_no: The journal entry that it is in; null where nothing is posted.
Allocation.exchange_difference: In functional currency; a gain is above 0.
Allocation.functional_amount: Taken of the debit item, in functional currency.
Allocation.reversed_on: The day on which it was reversed, \`YYYY-MM-DD\`; null while it is effective.
Allocation.rounding: Taken of the debit item beyond \`amount\`, in \`currency\`; below 0 where the customer paid more.
InvoicePayment.allocations: What is applied to the invoice on the day, the earliest first.
InvoicePayment.as_of: When what is shown was known from the connected ledger; ISO 8601, UTC; null for our own books, and before its first answer.
InvoicePayment.credited: Credited by credit notes and opening credits, with VAT, in the invoice's currency; null from a connected ledger, which does not report it.
InvoicePayment.days_overdue: Days after the due date; 0 unless the invoice is overdue.
InvoicePayment.gross: Net and VAT together, in the invoice's currency.
InvoicePayment.paid_on: The day on which nothing was open any more, \`YYYY-MM-DD\`; null unless the invoice is paid, and where the day is not known.
InvoicePayment.reminders: What the customer has been reminded of.
InvoicePayment.source: Where payments are recorded: in our own books, or in the connected ledger.
InvoicePayment.state: \`paid\`: nothing open, some of it paid. \`credited\`: nothing open, nothing paid. \`partly_paid\`: some paid, some open. \`overpaid\`: more was paid than its gross, as only a connected ledger reports it. Null until that has reported it, and where it does not.
OpenDocumentsInput.credit_notes: Credit notes of which something is still held.
OpenDocumentsInput.invoices: Invoices of which something is still owed.
ReceivablesBegin.begun_on: From the day after it, the books say what is paid, \`YYYY-MM-DD\`.
Payment, RecordedPayment.allocations: What it is applied to, the earliest first; also what was reversed.
Payment, RecordedPayment.amount: What the customer paid, or got back, in \`currency\`.
Payment, RecordedPayment.bank_account_id: UUID of the bank account.
Payment, RecordedPayment.bank_amount: What the bank credited or debited, in functional currency.
Payment, RecordedPayment.bank_line_id: UUID of the line of a bank statement that it was made from; null without one.
Payment, RecordedPayment.entry_nos: Its journal entries, the first is its own; also those of allocations that began later, and of reversals.
Payment, RecordedPayment.exchange_difference: Of its allocations that stand, in functional currency; a gain is above 0.
Payment, RecordedPayment.fee: What the bank kept, or took besides, in functional currency.
Payment, RecordedPayment.functional_amount: What it posted on customer credit before its allocations, in functional currency.
Payment, RecordedPayment.reference: A text of the caller, such as that of the transfer.
Payment, RecordedPayment.reversal_reason: Why it was reversed; null while it stands.
Payment, RecordedPayment.reversed_on: The day on which it was reversed, \`YYYY-MM-DD\`; null while it stands.
Payment, RecordedPayment.unallocated: What is still customer credit, in \`currency\`.
PaymentCreate, PaymentPreviewInput.allocations: What it is applied to, in this order.
PaymentCreate, PaymentPreviewInput.reference: A text of the caller, such as that of the transfer.
PaymentPreview.entries: The entries that would be booked, in this order.
PaymentPreview.payment: The payment as it would be recorded.
entries.postings: What the entry posts; debits are above 0.
postings.currency_amount: In the currency of the payment.
debit, credit.id: UUID of the document; of an opening item its own.
debit, credit.number: Its number; text, because an opening item has that of the old system.
due_date: The last day on which it can be paid in time, \`YYYY-MM-DD\`.
is_overdue: Whether something is open and the due date has passed.
open: What is still owed, in the document's currency.
paid: What was paid, in the document's currency.
OpenItem.amount: The whole amount, in \`currency\`, above 0.
OpenItem.date: The day from which it counts, \`YYYY-MM-DD\`.
OpenItem.days_overdue: Days after the due date; 0 unless something is open of what is owed.
OpenItem.document_id: UUID of the invoice, credit note, payment or reminder; null for an opening item.
OpenItem.due_date: The last day on which it can be paid in time, \`YYYY-MM-DD\`; null for what is never due.
OpenItem.functional_amount: What it posted, in functional currency.
OpenItem.functional_open: What is open of that, in functional currency.
OpenItem.is_credit: Whether it is held for the customer, and not owed.
OpenItem.number: Of the document; text, because an opening item has that of the old system.
OpenItem.open: What is open on the day, in \`currency\`.
Receivable.functional: The same amounts in functional currency.
ReceivablesSummary.currencies: The sums of all customers by currency.
ReceivablesSummary.functional: The sums of all currencies, in functional currency.
ReceivablesSummary.ledger: The open items beside the ledger's accounts, in functional currency.
Receivable, sums, functional.balance: The total less both kinds of credit, in the currency of the sums.
Receivable, sums, functional.credit_notes: Credit notes and opening credits that are not applied, in the currency of the sums.
Receivable, sums, functional.customer_credit: Payments that are not applied, in the currency of the sums.
Receivable, sums, functional.days_1_30: Owed and 1 to 30 days late, in the currency of the sums.
Receivable, sums, functional.days_31_60: Owed and 31 to 60 days late, in the currency of the sums.
Receivable, sums, functional.days_61_90: Owed and 61 to 90 days late, in the currency of the sums.
Receivable, sums, functional.not_due: Owed and not due before the day, in the currency of the sums.
Receivable, sums, functional.over_90: Owed and more than 90 days late, in the currency of the sums.
Receivable, sums, functional.total: All that is owed, in the currency of the sums.
currencies.sums: What is owed and held in the currency.
customer_name: The customer's name, as it is now.
ledger.ledger: The balance of the account, in functional currency; null for an external ledger.
ledger.sub_ledger: The open items of the account, in functional currency.
oldest_due_date: The earliest due date of what is owed, \`YYYY-MM-DD\`; null where nothing is.
payment.open: What is still owed, in the invoice's currency.
payment.paid_on: The day on which nothing was open any more, \`YYYY-MM-DD\`; null unless the invoice is paid, and where the day is not known.
payment.state: As of \`GET /invoices/{ref}/payment\`, today.
payment_codes.fik_line: The line of Danish payment slips, \`+71<…+…<\`; null without a creditor number, and in other currencies.
payment_codes.reference: The reference that is printed on the document.
payment_codes.rf: The creditor reference of ISO 11649.
payment_codes: The references by which a bank recognises the payment; null on documents without them.
reminders.hold_until: Last day on which no reminder is sent, \`YYYY-MM-DD\`; null where there is none.
reminders.last_on: The day of the last reminder, \`YYYY-MM-DD\`; null without one.
reminders.level: The level of the last reminder; 0 without one.
rounding: What was left to the customer as a rounding, in the document's currency.
`;
