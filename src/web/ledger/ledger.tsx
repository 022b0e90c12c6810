/** The start of the ledger's pages: the trial balance, or the comparison with the accounting system that keeps the books. */
import { definePage, type WebPage } from "../frame/page.tsx";
import { accountPages } from "./accounts.tsx";
import { connectionPages } from "./connection.tsx";
import { entriesPages } from "./entries.tsx";
import { entryPages } from "./entry-page.tsx";
import { LEDGER, otherBooks } from "./ledger-tabs.tsx";
import { queuePages } from "./queue.tsx";
import { reconciliationPages } from "./reconciliation.tsx";
import { trialBalancePages } from "./trial-balance.tsx";
import { vatPages } from "./vat-return.tsx";
import { verificationPages } from "./verification.tsx";

export const ledgerPages: readonly WebPage[] = [
  definePage(`GET ${LEDGER}`, "hidden", async ({ cx }) => ({
    redirect: `${LEDGER}/${otherBooks(cx) === null ? "trial-balance" : "reconciliation"}`,
  })),
  ...trialBalancePages,
  ...accountPages,
  ...entriesPages,
  ...entryPages,
  ...vatPages,
  ...reconciliationPages,
  ...verificationPages,
  ...queuePages,
  ...connectionPages,
];
