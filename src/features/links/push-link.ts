/** Telling a connected ledger of a customer or product as it is now. */
import { notFound } from "../../domain/base/problem.ts";
import type {
  ConnectedLedger,
  LedgerCustomer,
  LedgerProduct,
  PutOutcome,
} from "../../ledger/connected.ts";
import type {
  CallOptions,
  Failure,
  NotStarted,
  Rejected,
  Unauthorized,
} from "../../ledger/outcome.ts";
import { callWithin, connectedLedger } from "../../platform/connected-ledger.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import {
  failLink,
  findLink,
  type LinkKind,
  leaveQueued,
  postponeLink,
  queueUnlinked,
  settleLink,
  type TakenLink,
  takeLink,
} from "./queries.ts";

/** What became of telling: `refused` while somebody waits who was told nothing of the change yet. */
type Pushed =
  | { readonly state: "stored" }
  | { readonly state: "refused"; readonly outcome: Rejected; readonly is_awaited: boolean }
  | { readonly state: "waits"; readonly outcome: Failure };

/** How long a call may take that somebody waits for; what takes longer is queued. */
const PATIENCE_MS = 4_000;

/** Tells what is queued of one thing, for somebody who waits; null where nothing is, or somebody else is at it. */
export async function pushNow(
  cx: Reader,
  kind: LinkKind,
  local_id: string,
): Promise<Pushed | null> {
  const ledger = connectedLedger(cx);
  if (ledger === null) return null;
  // Of a ledger that is down it is known that it would not answer.
  if (await leaveQueued(cx, kind, local_id)) return null;
  const link = await takeLink(cx, kind, local_id);
  if (link === undefined) return null;
  return pushLink(cx, ledger, link, callWithin(cx, PATIENCE_MS));
}

/** Tells the ledger of a link under its lease, and stores what it answers. */
export async function pushLink(
  cx: Reader,
  ledger: ConnectedLedger,
  link: TakenLink,
  options: CallOptions,
): Promise<Pushed> {
  const outcome = await put(cx, ledger, link, options);
  if (outcome.state === "stored") {
    await settleLink(cx, link, outcome.ledger_id);
    return { state: "stored" };
  }
  const { kind, local_id } = link;
  cx.log.warn(
    { kind, local_id, outcome: outcome.state, err: outcome.cause },
    "not told to the ledger",
  );
  if (outcome.state === "rejected") {
    const is_awaited = await failLink(cx, link, outcome.code);
    return { state: "refused", outcome, is_awaited };
  }
  await postponeLink(cx, link, outcome.reason ?? outcome.state);
  return { state: "waits", outcome };
}

/** A call that throws says nothing of what it did. */
async function put(
  cx: Reader,
  ledger: ConnectedLedger,
  link: TakenLink,
  options: CallOptions,
): Promise<PutOutcome> {
  try {
    return link.kind === "customer"
      ? await ledger.putCustomer(await customerOf(cx, link), options)
      : await ledger.putProduct(await productOf(cx, link), options);
  } catch (cause) {
    return { state: "unknown", cause };
  }
}

/**
 * Makes sure that the ledger knows a customer before something is booked for it; null when it does. Changes that are
 * queued besides hold up no booking. Whatever else is answered, nothing has been booked.
 */
export async function requireKnown(
  cx: Reader,
  ledger: ConnectedLedger,
  customer_id: string,
  options: CallOptions,
): Promise<Rejected | NotStarted | Unauthorized | null> {
  await queueUnlinked(cx, "customer", customer_id);
  const link = await takeLink(cx, "customer", customer_id);
  const pushed = link === undefined ? null : await pushLink(cx, ledger, link, options);
  const now = await findLink(cx, "customer", customer_id);
  // Without a row there is no connection of which customers are told.
  if (now === undefined || now.ledger_id !== null) return null;
  if (pushed?.state === "refused") return { ...pushed.outcome, code: "UNKNOWN_CUSTOMER" };
  if (pushed?.state === "waits") {
    const { outcome } = pushed;
    return outcome.state === "unauthorized" ? outcome : { ...outcome, state: "not_started" };
  }
  if (now.state === "failed") return { state: "rejected", code: "UNKNOWN_CUSTOMER" };
  return { state: "not_started", reason: "lock_contention" };
}

type CustomerFields = Omit<LedgerCustomer, "guid" | "ledger_id"> & { readonly id: string };

async function customerOf(cx: Reader, { local_id, ledger_id }: TakenLink): Promise<LedgerCustomer> {
  const row =
    await cx.row<CustomerFields>(sql`select id, active, external_id, name, country_key, is_person, street,
      zip_code, city, phone, email, webpage, att_person, vat_number, se_number, p_number, ean_number, use_cvr,
      company_type_key, preferred_invoice_language_key, preferred_invoice_currency_key, external_reference,
      payment_condition_type, payment_condition_number_of_days, invoice_mail_out_option_key
    from customers where account_id = ${cx.caller.account_id} and id = ${local_id}`);
  if (row === undefined) throw notFound("customer", local_id);
  const { id, ...fields } = row;
  return { ...fields, guid: id, ledger_id };
}

interface ProductFields {
  readonly active: boolean;
  readonly product_number: string | null;
  readonly name: string;
  readonly unit: string;
  readonly default_price: bigint;
  readonly quantity: bigint;
  readonly comments: string | null;
  readonly external_reference: string | null;
  readonly ledger_account: string | null;
}

/** The account is that of a sale at home: what a line is sold under is decided with the line. */
async function productOf(cx: Reader, link: TakenLink): Promise<LedgerProduct> {
  const { local_id, ledger_id, connection_id } = link;
  const row =
    await cx.row<ProductFields>(sql`select p.active, p.product_number, p.name, p.unit, p.default_price,
      p.quantity, p.comments, p.external_reference, (
        select m.ledger_account from ledger_mappings m
        where m.account_id = p.account_id and m.connection_id = ${connection_id} and m.account_number = p.account_number
        order by m.vat_code <> 'DK25', m.vat_code limit 1) as ledger_account
    from products p where p.account_id = ${cx.caller.account_id} and p.id = ${local_id}`);
  if (row === undefined) throw notFound("product", local_id);
  const { default_price, quantity, ...fields } = row;
  return {
    ...fields,
    guid: local_id,
    ledger_id,
    price_scaled: default_price,
    quantity: Number(quantity),
  };
}
