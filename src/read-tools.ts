/** The tools that read (domain.md 8.2), in the order in which assistants are shown them. */
import { getConfigurationTool } from "./features/configuration/tools.ts";
import { getCreditNoteTool, listCreditNotesTool } from "./features/credit-notes/tools.ts";
import { listCustomersTool } from "./features/customers/tools.ts";
import { listInvoicesTool } from "./features/invoices/tools.ts";
import { listUsersTool } from "./features/people/tools.ts";
import { listProductsTool } from "./features/products/tools.ts";
import { getCustomerTool } from "./features/recognition/customer-tool.ts";
import { getInvoiceTool } from "./features/recognition/invoice-tool.ts";
import { getRevenueTool } from "./features/recognition/revenue-tool.ts";
import { getAccrualTool } from "./features/recognition/tools.ts";
import { listOccurrencesTool } from "./features/series/occurrence-tool.ts";
import { getSeriesTool, listSeriesTool } from "./features/series/tools.ts";
import { getMyWorkTool } from "./features/work/my-work-tool.ts";
import { listWorkTool } from "./features/work/tools.ts";
import type { Tool } from "./platform/mcp/tool.ts";

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
