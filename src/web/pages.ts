/** Every page and every action: the table of contents. */

import { consentPages } from "./access/consent.tsx";
import { passwordPages } from "./access/passwords.tsx";
import { secondFactorPages } from "./access/second-factor.tsx";
import { signInPages } from "./access/sign-in.tsx";
import { signInLinkPages } from "./access/sign-in-link.tsx";
import { activityPages } from "./activity/activity.tsx";
import { assistantPages } from "./assistants/assistants.tsx";
import { bankPages } from "./bank/bank.tsx";
import { bankAccountPages } from "./bank/bank-accounts.tsx";
import { bookLinesPages } from "./bank/book-lines.tsx";
import { dropActions, dropPages } from "./bank/drop-page.tsx";
import { linePages } from "./bank/line-page.tsx";
import { otherPages } from "./bank/other-page.tsx";
import { assignLinePages } from "./close/assign-line.tsx";
import { closeActions, closePages } from "./close/close.tsx";
import { confirmClosePages } from "./close/confirm-close.tsx";
import { reopenClosePages } from "./close/reopen-close.tsx";
import { setRatePages } from "./close/set-rate.tsx";
import { creditActions, creditPages } from "./credit/credit-invoice.tsx";
import { creditNotePages } from "./credit/credit-note.tsx";
import { customerPages } from "./customers/customers.tsx";
import { addressActions } from "./customers/describe-address.ts";
import { registrationActions } from "./customers/describe-registration.ts";
import { draftHoursActions } from "./draft/draft-hours.ts";
import { draftActions, draftPages } from "./draft/draft-page.tsx";
import { deliveryPages } from "./einvoices/delivery-page.tsx";
import { einvoicePages } from "./einvoices/einvoice-page.tsx";
import type { Action } from "./frame/action.ts";
import type { WebPage } from "./frame/page.tsx";
import { importActions, importPages } from "./imports/imports.tsx";
import { completePages } from "./invoices/complete-line.tsx";
import { duplicatePages } from "./invoices/duplicate-invoice.ts";
import { findCustomerActions } from "./invoices/find-customer.ts";
import { invoicePage } from "./invoices/invoice.tsx";
import { filePages } from "./invoices/invoice-files.ts";
import { invoicePages } from "./invoices/invoices.tsx";
import { issuePages } from "./invoices/issue-invoice.tsx";
import { issueManyPages } from "./invoices/issue-many.tsx";
import { issuedActions } from "./invoices/issued-revenue.tsx";
import { revokeLinksPages } from "./invoices/revoke-links.tsx";
import { sendPages } from "./invoices/send-document.tsx";
import { sendManyPages } from "./invoices/send-many.tsx";
import { accountActions } from "./ledger/accounts.tsx";
import { ledgerPages } from "./ledger/ledger.tsx";
import { reconciliationActions } from "./ledger/reconciliation.tsx";
import { trialBalanceActions } from "./ledger/trial-balance.tsx";
import { vatActions } from "./ledger/vat-return.tsx";
import { newPaymentPages } from "./payments/new-payment.tsx";
import { paymentPages } from "./payments/payment.tsx";
import { paymentListPages } from "./payments/payments.tsx";
import { takeBackPages } from "./payments/take-back.tsx";
import { peoplePages } from "./people/people.tsx";
import { productActions, productPages } from "./products/products.tsx";
import { receivablePages } from "./receivables/receivables.tsx";
import { statementPages } from "./receivables/statement.tsx";
import { allocationPages } from "./receivables/use-credit.tsx";
import { cancelReminderPages } from "./reminders/cancel-reminder.tsx";
import { holdReminderPages } from "./reminders/hold-reminders.tsx";
import { reminderPages } from "./reminders/reminder.tsx";
import { reminderListPages } from "./reminders/reminders.tsx";
import { sendReminderPages } from "./reminders/send-reminders.tsx";
import { activatePages } from "./retainers/activate-retainer.tsx";
import { draftRetainerActions } from "./retainers/draft-dry-run.ts";
import { earnedActions } from "./retainers/earned-months.ts";
import { lineRetainerActions, lineRetainerPages } from "./retainers/edit-line.tsx";
import { editRetainerPages } from "./retainers/edit-retainer.tsx";
import { endPages } from "./retainers/end-retainer.tsx";
import { issuePeriodPages } from "./retainers/issue-period.tsx";
import { lineProductActions } from "./retainers/line-choices.ts";
import { moveLinesPages } from "./retainers/move-lines.tsx";
import { newRetainerPages } from "./retainers/new-retainer.tsx";
import { periodPages } from "./retainers/period.tsx";
import { retainerPages } from "./retainers/retainer.tsx";
import { retainerListPages } from "./retainers/retainers.tsx";
import { saveRetainerPages } from "./retainers/save-retainer.tsx";
import { skipPages } from "./retainers/skip-period.tsx";
import { stripActions } from "./retainers/strip-months.ts";
import { accrualPages } from "./revenue/accruals-tab.tsx";
import { balancesActions } from "./revenue/balances-report.ts";
import { explainActions } from "./revenue/explain-line.tsx";
import { obligationPages } from "./revenue/obligations.tsx";
import { obligationsActions } from "./revenue/obligations-report.ts";
import { revenueActions, revenuePages } from "./revenue/revenue.tsx";
import { searchActions, searchPages } from "./search/search.tsx";
import { companyActions, companyPages } from "./settings/company.tsx";
import { einvoiceSettingsPages } from "./settings/einvoice-settings.tsx";
import { invoicingPages } from "./settings/invoicing.tsx";
import { mePages } from "./settings/me.tsx";
import { monthsPages } from "./settings/months.tsx";
import { reminderSettingsPages } from "./settings/reminder-settings.tsx";
import { settingsPages } from "./settings/settings.tsx";
import { vatSettingsPages } from "./settings/vat-settings.tsx";
import { startPages } from "./start/start.tsx";
import { todayPages } from "./today/today.tsx";
import { eventPages } from "./webhooks/events.tsx";
import { webhookPages } from "./webhooks/webhooks.tsx";
import { hoursActions, hoursPages } from "./week/hours.tsx";
import { welcomeActions, welcomePages } from "./welcome/welcome.tsx";

