/** The head of a draft: its customer, title, date and references, and whether it is sent. */
import { useRef } from "preact/hooks";
import { calendarDate } from "../../domain/base/calendar.ts";
import { paymentOf } from "../../domain/sales/payment.ts";
import { buyerReferences } from "../../domain/sales/printed.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";
import { DayInput } from "../parts/day-input.tsx";
import { dayInStyle } from "../parts/format.ts";
import { newCustomerFrom } from "./back-to-draft.ts";
import type { Named } from "./draft-stored.ts";
import type { TypedDraft } from "./draft-typed.ts";
import type { Draft } from "./use-draft.ts";

interface Props extends Pick<Draft, "state" | "dispatch"> {
  /** A customer that was made for this draft a moment ago. */
  readonly chosen: Named | null;
  readonly is_locked: boolean;
}

/** The prefix of an option that makes a new customer; the name follows. */
const NEW = "new:";

export function DraftHead({ state, dispatch, chosen, is_locked }: Props) {
  const { typed, stored } = state;
  const { words: all } = useReader();
  const words = all.draft;
  const shown = useRef(chosen?.name ?? stored.facts.customer.name);
  const is_admin = stored.own_months === null;
  const set = (next: Partial<TypedDraft>) =>
    dispatch({ kind: "type", change: (draft) => ({ ...draft, ...next }) });
  return (
    <section class="card" aria-label={words.head}>
      <fieldset class="heads" disabled={is_locked}>
        <div class="field">
          <label for="customer">{words.customer}</label>
          <Combobox
            id="customer"
            label={words.customer}
            chosen={shown.current}
            none={words.none_found}
            find={(q) => findCustomers(q, is_admin ? words.make_customer : null)}
            choose={({ id, label }) => {
              if (id.startsWith(NEW)) {
                // The browser keeps what was typed until the person returns.
                location.assign(newCustomerFrom(`/invoices/${stored.id}`, id.slice(NEW.length)));
                return;
              }
              shown.current = label;
              set({ customer_id: id });
            }}
          />
        </div>
        <TextField
          name="title"
          label={words.title}
          most={200}
          value={typed.title}
          onText={(title) => set({ title })}
        />
        <div class="field">
          <label for="issue_date" title={words.date_hint}>
            {words.date}
          </label>
          <DayInput
            id="issue_date"
            label={words.date}
            name="issue_date"
            value={typed.issue_date}
            today={stored.facts.today}
            empty={all.days.when_issued}
            onDay={(issue_date) => set({ issue_date })}
          />
        </div>
        <References state={state} set={set} />
        <div class="row chips">
          <Billed state={state} />
          <span class="grow" />
          <label class="row small">
            <input
              type="checkbox"
              checked={typed.auto_send}
              onInput={({ currentTarget }) => set({ auto_send: currentTarget.checked })}
            />
            {words.send}
          </label>
        </div>
      </fieldset>
    </section>
  );
}

/**
 * The buyer's references. A field without a text shows what is printed then: the reference of the stored customer. Nothing is shown
 * while another customer is chosen and not stored, and where the draft has an empty text of its own.
 */
function References({
  state,
  set,
}: Pick<Draft, "state"> & { set(next: Partial<TypedDraft>): void }) {
  const { words } = useReader();
  const { typed, stored } = state;
  const is_stored = typed.customer_id === stored.facts.customer.id;
  return (
    <>
      {buyerReferences.map((field) => (
        <TextField
          key={field}
          name={field}
          label={words.references[field]}
          most={255}
          value={typed[field] ?? ""}
          placeholder={is_stored && typed[field] !== "" ? stored.billing.references[field] : ""}
          onText={(text) => set({ [field]: text || null })}
        />
      ))}
    </>
  );
}

/** A field of one line under its label. Links lead to it by its name. */
function TextField(props: {
  name: string;
  label: string;
  most: number;
  value: string;
  placeholder?: string;
  onText(text: string): void;
}) {
  const { name, label, most, value, placeholder, onText } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        id={name}
        name={name}
        maxLength={most}
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </label>
  );
}

/** Shows how the stored customer is billed; nothing while another one is chosen and not stored. */
function Billed({ state: { typed, stored } }: Pick<Draft, "state">) {
  const { words: all, language } = useReader();
  const { facts, billing, own_months } = stored;
  if (typed.customer_id !== facts.customer.id) return null;
  const { vat, vat_number, address, terms, due } = billing;
  const issued_on = calendarDate(typed.issue_date) ?? facts.today;
  const { due_date } = paymentOf(due, issued_on);
  const { text, is_missing } = address;
  return (
    <>
      <span class="pill plain">{vat_number === null ? vat : `${vat}, ${vat_number}`}</span>
      {is_missing && own_months === null ? (
        <a class="pill hot" href={`/customers/${facts.customer.id}/edit`}>
          {text}
        </a>
      ) : (
        <span class={is_missing ? "pill hot" : "pill plain"}>{text}</span>
      )}
      <span class="pill plain" title={all.draft.due}>
        {`${terms}: ${dayInStyle(language, due_date, "date")}`}
      </span>
      <span class="pill plain">{all.draft.in_currency(facts.currency)}</span>
    </>
  );
}

async function findCustomers(
  q: string,
  make: ((name: string) => string) | null,
): Promise<readonly ComboboxOption[]> {
  const answer = await send<{ readonly data: readonly Named[] }>("/app/drafts/customers", { q });
  const data = "done" in answer ? answer.done.data : [];
  const options = data.map(({ id, name }) => ({ id, label: name }));
  const name = q.trim();
  const is_new = make !== null && data.every((one) => one.name !== name);
  return is_new ? [...options, { id: NEW + name, label: make(name) }] : options;
}
