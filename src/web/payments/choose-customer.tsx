/** Asks whose payment it is, where the address names neither a document nor a customer. */
import { Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import { island as customerChip } from "../invoices/customer-chip.tsx";
import type { CustomerAsked } from "../invoices/find-customer.ts";
import { NEW_PAYMENT } from "./payment-form.tsx";

export function ChooseCustomer({ asked }: { asked: CustomerAsked }) {
  const { words: all } = useReader();
  const words = all.payments;
  return (
    <form method="get" action={NEW_PAYMENT} class="card pad">
      <div class="field">
        <span>{all.invoices.customer}</span>
        <Island of={customerChip} with={{ ...asked, id: asked.id ?? "" }} />
      </div>
      {asked.is_unknown && (
        <p class="small" role="status">
          {all.invoices.no_customer(asked.name)}
        </p>
      )}
      <Submit text={words.next} back={{ href: "/payments", text: all.issuing.not_yet }} />
    </form>
  );
}