export const pages: readonly WebPage[] = [
  ...startPages,
  ...todayPages,
  ...signInPages,
  ...signInLinkPages,
  ...secondFactorPages,
  ...passwordPages,
  ...consentPages,
  ...mePages,
  ...welcomePages,
  ...importPages,
  ...hoursPages,
  ...customerPages,
  ...draftPages,
  ...filePages,
  ...invoicePages,
  ...invoicePage,
  ...einvoicePages,
  ...deliveryPages,
  ...issuePages,
  ...completePages,
  ...duplicatePages,
  ...issueManyPages,
  ...sendManyPages,
  ...creditNotePages,
  ...creditPages,
  ...paymentListPages,
  ...newPaymentPages,
  ...paymentPages,
  ...takeBackPages,
  ...sendPages,
  ...revokeLinksPages,
  ...receivablePages,
  ...bankPages,
  ...dropPages,
  ...statementPages,
  ...reminderListPages,
  ...sendReminderPages,
  ...reminderPages,
  ...cancelReminderPages,
  ...holdReminderPages,
  ...allocationPages,
  ...bookLinesPages,
  ...linePages,
  ...otherPages,
  ...productPages,
  ...peoplePages,
  ...retainerListPages,
  ...newRetainerPages,
  ...saveRetainerPages,
  ...retainerPages,
  ...editRetainerPages,
  ...activatePages,
  ...moveLinesPages,
  ...lineRetainerPages,
  ...endPages,
  ...periodPages,
  ...issuePeriodPages,
  ...skipPages,
  ...revenuePages,
  ...obligationPages,
  ...accrualPages,
  ...closePages,
  ...assignLinePages,
  ...confirmClosePages,
  ...reopenClosePages,
  ...setRatePages,
  ...ledgerPages,
  ...searchPages,
  ...assistantPages,
  ...companyPages,
  ...invoicingPages,
  ...vatSettingsPages,
  ...reminderSettingsPages,
  ...einvoiceSettingsPages,
  ...bankAccountPages,
  ...monthsPages,
  ...settingsPages,
  ...webhookPages,
  ...eventPages,
  ...activityPages,
];

export const actions: readonly Action[] = [
  ...welcomeActions,
  ...addressActions,
  ...registrationActions,
  ...productActions,
  ...draftActions,
  ...draftHoursActions,
  ...creditActions,
  ...hoursActions,
  ...draftRetainerActions,
  ...lineProductActions,
  ...stripActions,
  ...lineRetainerActions,
  ...earnedActions,
  ...revenueActions,
  ...explainActions,
  ...balancesActions,
  ...obligationsActions,
  ...closeActions,
  ...accountActions,
  ...trialBalanceActions,
  ...reconciliationActions,
  ...vatActions,
  ...issuedActions,
  ...findCustomerActions,
  ...importActions,
  ...searchActions,
  ...companyActions,
  ...dropActions,
];
