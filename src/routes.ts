/** Every REST route, in the order of the interface: the table of contents. */

import { bookables } from "./background.ts";
import { accrualRoutes } from "./features/accruals/routes.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { intentRoutes } from "./features/booking/routes.ts";
import { closeRoutes } from "./features/closes/routes.ts";
import { configurationRoutes } from "./features/configuration/routes.ts";
import { connectionRoutes } from "./features/connections/routes.ts";
import { noteSendError } from "./features/credit-notes/bookable.ts";
import { creditNoteRoutes } from "./features/credit-notes/routes.ts";
import { customerRoutes } from "./features/customers/routes.ts";
import { deliveryRoutes } from "./features/deliveries/routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { ledgerRoutes } from "./features/ledger/routes.ts";
import {
  allOccurrenceRoutes,
  occurrenceRoutes,
  previewRoutes,
  schedulerRoutes,
} from "./features/occurrences/routes.ts";
import { userRoutes } from "./features/people/routes.ts";
import { productRoutes } from "./features/products/routes.ts";
import { reconciliationRoutes } from "./features/reconciliation/routes.ts";
import { recognitionRoutes } from "./features/revenue/routes.ts";
import { searchRoutes } from "./features/search/routes.ts";
import { seriesLineRoutes, seriesRoutes } from "./features/series/routes.ts";
import { syncRoutes } from "./features/sync/routes.ts";
import { testClockRoutes } from "./features/test-clock/routes.ts";
import { verificationRoutes } from "./features/verification/routes.ts";
import { workRoutes } from "./features/work/routes.ts";
import type { Route } from "./platform/http/route.ts";

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...invoiceRoutes,
  ...creditNoteRoutes,
  ...deliveryRoutes,
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
  ...configurationRoutes,
  ...ledgerRoutes,
  ...connectionRoutes,
  ...syncRoutes,
  ...intentRoutes(bookables, noteSendError),
  ...reconciliationRoutes,
  ...verificationRoutes,
  ...searchRoutes,
  ...auditRoutes,
  ...testClockRoutes,
];
