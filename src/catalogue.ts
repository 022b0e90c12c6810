/** Every tool of the MCP endpoint, by scope: the table of contents of what an assistant may be offered. */

import type { Role } from "./domain/user.ts";
import { planSaveCustomer } from "./features/customers/plan-tools.ts";
import {
  planCreateInvoice,
  planIssueInvoice,
  planUpdateInvoice,
} from "./features/invoices/plan-tools.ts";
import { planSaveProduct } from "./features/products/plan-tools.ts";
import { planCreateCreditNote } from "./features/recognition/credit-plan-tool.ts";
import { planEditSeriesLine } from "./features/series/plan-line-tool.ts";
import {
  planCreateSeries,
  planIssueOccurrence,
  planUpdateSeries,
} from "./features/series/plan-tools.ts";
import { planRegisterWork } from "./features/work/plan-tools.ts";
import { mcpScopes } from "./platform/context.ts";
import { openCatalogues } from "./platform/mcp/catalogue.ts";
import { commitTool, planTool } from "./platform/mcp/plan-tools.ts";
import type { Tool } from "./platform/mcp/tool.ts";
import { readTools } from "./read-tools.ts";

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

/** Made once: the schemas of every role and scope level take some milliseconds. */
export const catalogues = openCatalogues(tools);

/** What a role is offered, by scope level and in full: docs/mcp-tools.<role>.json. */
export function catalogueDocument(role: Role): unknown {
  const namesAt = (level: number) =>
    catalogues.of(role, new Set(mcpScopes.slice(0, level))).listed.map(({ name }) => name);
  return {
    role,
    names: Object.fromEntries(mcpScopes.map((scope, index) => [scope, namesAt(index + 1)])),
    tools: catalogues.of(role, new Set(mcpScopes)).listed,
  };
}
