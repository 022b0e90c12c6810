/** The REST routes of customers. */

import { run } from "../../../platform/commands/command.ts";
import {
  createdText,
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { customersCsv } from "./csv.ts";
import { readCustomers } from "./queries.ts";
import { changeCustomer, saveCustomer, setCustomerActive } from "./save.ts";
import {
  CustomerCreate,
  CustomerList,
  CustomerQuery,
  CustomerResource,
  CustomerUpdate,
} from "./schemas.ts";

export const customerRoutes = routesOf("Customers", [
  defineRead("GET /customers", {
    operation: "customers.list",
    summary: "List active customers",
    query: CustomerQuery,
    replies: { 200: CustomerList },
    read: ({ query }) => readCustomers(query),
  }),

  defineRoute("POST /customers", {
    operation: "customers.create",
    summary: "Create a customer, or change the one with the external id",
    description:
      "With an `external_id` that is in use, only the fields sent are changed. Answers 201 in both cases.",
    access: "write",
    body: CustomerCreate,
    replies: { 201: CustomerResource },
    refuses: ["LEDGER_REJECTED"],
    handle: async (cx, { body }) => createdText(await run(saveCustomer, cx, body)),
  }),

  defineGet("GET /customers/:ref", {
    table: "customers",
    operation: "customers.get",
    summary: "Read a customer, active or not",
    resource: CustomerResource,
  }),

  defineRoute("PATCH /customers/:ref", {
    operation: "customers.update",
    summary: "Change the fields sent",
    access: "write",
    params: RefParams,
    body: CustomerUpdate,
    replies: { 200: CustomerResource },
    refuses: ["NOT_FOUND", "EXTERNAL_ID_CONFLICT", "LEDGER_REJECTED"],
    handle: (cx, { params, body }) => run(changeCustomer, cx, { ref: params.ref, changes: body }),
  }),

  ...(["deactivate", "activate"] as const).map((verb) =>
    defineRoute(`POST /customers/:ref/${verb}`, {
      operation: `customers.${verb}`,
      summary:
        verb === "activate"
          ? "Make a customer active again"
          : "Deactivate a customer: not listed, no new documents",
      access: "write",
      params: RefParams,
      replies: { 200: CustomerResource },
      refuses: ["NOT_FOUND", "LEDGER_REJECTED"],
      handle: (cx, { params }) =>
        run(setCustomerActive, cx, { ...params, active: verb === "activate" }),
    }),
  ),

  customersCsv,
]);
