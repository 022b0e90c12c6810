/** The field of a customer's address for e-invoices in the form, with what is said about the values that it shows. */
import { LONGEST_ADDRESS } from "../../domain/einvoice/address-form.ts";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { island as addressField } from "./address-field.tsx";
import { describeAddress } from "./describe-address.ts";
import { receiverWords } from "./receiver-words.ts";

/** The fields that decide on the address, and that the form does not show. */
export const HIDDEN = ["se_number", "p_number", "invoice_mail_out_option_key"] as const;

/** `looks_up` is whether receivers are looked up in a register. */
export function AddressField(props: { typed: TypedFields; faults: Faults; looks_up: boolean }) {
  const { typed, faults, looks_up } = props;
  const { words: all, language } = useReader();
  const words = all.customers;
  const name = "einvoice_address";
  return (
    <Island
      of={addressField}
      with={{
        name,
        label: words.einvoice_address,
        hint: words.einvoice_address_hint,
        value: typed[name] ?? "",
        most: LONGEST_ADDRESS,
        refusal: faults.get(name) ?? null,
        said: describeAddress(language, typed),
        looks_up,
        use: receiverWords(language).use,
        hidden: Object.fromEntries(HIDDEN.map((one) => [one, typed[one] ?? ""])),
      }}
    />
  );
}
