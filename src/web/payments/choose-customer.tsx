/** Asks whose payment it is. */
import { Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import { island as customerChip } from "../invoices/customer-chip.tsx";
import type { CustomerAsked } from "../invoices/find-customer.ts";
import { NEW_PAYMENT } from "./payment-form.tsx";

/** The field of a customer, by id or by name; it says where no customer has the name. */
export function CustomerField({ label, asked }: { label: string; asked: CustomerAsked }) {
  const { invoices: words, customers } = useReader().words;
  const asks = { label, placeholder: customers.search };
  return (
    <>
      <div class="field">
        <span>{label}</span>
        <Island of={customerChip} with={{ ...asked, id: asked.id ?? "", asks }} />
      </div>
      {asked.is_unknown && (
        <p class="small" role="status">
          {words.no_customer(asked.name)}
        </p>
      )}
    </>
  );
}

/** The form where the address names neither a document nor a customer. */
export function ChooseCustomer({ asked }: { asked: CustomerAsked }) {
  const { words: all } = useReader();
  const words = all.payments;
  return (
    <form method="get" action={NEW_PAYMENT} class="card pad stack">
      <CustomerField label={all.invoices.customer} asked={asked} />
      <Submit text={words.next} back={{ href: "/payments", text: all.issuing.not_yet }} />
    </form>
  );
}
