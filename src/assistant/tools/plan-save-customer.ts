/** The tool that plans creating and changing customers. */
import * as z from "zod";
import { receiverAddress } from "../../domain/einvoice/receiver-address.ts";
import { changeCustomer, saveCustomer } from "../../features/catalogue/customers/save.ts";
import {
  CustomerCreate,
  type CustomerResource,
  CustomerUpdate,
  printedByTool,
} from "../../features/catalogue/customers/schemas.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { findStored, getStored } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { quoted } from "../protocol/words.ts";

const Input = z.object({
  customer: reference("customer", "The customer to change; absent for a new one.").optional(),
  ...CustomerUpdate.shape,
  einvoice_address: CustomerUpdate.shape.einvoice_address.describe(
    "`scheme:value`, as `0088:<GLN>`.",
  ),
  ...printedByTool,
});

interface Saving {
  /** The customer's id; null for a new customer. */
  readonly id: string | null;
  readonly fields: CustomerUpdate;
}

export const planSaveCustomer = defineProposal<z.output<typeof Input>, Saving>({
  name: "plan_save_customer",
  title: "Plan a new or changed customer",
  description:
    "Plans creating a customer, or changing the fields sent of one. Use it when the person wants to bill a new customer or to correct name, address, e-mail, VAT number or payment terms.",
  scope: "mcp:write",
  input: () => Input,

  async settle(cx, { customer, ...fields }) {
    if (customer !== undefined) {
      const { id } = await getStored(cx, "customers", customer);
      return { id, fields: validated(CustomerUpdate, fields) };
    }
    const sent = validated(CustomerCreate, fields);
    // An external id in use identifies its customer (spec 11.2).
    const known = sent.external_id
      ? await findStored(cx, "customers", `ext:${sent.external_id}`)
      : undefined;
    return { id: known?.id ?? null, fields: sent };
  },

  async permit(cx, { id }) {
    if (id !== null) await requireInView(cx, "customer", id);
  },

  async prepare(inside, { id, fields }) {
    const before = id === null ? null : (await getStored(inside, "customers", id)).document;
    const { plan, committed: document } =
      id === null
        ? await carryOut(saveCustomer, inside, validated(CustomerCreate, fields))
        : await carryOut(changeCustomer, inside, { ref: id, changes: fields });
    const after = JSON.parse(document) as CustomerResource;
    const changes = changesBetween("customer", id, before, document);
    const summary =
      before === null
        ? `Creates the customer ${quoted(after.name)}.`
        : `Changes the customer ${quoted((JSON.parse(before) as CustomerResource).name)}.`;
    return {
      facts: plan,
      shown: {
        summary: changes.length === 0 ? `${summary} Nothing would change.` : summary,
        changes,
        effects: ["Books nothing and sends nothing."],
        warnings: warningsOf(after, receiverAddress(plan.after)),
      },
      ...done("customer", [after.id], document),
    };
  },
});

function warningsOf({ send_method, email }: CustomerResource, receiver: string | null): string[] {
  if (send_method === "email" && email === null) {
    return ["There is no e-mail address: invoices cannot be e-mailed."];
  }
  if (send_method === "einvoice" && receiver === null) {
    return [
      "There is no e-invoice address, EAN number or Danish CVR number: e-invoices cannot be addressed.",
    ];
  }
  return [];
}
