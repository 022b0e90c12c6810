/**
 * The change of a line of an active retainer: the form, and three cards with the effect of each scope, which follow what is typed.
 * Without scripts the form asks for its effect with a button.
 */
import { useState } from "preact/hooks";
import type { Frequency } from "../../domain/series/period.ts";
import type { Scope } from "../../domain/series/series.ts";
import { islandOf } from "../browser/island.ts";
import { useNewest } from "../browser/newest.ts";
import { firstReason, send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Form } from "../frame/form.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { moneyOf } from "../parts/format.ts";
import { periodName } from "../parts/period.ts";
import { Select } from "../parts/select.tsx";
import { LineFields } from "./line-form.tsx";
import { chosenScope, type LineAnswer, type LineEffectShown } from "./line-shown.ts";
import { type NamedFault, withField } from "./retainer-fields.ts";
import { ScopeCards } from "./scope-cards.tsx";
import { usualOf } from "./touched.ts";
import { useTypedBefore } from "./typed-in.ts";
import { formUnderstood, type LineChoices } from "./typed-line.ts";
import { useProducts } from "./use-products.ts";

const PAUSE_MS = 300;
/** The fields of the request that are no fields of the line. */
const OWN_FIELDS = ["csrf", "preview", "period", "scope", "digest"];

interface ChangeProps {
  readonly id: string;
  /** The line; null for a new one. */
  readonly line_id: string | null;
  readonly kind: "add" | "change" | "remove";
  /** The address of the page, which both forms use. */
  readonly here: string;
  /** The address of the retainer. */
  readonly back: string;
  readonly csrf: string;
  readonly typed: TypedFields;
  readonly faults: readonly NamedFault[];
  readonly choices: LineChoices;
  /** The keys and names of the periods from which the change may begin. */
  readonly periods: readonly (readonly [key: string, name: string])[];
  readonly currency: string;
  readonly every: Frequency;
  readonly shown: LineEffectShown | null;
}

interface Effect {
  readonly shown: LineEffectShown | null;
  /** The typed fields, as JSON, to which the effect belongs. */
  readonly of: string;
  /** Why the typed fields have no effect; the cards are those of an earlier state then. */
  readonly refused: string | null;
}

/** Returns the typed fields, a function that changes them, and the effect, which a dry run computes. */
function useChange({ id, line_id, kind, typed: first, shown, currency }: ChangeProps) {
  const { words: all, language } = useReader();
  const is_alive = useAlive();
  const [typed, setTyped] = useState(first);
  const form = useTypedBefore(setTyped, null);
  // A field that is left shows its number in another form: the effect stays that of the typed fields.
  const meantBy = (fields: TypedFields) =>
    JSON.stringify(formUnderstood(fields, language, currency));
  const [effect, setEffect] = useState<Effect>({ shown, of: meantBy(first), refused: null });
  const now = meantBy(typed);
  useNewest(is_alive && now !== effect.of ? now : null, PAUSE_MS, async (of) => {
    const answer = await send<LineAnswer>("/app/retainers/line", {
      ...{ id, line_id, kind, language },
      fields: JSON.parse(of),
    });
    return () => {
      if ("done" in answer && "shown" in answer.done) {
        setEffect({ shown: answer.done.shown, of, refused: null });
        return;
      }
      const refusal =
        "done" in answer && "faults" in answer.done
          ? answer.done.faults[0]?.[1]
          : "refused" in answer
            ? firstReason(answer.refused)
            : undefined;
      const refused = refusal === undefined ? all.retainer_draft.ahead_lost : all.refused(refusal);
      setEffect((known) => ({ ...known, refused }));
    };
  });
  return { form, typed, setTyped, effect, is_current: now === effect.of, is_alive };
}

