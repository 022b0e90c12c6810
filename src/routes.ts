/** Every REST route, in the order of the interface. */

import { apiKeyRoutes } from "./features/access/api-keys/routes.ts";
import { userRoutes } from "./features/access/people/routes.ts";
import { customerRoutes } from "./features/catalogue/customers/routes.ts";
import { productRoutes } from "./features/catalogue/products/routes.ts";
import { deliveryRoutes } from "./features/documents/deliveries/routes.ts";
import { deliveryOutcomeRoutes } from "./features/documents/delivery-outcomes/routes.ts";
import { einvoiceAnswerRoutes } from "./features/documents/einvoice-answers/routes.ts";
import { einvoiceConnectionRoutes } from "./features/documents/einvoice-connections/routes.ts";
import { einvoiceReadinessRoutes } from "./features/documents/einvoice-readiness/routes.ts";
import { einvoiceReceiverRoutes } from "./features/documents/einvoice-receivers/routes.ts";
import { batchRoutes } from "./features/integrations/batches/routes.ts";
import { eventRoutes } from "./features/integrations/events/routes.ts";
import { exportRoutes } from "./features/integrations/exports/routes.ts";
import { webhookDeliveryRoutes } from "./features/integrations/webhook-deliveries/routes.ts";
import { webhookRoutes } from "./features/integrations/webhooks/routes.ts";
import { intentRoutes } from "./features/ledger/booking/routes.ts";
import { connectionRoutes } from "./features/ledger/connections/routes.ts";
import { moveRoutes } from "./features/ledger/moves/routes.ts";
import { reconciliationRoutes } from "./features/ledger/reconciliation/routes.ts";
import { ledgerRoutes } from "./features/ledger/reports/routes.ts";
import { syncRoutes } from "./features/ledger/sync/routes.ts";
import { verificationRoutes } from "./features/ledger/verification/routes.ts";
import { searchRoutes } from "./features/overview/search/routes.ts";
import { allocationRoutes } from "./features/receivables/allocations/routes.ts";
import { balanceRoutes } from "./features/receivables/balances/routes.ts";
import { bankAccountRoutes } from "./features/receivables/bank-accounts/routes.ts";
import { bankLineRoutes } from "./features/receivables/bank-lines/routes.ts";
import { bankStatementRoutes } from "./features/receivables/bank-statements/routes.ts";
import { openItemRoutes } from "./features/receivables/open-items/routes.ts";
import { openingItemRoutes } from "./features/receivables/opening-items/routes.ts";
import { paymentStateRoutes } from "./features/receivables/payment-states/routes.ts";
import { allocatingRoutes, paymentRoutes } from "./features/receivables/payments/routes.ts";
import { referenceRateRoutes } from "./features/receivables/reference-rates/routes.ts";
import { statementRoutes } from "./features/receivables/statements/routes.ts";
import {
  allOccurrenceRoutes,
  occurrenceRoutes,
  previewRoutes,
  schedulerRoutes,
} from "./features/recurring/occurrences/routes.ts";
import { seriesLineRoutes, seriesRoutes } from "./features/recurring/series/routes.ts";
import { testClockRoutes } from "./features/recurring/test-clock/routes.ts";
import { reminderHoldRoutes } from "./features/reminders/reminder-holds/routes.ts";
import { reminderRunRoutes } from "./features/reminders/reminder-runs/routes.ts";
import { reminderRoutes } from "./features/reminders/sent-reminders/routes.ts";
import { bookables } from "./features/revenue/accruals/list-bookables.ts";
import { accrualRoutes } from "./features/revenue/accruals/routes.ts";
import { closeRoutes } from "./features/revenue/closes/routes.ts";
import { openingContractRoutes } from "./features/revenue/opening-contracts/routes.ts";
import { recognitionRoutes } from "./features/revenue/reports/routes.ts";
import { noteSendError } from "./features/sales/credit-notes/bookable.ts";
import { creditNoteRoutes } from "./features/sales/credit-notes/routes.ts";
import { invoiceRoutes } from "./features/sales/invoices/routes.ts";
import { auditRoutes } from "./features/settings/audit/routes.ts";
import { configurationRoutes } from "./features/settings/configuration/routes.ts";
import { workRoutes } from "./features/work/registrations/routes.ts";
import type { Route } from "./platform/http/route.ts";

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...invoiceRoutes,
  ...creditNoteRoutes,
  ...deliveryRoutes,
  ...deliveryOutcomeRoutes(noteSendError),
  ...einvoiceReceiverRoutes,
  ...einvoiceReadinessRoutes,
  ...einvoiceConnectionRoutes,
  ...einvoiceAnswerRoutes(noteSendError),
  ...paymentStateRoutes,
  ...allocationRoutes,
  ...paymentRoutes,
  ...allocatingRoutes,
  ...openItemRoutes,
  ...balanceRoutes,
  ...openingItemRoutes,
  ...seriesRoutes,
  ...previewRoutes,
  ...seriesLineRoutes,
  ...occurrenceRoutes,
  ...allOccurrenceRoutes,
  ...schedulerRoutes,
  ...workRoutes,
  ...productRoutes,
  ...userRoutes,
  ...accrualRoutes,
  ...closeRoutes,
  ...recognitionRoutes,
  ...openingContractRoutes,
  ...configurationRoutes,
  ...bankAccountRoutes,
  ...bankStatementRoutes,
  ...bankLineRoutes,
  ...referenceRateRoutes,
  ...reminderHoldRoutes,
  ...reminderRunRoutes,
  ...reminderRoutes,
  ...statementRoutes,
  ...ledgerRoutes,
  ...connectionRoutes,
  ...moveRoutes,
  ...syncRoutes,
  ...intentRoutes(bookables, noteSendError),
  ...reconciliationRoutes,
  ...verificationRoutes,
  ...searchRoutes,
  ...auditRoutes,
  ...apiKeyRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...batchRoutes,
  ...exportRoutes,
  ...testClockRoutes,
];
