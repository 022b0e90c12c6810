/**
 * The form of a retainer that is a draft: its header, its lines, and beside them its next periods. The periods follow from a dry
 * run while a person types. Without scripts a button of the form shows them, and others add, move and remove lines.
 */
import { useState } from "preact/hooks";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { islandOf } from "../browser/island.ts";
import { useNewest } from "../browser/newest.ts";
import { firstReason, type Refused, send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { type PageReader, useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { FormLines, instead } from "./form-lines.tsx";
import { HeaderFields } from "./header-form.tsx";
import { PeriodsAhead } from "./periods-ahead.tsx";
import type { PeriodsAnswer, PeriodsShown } from "./periods-shown.ts";
import {
  lineNumbers,
  lineOfFault,
  MOST_FORM_LINES,
  type NamedFault,
  withField,
  withNewLine,
} from "./retainer-fields.ts";
import { useTypedBefore } from "./typed-in.ts";
import { formUnderstood, type LineChoices } from "./typed-line.ts";
import { useProducts } from "./use-products.ts";

const PAUSE_MS = 300;

interface FormProps {
  readonly action: string;
  readonly csrf: string;
  readonly customer_id: string;
  /** The stored draft with the version that is shown; null for a retainer that is not stored yet. */
  readonly draft: { readonly id: string; readonly seen: string } | null;
  readonly typed: TypedFields;
  readonly faults: readonly NamedFault[];
  readonly choices: LineChoices;
  readonly today: CalendarDate;
  /** The person who is assigned to a new line; null for a person who sees every retainer. */
  readonly own: string | null;
  /** Null until they are computed. */
  readonly ahead: PeriodsShown | null;
}

interface Ahead {
  readonly shown: PeriodsShown | null;
  /** Why the typed retainer has no periods yet; they are those of an earlier state then. */
  readonly refused: string | null;
}

/** Returns the typed fields, a function that changes them, and the periods that follow. */
function useTyped({ typed: first, ahead: known, draft, customer_id, today, choices }: FormProps) {
  const reader = useReader();
  const is_alive = useAlive();
  const [typed, setTyped] = useState(first);
  const [ahead, setAhead] = useState<Ahead>({ shown: known, refused: null });
  const form = useTypedBefore(setTyped, today);
  const asks = is_alive && (typed !== first || known === null);
  const meant = JSON.stringify(formUnderstood(typed, reader.language, choices.currency));
  useNewest(asks ? meant : null, PAUSE_MS, async (fields) => {
    const answer = await send<PeriodsAnswer>("/app/retainers/ahead", {
      id: draft?.id ?? null,
      customer_id,
      fields: JSON.parse(fields),
      language: reader.language,
    });
    return () => {
      const said = "done" in answer ? answer.done : answer;
      if ("shown" in said) setAhead({ shown: said.shown, refused: null });
      else if ("refused" in said) {
        setAhead(({ shown }) => ({ shown, refused: reasonOf(typed, said.refused, reader) }));
      } else setAhead(({ shown }) => ({ shown, refused: reader.words.retainer_draft.ahead_lost }));
    };
  });
  return { form, typed, setTyped, ahead, is_alive };
}

/** Returns the first fault in words, with the line that has it. */
function reasonOf(typed: TypedFields, refused: Refused, { words }: PageReader): string {
  const { code = "", field = "" } = refused.field_errors[0] ?? {};
  const lacks_product = code === "required" && field.endsWith(".product_id");
  const said = lacks_product
    ? `${words.retainer_draft.choose_product}.`
    : words.refused(firstReason(refused));
  const line = lineOfFault(typed, field);
  return line === null ? said : `${words.draft.line(line)}: ${said}`;
}

function RetainerForm(props: FormProps) {
  const { action, csrf, customer_id, draft, today, own } = props;
  const { words: all } = useReader();
  const { form, typed, setTyped, ahead, is_alive } = useTyped(props);
  const { choices, onProduct, leave } = useProducts(props.choices, setTyped);
  const numbers = lineNumbers(typed);
  // A fault is that of the text that was sent: another text has none yet.
  const faults: Faults = new Map(
    props.faults.filter(([name]) => typed[name] === props.typed[name]),
  );
  const save = draft === null ? all.retainer_draft.create : all.save;

  function type({ target }: Event): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { name } = target;
    if (name === "" || name === "start_date" || name === "end_date") return;
    const is_box = target instanceof HTMLInputElement && target.type === "checkbox";
    const value = is_box && !target.checked ? "" : target.value;
    setTyped((now) => withField(now, name, value, choices.products));
  }

  return (
    <div class="retainer-form">
      <form method="post" action={action} ref={form} onInput={type} onFocusOut={leave}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="customer_id" value={customer_id} />
        {draft !== null && <input type="hidden" name="seen" value={draft.seen} />}
        {/* The first button is the one that the Enter key presses. */}
        <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true">
          {save}
        </button>
        <div class="stack">
          <HeaderFields
            typed={typed}
            faults={faults}
            today={today}
            onDay={(name, day) => setTyped((now) => ({ ...now, [name]: day }))}
          />
          <FormLines {...{ typed, setTyped, faults, choices, is_alive, onProduct }} />
          <p class="buttons">
            {numbers.length < MOST_FORM_LINES && (
              <button
                type="submit"
                class="button"
                name="do"
                value="add"
                onClick={(event) => instead(event, setTyped, (now) => withNewLine(now, own))}
              >
                {all.draft.add}
              </button>
            )}
            <button type="submit" class="button main">
              {save}
            </button>
          </p>
        </div>
        <NextPeriods id={draft?.id ?? null} ahead={ahead} is_alive={is_alive} />
      </form>
    </div>
  );
}

/** The next periods, or why what is typed has none. */
function NextPeriods(props: { id: string | null; ahead: Ahead; is_alive: boolean }) {
  const { id, ahead, is_alive } = props;
  const words = useReader().words.retainer_draft;
  return (
    <section class="card ahead" aria-labelledby="ahead">
      <header>
        <h2 id="ahead">{words.ahead}</h2>
        {!is_alive && (
          <button type="submit" class="button small end" name="do" value="periods">
            {words.show_ahead}
          </button>
        )}
      </header>
      <div class={ahead.refused === null ? "" : "dimmed"}>
        {ahead.shown === null ? (
          <p class="pad soft">{words.ahead_none}</p>
        ) : (
          <PeriodsAhead id={id} shown={ahead.shown} />
        )}
      </div>
      <p class="pad small ember" role="status">
        {ahead.refused ?? ""}
      </p>
    </section>
  );
}

export const island = islandOf<FormProps>({ name: "retainer-form", View: RetainerForm });
