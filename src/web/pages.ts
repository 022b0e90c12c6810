/** Every page and every action: the table of contents. */
import { activityPages } from "./activity.tsx";
import { consentPages } from "./consent.tsx";
import { creditActions, creditPages } from "./credit-invoice.tsx";
import { creditNotePages } from "./credit-note.tsx";
import { customerPages } from "./customers.tsx";
import { draftActions, draftPages } from "./draft-editor.tsx";
import { draftHoursActions } from "./draft-hours.ts";
import type { Action } from "./frame/action.ts";
import type { Page } from "./frame/page.tsx";
import { hoursActions, hoursPages } from "./hours.tsx";
import { importActions, importPages } from "./imports.tsx";
import { invoicePage } from "./invoice.tsx";
import { filePages } from "./invoice-files.ts";
import { invoicePages } from "./invoices.tsx";
import { issuePages } from "./issue-invoice.tsx";
import { issueManyPages } from "./issue-many.tsx";
import { passwordPages } from "./passwords.tsx";
import { preferencesPages } from "./preferences.ts";
import { productActions, productPages } from "./products.tsx";
import { searchActions, searchPages } from "./search.tsx";
import { sendPages } from "./send-again.tsx";
import { settingsPages } from "./settings.tsx";
import { signInPages } from "./sign-in.tsx";
import { startPages } from "./start.tsx";
import { todayPages } from "./today.tsx";

export const pages: readonly Page[] = [
  ...startPages,
  ...todayPages,
  ...signInPages,
  ...passwordPages,
  ...consentPages,
  ...preferencesPages,
  ...importPages,
  ...hoursPages,
  ...customerPages,
  ...draftPages,
  ...filePages,
  ...invoicePages,
  ...invoicePage,
  ...issuePages,
  ...issueManyPages,
  ...creditNotePages,
  ...creditPages,
  ...sendPages,
  ...productPages,
  ...searchPages,
  ...settingsPages,
  ...activityPages,
];

export const actions: readonly Action[] = [
  ...productActions,
  ...draftActions,
  ...draftHoursActions,
  ...creditActions,
  ...hoursActions,
  ...importActions,
  ...searchActions,
];
