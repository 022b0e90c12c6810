/** The head of a draft: its customer, title and date, and whether it is sent. */
import { useRef } from "preact/hooks";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";
import { DayInput } from "../parts/day-input.tsx";
import type { Named } from "./draft-stored.ts";
import type { TypedDraft } from "./draft-typed.ts";
import type { Draft } from "./use-draft.ts";

interface Props extends Pick<Draft, "state" | "dispatch"> {
  readonly is_locked: boolean;
}

export function DraftHead({ state: { typed, stored }, dispatch, is_locked }: Props) {
  const { words: all } = useReader();
  const words = all.draft;
  const chosen = useRef(stored.facts.customer.name);
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
            chosen={chosen.current}
            none={words.none_found}
            find={findCustomers}
            choose={({ id, label }) => {
              chosen.current = label;
              set({ customer_id: id });
            }}
          />
        </div>
        <label class="field">
          <span>{words.title}</span>
          <input
            class="input"
            name="title"
            maxLength={200}
            value={typed.title}
            onInput={({ currentTarget }) => set({ title: currentTarget.value })}
          />
        </label>
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
        <label class="row small">
          <input
            type="checkbox"
            checked={typed.auto_send}
            onInput={({ currentTarget }) => set({ auto_send: currentTarget.checked })}
          />
          {words.send}
        </label>
      </fieldset>
    </section>
  );
}

async function findCustomers(q: string): Promise<readonly ComboboxOption[]> {
  const answer = await send<{ readonly data: readonly Named[] }>("/app/drafts/customers", { q });
  return "done" in answer ? answer.done.data.map(({ id, name }) => ({ id, label: name })) : [];
}
