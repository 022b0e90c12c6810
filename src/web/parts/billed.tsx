/** Shows how and where invoices are sent to a customer, and the missing data for that. */
import { useReader } from "../frame/reader.ts";
import type { Words } from "../words/en.ts";
import { Pill } from "./values.tsx";

interface Addressed {
  readonly send_method: "email" | "einvoice";
  readonly email: string | null;
  readonly einvoice_address?: string | null | undefined;
  readonly ean_number: string | null;
  readonly vat_number: string | null;
}

export function Billed({ customer }: { customer: Addressed }) {
  const { customers: words } = useReader().words;
  const text = billedText(words, customer);
  return toOf(customer) === null ? <Pill kind="hot">{text}</Pill> : <span>{text}</span>;
}

/** Says the same as `Billed`. */
export function billedText(words: Words["customers"], customer: Addressed): string {
  const is_mail = customer.send_method === "email";
  const to = toOf(customer);
  if (to === null) return is_mail ? words.no_address : words.no_number;
  return `${is_mail ? words.by_email : words.by_einvoice}: ${to}`;
}

function toOf(customer: Addressed): string | null {
  const { send_method, email, einvoice_address, ean_number, vat_number } = customer;
  return send_method === "email" ? email : (einvoice_address ?? ean_number ?? vat_number);
}
