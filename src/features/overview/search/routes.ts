/** The search over all records with a name, a number or an amount. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { search } from "./find-all.ts";
import { presentFound } from "./present.ts";
import { SearchQuery, SearchResults } from "./schemas.ts";

export const searchRoutes = routesOf("Search", [
  defineRoute("GET /search", {
    operation: "search.find",
    summary: "Search by name, number or amount: a few results of each kind",
    description: `Active customers by name, VAT number and external id; invoices by number, amount and title; credit notes by number
and amount; payments and reminders by number, amount and the customer's name; bank lines by amount and words; recurring series by the
customer's name; active products by name and number; active users and accounts of the ledger by name, accounts also by number. Each of several words must be the beginning of a word in the name. Numbers and
amounts are exact; an amount is net or gross, of a reminder what it asks for or what it charges, and may be written \`71.531,25\` or \`71531.25\`. The newest documents come first.`,
    access: "read",
    query: SearchQuery,
    replies: { 200: SearchResults },
    async handle(cx, { query: { q, limit } }) {
      const found = await search(cx, q, limit);
      return jsonText({ object: "list", data: found.map(presentFound) });
    },
  }),
]);
