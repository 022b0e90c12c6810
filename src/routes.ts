/** Every REST route, in the order of the interface, and every page: the table of contents. */
import { activityPages } from "./features/audit/pages.tsx";
import { auditRoutes } from "./features/audit/routes.ts";
import { configurationRoutes } from "./features/configuration/routes.ts";
import { creditNoteRoutes } from "./features/credit-notes/routes.ts";
import { customerRoutes } from "./features/customers/routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { ledgerRoutes } from "./features/ledger/routes.ts";
import { consentPages } from "./features/oauth/consent-page.tsx";
import { userRoutes } from "./features/people/routes.ts";
import { productRoutes } from "./features/products/routes.ts";
import { accrualRoutes } from "./features/recognition/accrual-routes.ts";
import { closeRoutes } from "./features/recognition/close-routes.ts";
import { recognitionRoutes } from "./features/recognition/report-routes.ts";
import { seriesRoutes } from "./features/series/routes.ts";
import { schedulerRoutes } from "./features/series/scheduler-routes.ts";
import { settingsPages } from "./features/settings/pages.tsx";
import { signInPages } from "./features/sign-in/pages.tsx";
import { passwordPages } from "./features/sign-in/password-pages.tsx";
import { testClockRoutes } from "./features/test-clock/routes.ts";
import { verificationRoutes } from "./features/verification/routes.ts";
import { workRoutes } from "./features/work/routes.ts";
import type { Route } from "./platform/http/route.ts";
import type { Page } from "./platform/web/page.tsx";

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...invoiceRoutes,
  ...creditNoteRoutes,
  ...seriesRoutes,
  ...schedulerRoutes,
  ...workRoutes,
  ...productRoutes,
  ...userRoutes,
  ...accrualRoutes,
  ...closeRoutes,
  ...recognitionRoutes,
  ...configurationRoutes,
  ...ledgerRoutes,
  ...verificationRoutes,
  ...auditRoutes,
  ...testClockRoutes,
];

export const pages: readonly Page[] = [
  ...signInPages,
  ...passwordPages,
  ...consentPages,
  ...settingsPages,
  ...activityPages,
];
