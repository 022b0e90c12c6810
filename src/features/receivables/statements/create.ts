/** Makes a statement of account: frozen, kept as PDF, and mailed (spec 13.8). It books nothing. */
import * as z from "zod";
import { invalidField } from "../../../domain/base/problem.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insert } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getCustomer } from "../../catalogue/customers/queries.ts";
import { attemptDelivery } from "../../documents/deliveries/attempt.ts";
import { queuedDelivery, sendErrorOf } from "../../documents/deliveries/present.ts";
import { queueDeliveries } from "../../documents/deliveries/queue.ts";
import { auditDelivery } from "../../documents/deliveries/store-outcome.ts";
import { storeLetters } from "../../documents/issued/store-letter.ts";
import { presentStatement } from "./present.ts";
import { makeStatement } from "./queries.ts";
import { SentStatement, StatementBody, type StatementResource, StatementRow } from "./schemas.ts";

interface PlannedStatement {
  readonly snapshot: StatementSnapshot;
  readonly address: string;
}

/** A stored statement, with the delivery that is attempted next. */
interface StoredStatement {
  readonly statement: StatementResource;
  readonly delivery_id: string;
}

/**
 * Makes a statement and sends it to the given address, or else to the customer's. Throws NOT_FOUND, VALIDATION_FAILED (also
 * without any address), PAYMENTS_IN_LEDGER, RECEIVABLES_NOT_BEGUN and RATE_LIMITED.
 */
export const createStatement = defineCommand({
  name: "create_statement",
  access: "issue",
  input: z.object({ ref: Ref, ...StatementBody.shape }),

  async plan(tx, { ref, address, ...period }): Promise<PlannedStatement> {
    const customer = await getCustomer(tx, ref);
    const recipient = address ?? customer.email;
    if (recipient === null || recipient === "") {
      throw invalidField("address", "required", "The customer has no e-mail address.");
    }
    const snapshot = await makeStatement(tx, customer, period, newId<string>());
    return { snapshot, address: recipient };
  },

  async commit(tx, { snapshot, address }): Promise<StoredStatement> {
    const id = snapshot.document_id;
    await countMail(tx, { document_id: id });
    const statement = presentStatement(snapshot, { id, created_at: tx.clock.now() });
    storeLetters(tx, [{ snapshot, number: null }]);
    const document = storeRow(tx, statement);
    tx.audit("statement", id, "created", { before: null, after: document });
    const { id: customer_id } = snapshot.customer;
    const delivery = { document_id: id, customer_id, channel: "email" as const, address };
    const [delivery_id = ""] = queueDeliveries(tx, [delivery], true);
    const row = queuedDelivery({ ...delivery, id: delivery_id, at: tx.clock.now() });
    auditDelivery(tx, "queued", null, row);
    return { statement, delivery_id };
  },

  async after(cx, { statement, delivery_id }: StoredStatement): Promise<JsonText> {
    const delivery = await attemptDelivery(cx, delivery_id, true);
    return jsonText(SentStatement.parse({ ...statement, send_error: sendErrorOf(delivery) }));
  },
});

/** Stores the statement as lists show it; returns that text. */
function storeRow(tx: Tx, { lines: _, ...statement }: StatementResource): JsonText {
  const document = jsonText(StatementRow.parse(statement));
  tx.write(
    insert("customer_statements", {
      account_id: tx.caller.account_id,
      id: statement.id ?? "",
      customer_id: statement.customer_id,
      document,
      created_at: tx.clock.now(),
    }),
  );
  return document;
}
