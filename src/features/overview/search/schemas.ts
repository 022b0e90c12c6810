/** The request and the response of the search. */
import * as z from "zod";
import { component, queryInteger, text } from "../../../platform/http/schemas.ts";
import { foundKinds, MOST_FOUND } from "./find-all.ts";

export const SearchQuery = z.object({
  q: text(200, 1).describe(
    "Words, each the beginning of a word in the name; or a number, or an amount in either spelling: `71.531,25` or `71531.25`.",
  ),
  limit: queryInteger(1, MOST_FOUND).default(MOST_FOUND).describe("Results of each kind at most."),
});

const SearchResult = component("SearchResult", {
  object: z.literal("search_result"),
  kind: z.enum(foundKinds),
  id: z.string().describe("Of a ledger account its number."),
  title: z.string(),
  subtitle: z.string().nullable().meta({
    description:
      "Of a document, payment or reminder its customer, of a customer the VAT number, of a product its number, of a series its external id, of a bank line its day.",
  }),
  amount: z
    .number()
    .nullable()
    .describe(
      "Of an issued document with VAT, of a payment, or of a reminder with what it charges, in its currency; of a bank line what came in, below 0 what went out.",
    ),
  currency: z.string().nullable(),
  url: z.string().nullable().describe("The path of its page for people; null where it has none."),
});

export const SearchResults = component("SearchResults", {
  object: z.literal("list"),
  data: z.array(SearchResult),
});
