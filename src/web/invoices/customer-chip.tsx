/**
 * The filter by customer, or a field of a form that asks for one: the results of a search to choose from. Without scripts it is a text field, in which the server looks
 * up the customer's name.
 */
import { useRef } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";

interface OfCustomer {
  /** The id of the chosen customer; empty for all. */
  readonly id: string;
  /** The name of the chosen customer, or a text that names none. */
  readonly name: string;
  readonly is_unknown: boolean;
  /** The texts of a field that asks for one customer; absent of a filter, which may have all. */
  readonly asks?: { readonly label: string; readonly placeholder: string };
}

function CustomerChip({ id, name, is_unknown, asks }: OfCustomer) {
  const { words: all } = useReader();
  const words = all.invoices;
  const named = asks?.label ?? words.customer;
  const placeholder = asks?.placeholder ?? all.lists.any;
  const field = useRef<HTMLInputElement>(null);
  const is_alive = useAlive();
  if (!is_alive) {
    return (
      <input
        class="input"
        name="customer"
        aria-label={named}
        placeholder={placeholder}
        maxLength={200}
        value={name}
        {...(is_unknown ? { "aria-invalid": "true" as const } : {})}
      />
    );
  }
  const any = { id: "", label: all.lists.any };
  const find = async (q: string): Promise<readonly ComboboxOption[]> => {
    const answer = await send<readonly ComboboxOption[]>("/app/invoices/customers", { q });
    const found = "done" in answer ? answer.done : [];
    return q.trim() === "" && asks === undefined ? [any, ...found] : found;
  };
  // A typed text is no choice yet: only the choice of a customer opens the filtered list.
  return (
    <div
      onChange={(event) => {
        if (event.target !== field.current) event.stopPropagation();
      }}
    >
      <input ref={field} type="hidden" name="customer" value={id} />
      <Combobox
        id="of-customer"
        label={named}
        chosen={name}
        placeholder={placeholder}
        none={words.none_found}
        is_invalid={is_unknown}
        find={find}
        choose={(customer) => {
          if (field.current === null) return;
          field.current.value = customer.id;
          field.current.dispatchEvent(new Event("change", { bubbles: true }));
        }}
      />
    </div>
  );
}

export const island = islandOf<OfCustomer>({ name: "customer-chip", View: CustomerChip });
