/** The REST routes of bank accounts. */

import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { readBankAccounts } from "./queries.ts";
import { changeBankAccount, createBankAccount } from "./save.ts";
import {
  BankAccountCreate,
  BankAccountList,
  BankAccountQuery,
  BankAccountResource,
  BankAccountUpdate,
} from "./schemas.ts";

export const bankAccountRoutes = routesOf("Bank", [
  defineRead("GET /bank-accounts", {
    operation: "bank_accounts.list",
    summary: "List bank accounts",
    query: BankAccountQuery,
    replies: { 200: BankAccountList },
    read: ({ query }) => readBankAccounts(query),
  }),

  defineRoute("POST /bank-accounts", {
    operation: "bank_accounts.create",
    summary: "Add a bank account",
    description:
      "A repeat with the same `external_id` and content answers 200 with that bank account.",
    access: "write",
    body: BankAccountCreate,
    replies: { 200: BankAccountResource, 201: BankAccountResource },
    refuses: ["EXTERNAL_ID_CONFLICT"],
    handle: async (cx, { body }) => savedText(await run(createBankAccount, cx, body)),
  }),

  defineGet("GET /bank-accounts/:ref", {
    table: "bank_accounts",
    operation: "bank_accounts.get",
    summary: "Read a bank account",
    resource: BankAccountResource,
  }),

  defineRoute("PATCH /bank-accounts/:ref", {
    operation: "bank_accounts.update",
    summary: "Change the fields sent; what is booked stays where it is",
    access: "write",
    params: RefParams,
    body: BankAccountUpdate,
    replies: { 200: BankAccountResource },
    refuses: ["NOT_FOUND", "EXTERNAL_ID_CONFLICT"],
    handle: (cx, { params, body }) =>
      run(changeBankAccount, cx, { ref: params.ref, changes: body }),
  }),
]);
