/** Every tool of the MCP endpoint, by scope: the table of contents of what an assistant may be offered. */
import { planCreateCreditNote } from "./features/credit-notes/tools.ts";
import { planSaveCustomer } from "./features/customers/tools.ts";
import {
  planCreateInvoice,
  planIssueInvoice,
  planUpdateInvoice,
} from "./features/invoices/tools.ts";
import { planSaveProduct } from "./features/products/tools.ts";
import { planEditSeriesLine } from "./features/series/line-tools.ts";
import {
  planCreateSeries,
  planIssueOccurrence,
  planUpdateSeries,
} from "./features/series/tools.ts";
import { planRegisterWork } from "./features/work/tools.ts";
import { commitTool, planTool } from "./platform/mcp/plan-tools.ts";
import type { Tool } from "./platform/mcp/tool.ts";

/** `mcp:read`. */
const readTools: readonly Tool[] = [];

/** `mcp:write`: with `commit`, which carries out the others. */
const draftProposals = [
  planSaveCustomer,
  planSaveProduct,
  planCreateInvoice,
  planUpdateInvoice,
  planCreateSeries,
  planUpdateSeries,
  planEditSeriesLine,
  planRegisterWork,
];

/** `mcp:issue`. */
const issueProposals = [planIssueInvoice, planIssueOccurrence, planCreateCreditNote];

export const tools: readonly Tool[] = [
  ...readTools,
  ...draftProposals.map(planTool),
  commitTool([...draftProposals, ...issueProposals]),
  ...issueProposals.map(planTool),
];
