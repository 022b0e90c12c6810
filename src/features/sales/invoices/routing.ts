/**
 * Determines revenue accounts for lines whose products name no account, for the customer as it is now. Drafts and series store
 * these accounts, and accruals post to them until the issue determines the accounts again.
 */
import { accountAtHome, type SaleFacts, saleOf } from "../../../domain/sales/sales-account.ts";
import type { VatCustomer } from "../../../domain/sales/vat.ts";
import type { LineContent } from "../../../domain/series/series.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { chartOf } from "../../settings/configuration/accounts.ts";
import {
  type Configuration,
  getConfiguration,
  vatSettings,
} from "../../settings/configuration/queries.ts";

/** Returns lines with the revenue accounts of a sale to this customer; lines with a fixed account stay unchanged. */
export async function routed<Content extends LineContent>(
  cx: Reader,
  lines: readonly Content[],
  customer: VatCustomer,
): Promise<Content[]> {
  const route = await routeTo(cx, lines, customer);
  return lines.map(route);
}

/** Returns a function that sets the revenue account of one line; for lines that are stored in versions. */
export async function routeTo(
  cx: Reader,
  lines: readonly LineContent[],
  customer: VatCustomer,
): Promise<Route> {
  const chart = chartOf(cx);
  const open = lines.filter((line) => line.domestic_account !== undefined);
  if (chart === undefined || open.length === 0) return (line) => line;
  const configuration = await getConfiguration(cx);
  const vat_codes = await chart.vatCodes(open.map(accountAtHome));
  return routeBy(chart, { customer, configuration, vat_codes });
}

type Route = <Content extends LineContent>(line: Content) => Content;

/** What decides the account of a sale, read before. */
interface ReadFacts {
  readonly customer: VatCustomer;
  readonly configuration: Configuration;
  readonly vat_codes: SaleFacts["vat_codes"];
}

/** Returns lines as `routed` does, from facts that the caller has read. */
export function routedBy<Content extends LineContent>(
  cx: Reader,
  lines: readonly Content[],
  facts: ReadFacts,
): Content[] {
  const chart = chartOf(cx);
  return chart === undefined ? [...lines] : lines.map(routeBy(chart, facts));
}

function routeBy(
  { sales_accounts }: Pick<SaleFacts, "sales_accounts">,
  { customer, configuration, vat_codes }: ReadFacts,
): Route {
  const facts: SaleFacts = { customer, vat: vatSettings(configuration), vat_codes, sales_accounts };
  return (line) =>
    line.domestic_account === undefined
      ? line
      : { ...line, account_number: saleOf(line, facts).account_number };
}
