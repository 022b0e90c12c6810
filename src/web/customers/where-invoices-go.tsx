/** The head of a customer: the channel of its invoices, the address and the format. */

import { getsEinvoices } from "../../domain/einvoice/einvoice-format.ts";
import { kindOfAddress } from "../../domain/einvoice/propose-address.ts";
import { receiverAddress } from "../../domain/einvoice/receiver-address.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { missingOfCustomer } from "../../features/documents/einvoice-readiness/read-readiness.ts";
import { printsItself } from "../../platform/commands/connected-ledger.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { cureOfWarning } from "../parts/cures.ts";
import { EINVOICE_FORMATS } from "../parts/einvoice-format-names.ts";
import type { CuredText } from "../parts/facts.tsx";
import { Pill } from "../parts/values.tsx";
import { receiverWords } from "./receiver-words.ts";

/** `ledger` is the name of a connected ledger that sends documents; null where Matchbook sends them. */
export function WhereInvoicesGo(props: { customer: CustomerRow; ledger: string | null }) {
  const { customer, ledger } = props;
  const { language } = useReader();
  const words = receiverWords(language);
  const { send_method, email, einvoice_by_mail } = customer;
  if (send_method === "email") {
    if (email === null) return <Missing text={words.no_email} />;
    const text = einvoice_by_mail ? words.by_email_with_data : words.by_email;
    return <p class="small soft">{text(email)}</p>;
  }
  if (ledger !== null) return <p class="small soft">{words.by_ledger(ledger)}</p>;
  const address = receiverAddress(customer);
  if (address === null) return <Missing text={words.no_receiver} />;
  const format = EINVOICE_FORMATS[customer.einvoice_format ?? "peppol-bis-3"];
  const kind = words.kinds[kindOfAddress(address)];
  return <p class="small soft">{words.by_einvoice(format, address, kind)}</p>;
}

/**
 * Returns what the customer and the seller lack for e-invoices, each with the link to its cure; nothing for a customer who gets none.
 * That there is no address, `WhereInvoicesGo` says.
 */
export async function missingForEinvoices(
  { cx, reader }: Pick<PageRequest, "cx" | "reader">,
  customer: CustomerRow,
): Promise<CuredText[]> {
  if (printsItself(cx.ledger) || !getsEinvoices(customer)) return [];
  const missing = await missingOfCustomer(cx, customer);
  const cured = {
    page: "",
    day_id: "",
    line_ids: null,
    customer_id: customer.id,
    is_admin: isAdmin(cx),
  };
  return missing
    .filter(
      ({ field }) => field !== "customer.einvoice_address" || receiverAddress(customer) !== null,
    )
    .map(({ field, message }) => ({
      text: reader.words.billed_as.einvoice(message[reader.language]),
      cure: cureOfWarning({ code: "EINVOICE_INCOMPLETE", field }, cured),
    }));
}

function Missing({ text }: { text: string }) {
  return (
    <p>
      <Pill kind="hot">{text}</Pill>
    </p>
  );
}
