/** Creates and changes customers. POST upserts the given fields by external id, always with 201 (spec 7.2 and 11.2). */

import * as z from "zod";
import { locationNumberFaults } from "../../../domain/base/location-number.ts";
import { type FieldError, requireValid } from "../../../domain/base/problem.ts";
import { electronicAddressFaults } from "../../../domain/einvoice/electronic-address.ts";
import { termFaults } from "../../../domain/sales/payment.ts";
import { vatNumberFaults } from "../../../domain/sales/vat-number.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lockRow } from "../../../platform/database/resources.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { ledgerNotifier } from "../links/notify-ledger.ts";
import type { CustomerRow } from "./present.ts";
import { presentCustomer } from "./present.ts";
import { findCustomer, insertCustomer, lockCustomer, updateCustomer } from "./queries.ts";
import { CustomerCreate, CustomerUpdate } from "./schemas.ts";

interface CustomerPlan {
  /** Null for a new customer. */
  readonly before: CustomerRow | null;
  readonly after: CustomerRow;
  readonly sent: CustomerUpdate;
}

/** Sends the customer to a connected ledger too, if the ledger responds in time (spec 9.9). */
const afterChange = ledgerNotifier("customer");

/** Upserts a customer by external id and returns it. Throws LEDGER_REJECTED if a connected ledger refuses it. */
export const saveCustomer = defineCommand({
  name: "save_customer",
  access: "write",
  input: CustomerCreate,

  async plan(tx, sent): Promise<CustomerPlan> {
    const external_id = sent.external_id ?? null;
    if (external_id === null) return planCustomer(null, sent);
    lockRow(tx, "customers", `ext:${external_id}`);
    return planCustomer((await findCustomer(tx, `ext:${external_id}`)) ?? null, sent);
  },

  async commit(tx, plan): Promise<JsonText> {
    if (plan.before !== null) return change(tx, plan.before, plan.after);
    if (await insertCustomer(tx, plan.after)) {
      const document = presentCustomer(plan.after);
      tx.audit("customer", plan.after.id, "created", { before: null, after: document });
      return document;
    }
    // Another request created this customer between plan and commit: the upsert becomes a change of that customer.
    const locked = await lockCustomer(tx, `ext:${plan.after.external_id}`);
    return change(tx, locked, planCustomer(locked, plan.sent).after);
  },

  after: afterChange,
});

/** Changes the given fields of a customer. Throws NOT_FOUND, EXTERNAL_ID_CONFLICT, LEDGER_REJECTED. */
export const changeCustomer = defineCommand({
  name: "change_customer",
  access: "write",
  input: z.object({ ref: Ref, changes: CustomerUpdate }),

  async plan(tx, { ref, changes }): Promise<CustomerPlan> {
    return planCustomer(await lockCustomer(tx, ref), changes);
  },

  commit: (cx, plan) => change(cx, plan.before ?? plan.after, plan.after),
  after: afterChange,
});

/** Sets whether a customer is listed and gets new documents (spec 7.2). Throws NOT_FOUND, LEDGER_REJECTED. */
export const setCustomerActive = defineCommand({
  name: "set_customer_active",
  access: "write",
  input: z.object({ ref: Ref, active: z.boolean() }),

  async plan(tx, { ref, active }) {
    const before = await lockCustomer(tx, ref);
    return { before, after: { ...before, active } };
  },

  async commit(tx, { before, after }): Promise<JsonText> {
    const document = presentCustomer(after);
    if (before.active === after.active) return document;
    await updateCustomer(tx, after);
    tx.audit("customer", after.id, after.active ? "activated" : "deactivated", {
      before: document,
      after: document,
    });
    return document;
  },

  after: afterChange,
});

const defaults: Omit<CustomerRow, "id" | "name"> = {
  external_id: null,
  country_key: "DK",
  is_person: false,
  send_method: "email",
  street: null,
  zip_code: null,
  city: null,
  phone: null,
  email: null,
  webpage: null,
  att_person: null,
  vat_number: null,
  se_number: null,
  p_number: null,
  ean_number: null,
  use_cvr: false,
  company_type_key: null,
  preferred_invoice_language_key: null,
  preferred_invoice_currency_key: null,
  external_reference: null,
  payment_condition_type: null,
  payment_condition_number_of_days: null,
  invoice_mail_out_option_key: null,
  payment_mean: null,
  buyer_reference: null,
  order_reference: null,
  hours_specification: null,
  active: true,
  reminders: true,
  einvoice_address: null,
  einvoice_format: null,
  einvoice_by_mail: false,
  accounting_cost: null,
};

/** Plans a new or changed customer, which `before` is. Throws VALIDATION_FAILED for contradictory payment terms, and for impossible numbers. */
export function planCustomer(before: CustomerRow | null, sent: CustomerUpdate): CustomerPlan {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const after: CustomerRow = {
    ...(before ?? { ...defaults, id: newId(), name: "" }),
    ...given,
  };
  requireValid([
    ...termFaults(
      after.payment_condition_type,
      after.payment_condition_number_of_days,
      "payment_condition_number_of_days",
    ),
    ...numberFaults(before, after),
  ]);
  return { before, after, sent };
}

/** Returns the faults of a customer's numbers. A stored number is not checked again until it is changed. */
function numberFaults(before: CustomerRow | null, after: CustomerRow): FieldError[] {
  const { vat_number, country_key, ean_number, einvoice_address } = after;
  return [
    ...(vat_number === before?.vat_number
      ? []
      : vatNumberFaults(vat_number, country_key, "vat_number")),
    ...(ean_number === before?.ean_number ? [] : locationNumberFaults(ean_number, "ean_number")),
    ...(einvoice_address === (before?.einvoice_address ?? null)
      ? []
      : electronicAddressFaults(einvoice_address, "einvoice_address")),
  ];
}

async function change(tx: Tx, before: CustomerRow, after: CustomerRow): Promise<JsonText> {
  const [was, is] = [presentCustomer(before), presentCustomer(after)];
  if (was === is) return is;
  await updateCustomer(tx, after);
  tx.audit("customer", after.id, "updated", { before: was, after: is });
  return is;
}
