/** Sends the current state of a customer or product to a connected ledger. */
import { notFound } from "../../../domain/base/problem.ts";
import type {
  ConnectedLedger,
  LedgerCustomer,
  LedgerProduct,
  PutOutcome,
} from "../../../ledger/connected.ts";
import type {
  CallOptions,
  Failure,
  NotStarted,
  Rejected,
  Unauthorized,
} from "../../../ledger/outcome.ts";
import { callWithin, connectedLedger } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  doubtLink,
  failLink,
  findLink,
  givenUpIn,
  type LinkKind,
  leaveQueued,
  postponeLink,
  queueUnlinked,
  settleLink,
  type TakenLink,
  takeLink,
  UNPLACED,
} from "./queries.ts";

/** The outcome of sending a record; `is_awaited` when a caller still waits for the result of the change. */
type Pushed =
  | { readonly state: "stored" }
  | { readonly state: "refused"; readonly outcome: Rejected; readonly is_awaited: boolean }
  | { readonly state: "waits"; readonly outcome: Failure };

/** The time limit of a call for which a caller waits; after it the change stays queued. */
const TIMEOUT_MS = 4_000;

/** Sends a record's queued change while the caller waits; null if none is queued or another process is sending it. */
export async function pushNow(
  cx: Reader,
  kind: LinkKind,
  local_id: string,
): Promise<Pushed | null> {
  const ledger = connectedLedger(cx);
  if (ledger === null) return null;
  // A ledger that is down is not called.
  if (await leaveQueued(cx, kind, local_id)) return null;
  const link = await takeLink(cx, kind, local_id);
  if (link === undefined) return null;
  return pushLink(cx, ledger, link, callWithin(cx, TIMEOUT_MS));
}

/** Sends the record of a leased link to the ledger, and stores the outcome. */
export async function pushLink(
  cx: Reader,
  ledger: ConnectedLedger,
  link: TakenLink,
  options: CallOptions,
): Promise<Pushed> {
  const { outcome, fields } = await put(cx, ledger, link, options);
  if (outcome.state === "stored") {
    await settleLink(cx, link, outcome.ledger_id);
    return { state: "stored" };
  }
  const { kind, local_id } = link;
  cx.log.warn(
    { kind, local_id, outcome: outcome.state, err: outcome.cause },
    "not sent to the ledger",
  );
  if (outcome.state === "rejected") {
    const is_first = await failLink(cx, link, outcome.code);
    return { state: "refused", outcome, is_awaited: is_first && outcome.is_unplaced !== true };
  }
  if (outcome.state === "unknown" && fields !== null) {
    await doubtLink(cx, link, plainOf(fields), callMs(cx));
  }
  await postponeLink(cx, link, outcome.reason ?? outcome.state);
  return { state: "waits", outcome };
}

type Resource =
  | { readonly kind: "customer"; readonly fields: LedgerCustomer }
  | { readonly kind: "product"; readonly fields: LedgerProduct };

/** Returns the current state of the record. Throws NOT_FOUND. */
async function resourceOf(cx: Reader, link: Pick<TakenLink, KeyOfResource>): Promise<Resource> {
  return link.kind === "customer"
    ? { kind: "customer", fields: await customerOf(cx, link) }
    : { kind: "product", fields: await productOf(cx, link) };
}

type KeyOfResource = "connection_id" | "kind" | "local_id" | "ledger_id";

/**
 * Sends a record to the ledger. A call that throws has an unknown outcome. A product without a mapped account counts as waiting,
 * not as refused: a later mapping sends the product to the ledger.
 */
async function put(
  cx: Reader,
  ledger: ConnectedLedger,
  link: TakenLink,
  options: CallOptions,
): Promise<Put> {
  let fields: Put["fields"] = null;
  try {
    const resource = await resourceOf(cx, link);
    fields = resource.fields;
    if (resource.kind === "customer") {
      return { outcome: await ledger.putCustomer(resource.fields, options), fields };
    }
    const outcome = await ledger.putProduct(resource.fields, options);
    if (outcome.state !== "rejected" || outcome.code !== UNPLACED) return { outcome, fields };
    const is_unplaced = resource.fields.ledger_account === null;
    return { outcome: { ...outcome, is_unplaced }, fields };
  } catch (cause) {
    return { outcome: { state: "unknown", cause }, fields };
  }
}

/** The outcome of a call, and the fields that the call sent; null when no call was made. */
interface Put {
  readonly outcome: PutOutcome & { readonly is_unplaced?: boolean };
  readonly fields: LedgerCustomer | LedgerProduct | null;
}

/** Returns how long an abandoned call may still be on its way, in milliseconds. */
function callMs({ ledger }: Reader): number {
  const timeouts = ledger?.transactional === false ? ledger.timeouts : undefined;
  return timeouts?.call_ms ?? USUAL_CALL_MS;
}

const USUAL_CALL_MS = 8_000;

type Plain = string | number | boolean | null;

/** Returns the sent fields in the form that is stored: bigints as texts. */
function plainOf(fields: object): Readonly<Record<string, Plain>> {
  const plain = Object.entries(fields).map(([name, value]) => [name, plainValue(value)]);
  return Object.fromEntries(plain);
}

function plainValue(value: unknown): Plain {
  return typeof value === "bigint" ? String(value) : ((value ?? null) as Plain);
}

/** Returns the fields that differ because an abandoned call arrived late, so no person changed them in the ledger. */
export async function lateFields(
  cx: Reader,
  link: Pick<TakenLink, KeyOfResource | "given_up">,
  there: object,
): Promise<string[]> {
  const sent = givenUpIn(link.given_up);
  if (sent.length === 0) return [];
  const here = plainOf((await resourceOf(cx, link)).fields);
  return Object.entries(plainOf(there)).flatMap(([name, value]) => {
    const is_late = value !== here[name] && sent.some((one) => one[name] === value);
    return is_late ? [name] : [];
  });
}

/**
 * Makes sure that the ledger knows a customer before a document is booked for this customer; returns null when the ledger does.
 * Other queued changes do not block a booking. With any other outcome, nothing has been booked.
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
  // Without a row there is no connection that receives customers.
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

async function customerOf(
  cx: Reader,
  { local_id, ledger_id }: Pick<TakenLink, KeyOfResource>,
): Promise<LedgerCustomer> {
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

/** Returns a product with its account for domestic sales; the account of another sale is decided with its line. */
async function productOf(cx: Reader, link: Pick<TakenLink, KeyOfResource>): Promise<LedgerProduct> {
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
