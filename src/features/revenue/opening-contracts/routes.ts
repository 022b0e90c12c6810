/** The REST routes of opening contracts. */
import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { createOpeningContract, previewOpeningContract } from "./create.ts";
import { endOpeningContract } from "./end.ts";
import { readOpeningContracts } from "./queries.ts";
import {
  OpeningContract,
  OpeningContractCreate,
  OpeningContractEnd,
  OpeningContractList,
  OpeningContractQuery,
} from "./schemas.ts";

const POSTING = [
  "LEDGER_MOVING",
  "PERIOD_LOCKED",
  "LATER_PERIOD_CLOSED",
  "LATER_ACCRUAL_BOOKED",
  "ACCOUNT_ROLE_MISSING",
] as const;

export const openingContractRoutes = routesOf("Recognition", [
  defineRead("GET /opening-contracts", {
    operation: "opening_contracts.list",
    summary: "List opening contracts",
    query: OpeningContractQuery,
    replies: { 200: OpeningContractList },
    read: ({ query }) => readOpeningContracts(query),
  }),

  defineRoute("POST /opening-contracts", {
    operation: "opening_contracts.create",
    summary: "Bring along what was invoiced elsewhere and is not yet earned",
    description:
      "A contract of one line by `value`, without document, VAT or receivable. One entry of the cutover debits the counter account and credits contract liability with `invoiced - earned`, which is earned from the later of `service_from` and the day after the cutover, through `service_to`. A repeat with the same `external_id` and content answers 200 with that contract.",
    access: "issue",
    body: OpeningContractCreate,
    replies: { 200: OpeningContract, 201: OpeningContract },
    refuses: ["EXTERNAL_ID_CONFLICT", ...POSTING, "EXCHANGE_RATE_MISSING"],
    handle: async (cx, { body }) => savedText(await run(createOpeningContract, cx, body)),
  }),

  defineRoute("POST /opening-contracts/preview", {
    operation: "opening_contracts.preview",
    summary: "Preview an opening contract",
    description: "As it would be created, with the number that its entry would have.",
    access: "write",
    body: OpeningContractCreate,
    replies: { 200: OpeningContract },
    refuses: ["EXTERNAL_ID_CONFLICT", ...POSTING, "EXCHANGE_RATE_MISSING"],
    handle: (cx, { body }) => previewOpeningContract(cx, body),
  }),

  defineGet("GET /opening-contracts/:ref", {
    table: "opening_contracts",
    operation: "opening_contracts.get",
    summary: "Read an opening contract",
    resource: OpeningContract,
  }),

  defineRoute("POST /opening-contracts/:ref/end", {
    operation: "opening_contracts.end",
    summary: "End an opening contract",
    description:
      "Nothing is earned after the date, and what is left goes back to the counter account; at the cutover that undoes all.",
    access: "issue",
    params: RefParams,
    body: OpeningContractEnd,
    replies: { 200: OpeningContract },
    refuses: ["NOT_FOUND", "OPENING_CONTRACT_ENDED", ...POSTING],
    handle: (cx, { params, body }) => run(endOpeningContract, cx, { ...params, ...body }),
  }),
]);
