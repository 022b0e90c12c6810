/** The REST route that checks an account's books. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { Verification, VerificationQuery } from "./schemas.ts";
import { findVerification } from "./verify.ts";

export const verificationRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/verification", {
    operation: "ledger.verify",
    summary: "Check that the books are unchanged",
    description:
      "Answers the last check: a check runs every night, and now if there has been none. `fresh=true` runs one now, which examines every event, entry and document.",
    access: "read",
    heavy: {
      field: "ref",
      narrow: "The books are checked every night; see the log, or run `matchbook verify`.",
      needs_primary: true,
    },
    query: VerificationQuery,
    replies: { 200: Verification },
    handle: (cx, { query: { fresh } }) => findVerification(cx, fresh === "true"),
  }),
]);