function LineChange(props: ChangeProps) {
  const { kind, here, periods } = props;
  const { words: all } = useReader();
  const words = all.retainer_lines;
  const { form, typed, setTyped, effect, is_current, is_alive } = useChange(props);
  const { choices, onProduct, leave } = useProducts(props.choices, setTyped);
  const [scope, setScope] = useState(props.typed.scope ?? "this_and_following");
  // A fault is that of the text that was sent: another text has none yet.
  const faults: Faults = new Map(
    props.faults.filter(([name]) => typed[name] === props.typed[name]),
  );

  function type({ target }: Event): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    // The field that finds a product has no name: its choice is one of its own.
    if (target.name === "") return;
    if (target.name === "scope") {
      setScope(target.value);
      return;
    }
    const is_box = target instanceof HTMLInputElement && target.type === "checkbox";
    const value = is_box && !target.checked ? "" : target.value;
    setTyped((now) => withField(now, target.name, value, choices.products));
  }

  const { shown, refused } = effect;
  return (
    <div class="line-change" onInput={type} onFocusOut={leave}>
      <form
        method="get"
        action={here}
        ref={form}
        onSubmit={(event) => {
          if (is_alive) event.preventDefault();
        }}
      >
        <input type="hidden" name="preview" value="1" />
        {kind !== "remove" && <LineFields {...{ typed, faults, choices, is_alive, onProduct }} />}
        <FromPeriod typed={typed} faults={faults} periods={periods} />
        {!is_alive && (
          <p class="buttons">
            <button type="submit" class="button">
              {words.see}
            </button>
          </p>
        )}
      </form>
      <p class="small ember" role="status">
        {refused === null ? "" : `${refused} ${shown === null ? "" : words.incomplete}`}
      </p>
      {shown === null ? (
        <>
          {is_alive && refused === null && <p class="soft small">{words.type_first}</p>}
          <p class="buttons">
            <NotYet back={props.back} />
          </p>
        </>
      ) : (
        <Confirm
          of={props}
          typed={typed}
          shown={shown}
          scope={scope}
          is_alive={is_alive}
          may={!is_alive || is_current}
        />
      )}
    </div>
  );
}

function FromPeriod(props: { typed: TypedFields; faults: Faults } & Pick<ChangeProps, "periods">) {
  const { typed, faults, periods } = props;
  return (
    <div class="fields from-period">
      <Select
        name="period"
        label={useReader().words.retainer_lines.from}
        value={typed.period || (periods[0]?.[0] ?? "")}
        options={periods}
        faults={faults}
      />
    </div>
  );
}

/** The cards of the scopes, and the button that changes the line as it is shown. */
function Confirm(props: {
  of: ChangeProps;
  typed: TypedFields;
  shown: LineEffectShown;
  /** The scope that was asked for. */
  scope: string;
  is_alive: boolean;
  /** Whether the effect is that of what is typed. */
  may: boolean;
}) {
  const { of, typed, shown, scope, is_alive, may } = props;
  const { here, back, csrf, kind, currency, every } = of;
  const { words, language } = useReader();
  const chosen = chosenScope(shown.effects, scope);
  const sent = Object.entries(typed).filter(([name]) => !OWN_FIELDS.includes(name));
  return (
    <Form action={here} csrf={csrf}>
      {sent.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="period" value={shown.start} />
      <input type="hidden" name="digest" value={shown.digest} />
      <ScopeCards shown={shown} currency={currency} every={every} chosen={chosen} />
      <p class="buttons">
        <NotYet back={back} />
        {chosen !== undefined && (
          <button type="submit" class="button main" disabled={!may}>
            {/* Without scripts the button does not follow the chosen card. */}
            {(is_alive && inWords(of, shown, chosen, { words, language })) ||
              words.retainer_lines.buttons[kind]}
          </button>
        )}
      </p>
    </Form>
  );
}

function NotYet({ back }: { back: string }) {
  return (
    <a class="button" href={back}>
      {useReader().words.retainer.skipping.not_yet}
    </a>
  );
}

/** Returns what the button does: the periods of the scope, and what each invoices then. Undefined where no period changes. */
function inWords(
  { kind, currency, every }: ChangeProps,
  { effects, start }: LineEffectShown,
  scope: Scope,
  { words: all, language }: Pick<PageReader, "words" | "language">,
): string | undefined {
  const words = all.retainer_lines;
  const effect = effects.find((one) => one.scope === scope);
  const periods = effect !== undefined && "periods" in effect ? effect.periods : [];
  const usual = usualOf(periods.flatMap(({ is_touched, after }) => (is_touched ? [after] : [])));
  if (usual === undefined) return undefined;
  const amount = moneyOf(language, BigInt(usual), currency);
  const each = scope === "this_only" ? amount : `${amount} ${all.retainers.a(every)}`;
  return words.now[kind](words.periods_of[scope](periodName(language, start)), each);
}

export const island = islandOf<ChangeProps>({ name: "line-change", View: LineChange });
