/** Shows how and where invoices are sent to a customer, and the missing data for that. */
import { useReader } from "../frame/reader.ts";
import { Pill } from "./values.tsx";

interface Addressed {
  readonly send_method: "email" | "einvoice";
  readonly email: string | null;
  readonly ean_number: string | null;
  readonly vat_number: string | null;
}

export function Billed({ customer }: { customer: Addressed }) {
  const { customers: words } = useReader().words;
  const { send_method, email, ean_number, vat_number } = customer;
  const is_mail = send_method === "email";
  const to = is_mail ? email : (ean_number ?? vat_number);
  if (to === null) return <Pill kind="hot">{is_mail ? words.no_address : words.no_number}</Pill>;
  return <>{`${is_mail ? words.by_email : words.by_einvoice}: ${to}`}</>;
}
