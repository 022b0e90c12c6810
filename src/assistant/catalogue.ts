/** Every tool of the MCP endpoint, by scope. An assistant gets the tools that its role and scopes allow. */

import type { PlanCommit } from "../platform/runtime/services.ts";
import { planTool } from "./protocol/plan-tool.ts";
import { commitPlan } from "./protocol/plans.ts";
import { proposalsByName } from "./protocol/proposal.ts";
import type { Tool } from "./protocol/tool.ts";
import { commitTool } from "./tools/commit.ts";
import { getAccrualTool } from "./tools/get-accrual.ts";
import { getConfigurationTool } from "./tools/get-configuration.ts";
import { getCreditNoteTool } from "./tools/get-credit-note.ts";
import { getCustomerTool } from "./tools/get-customer.ts";
import { getInvoiceTool } from "./tools/get-invoice.ts";
import { getMyWorkTool } from "./tools/get-my-work.ts";
import { getRevenueTool } from "./tools/get-revenue.ts";
import { getSeriesTool } from "./tools/get-series.ts";
import { listCreditNotesTool } from "./tools/list-credit-notes.ts";
import { listCustomersTool } from "./tools/list-customers.ts";
import { listInvoicesTool } from "./tools/list-invoices.ts";
import { listOccurrencesTool } from "./tools/list-occurrences.ts";
import { listProductsTool } from "./tools/list-products.ts";
import { listSeriesTool } from "./tools/list-series.ts";
import { listUsersTool } from "./tools/list-users.ts";
import { listWorkTool } from "./tools/list-work-registrations.ts";
import { planCreateCreditNote } from "./tools/plan-create-credit-note.ts";
import { planCreateInvoice } from "./tools/plan-create-invoice.ts";
import { planCreateSeries } from "./tools/plan-create-series.ts";
import { planEditSeriesLine } from "./tools/plan-edit-series-line.ts";
import { planIssueInvoice } from "./tools/plan-issue-invoice.ts";
import { planIssueOccurrence } from "./tools/plan-issue-occurrence.ts";
import { planRegisterWork } from "./tools/plan-register-work.ts";
import { planSaveCustomer } from "./tools/plan-save-customer.ts";
import { planSaveProduct } from "./tools/plan-save-product.ts";
import { planUpdateInvoice } from "./tools/plan-update-invoice.ts";
import { planUpdateSeries } from "./tools/plan-update-series.ts";

/** The tools that read data (spec 8.2), in the order in which assistants see them. */
export const readTools: readonly Tool[] = [
  listCustomersTool,
  getCustomerTool,
  listInvoicesTool,
  getInvoiceTool,
  listSeriesTool,
  getSeriesTool,
  listOccurrencesTool,
  listCreditNotesTool,
  getCreditNoteTool,
  listProductsTool,
  listUsersTool,
  getMyWorkTool,
  listWorkTool,
  getAccrualTool,
  getRevenueTool,
  getConfigurationTool,
];

/** The proposals of `mcp:write`, which also offers `commit` to carry out plans. */
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

/** The proposals of `mcp:issue`. */
const issueProposals = [planIssueInvoice, planIssueOccurrence, planCreateCreditNote];

const proposals = proposalsByName([...draftProposals, ...issueProposals]);

export const tools: readonly Tool[] = [
  ...readTools,
  ...draftProposals.map(planTool),
  commitTool(proposals),
  ...issueProposals.map(planTool),
];

/** Carries out plans on pages, for the person to whom they belong: as the tool `commit` does, without its scopes. */
export const planCommit: PlanCommit = {
  name: "pages.commit_plan",
  is_read: false,
  async work(cx, { plan_id }) {
    const { resource_type, ids } = await commitPlan(cx, proposals, plan_id);
    return { resource_type, id: ids[0] ?? null };
  },
};
