/** Files that only the pages make, by the names under which another thread makes them. */
import type { PersonContext } from "../platform/commands/context.ts";
import type { ReplyFile } from "../platform/http/route.ts";
import { PICKED_PDFS, type PickedPdfs, pickedPdfs } from "./invoices/picked-pdfs.ts";
import {
  TRIAL_BALANCE_FILE,
  type TrialBalanceAsked,
  trialBalanceFile,
} from "./ledger/trial-balance.tsx";

type PageFileOf = (cx: PersonContext, query: unknown) => Promise<ReplyFile>;

/** Makes the files by name; the page has validated the query. */
export const pageFiles: ReadonlyMap<string, PageFileOf> = new Map([
  [TRIAL_BALANCE_FILE, (cx, query) => trialBalanceFile(cx, query as TrialBalanceAsked)],
  [PICKED_PDFS, (cx, query) => pickedPdfs(cx, query as PickedPdfs)],
]);
