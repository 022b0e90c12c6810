/** Three cards for the scopes of a change of a line: each draws the periods that it touches, with old and new amounts. */
import type { Frequency } from "../../domain/series/period.ts";
import type { Scope } from "../../domain/series/series.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, moneyOf } from "../parts/format.ts";
import { periodName, shortPeriod } from "../parts/period.ts";
import type { EffectShown, LineEffectShown } from "./line-shown.ts";
import { differenceOf } from "./touched.ts";

type Compared = Extract<EffectShown, { readonly periods: unknown }>["periods"][number];

/** Shows the cards, and the periods of the chosen one with their old and new amounts. */
export function ScopeCards(props: {
  shown: LineEffectShown;
  currency: string;
  every: Frequency;
  chosen: Scope | undefined;
}) {
  const { shown, currency, every, chosen } = props;
  const { words: all, language } = useReader();
  const words = all.retainer_lines;
  const known = shown.effects.find((effect) => "periods" in effect);
  const issued =
    known !== undefined && "periods" in known
      ? known.periods.filter(({ state }) => state === "issued")
      : [];
  const [first, last] = [issued[0], issued.at(-1)];
  const effect = shown.effects.find(({ scope }) => scope === chosen);
  return (
    <fieldset class="scopes">
      <legend>{words.which}</legend>
      <div class="scope-cards">
        {shown.effects.map((one) => (
          <Card
            key={one.scope}
            effect={one}
            from={periodName(language, shown.start)}
            currency={currency}
            every={every}
            is_chosen={one.scope === chosen}
          />
        ))}
      </div>
      {effect !== undefined && "periods" in effect && (
        <Compare periods={effect.periods} currency={currency} />
      )}
      {first !== undefined && last !== undefined && (
        <p class="small soft">
          {words.locked(
            periodName(language, first.key, true),
            first === last ? null : periodName(language, last.key),
          )}
        </p>
      )}
    </fieldset>
  );
}

function Card(props: {
  effect: EffectShown;
  from: string;
  currency: string;
  every: Frequency;
  is_chosen: boolean;
}) {
  const { effect, from, currency, every, is_chosen } = props;
  const { words: all } = useReader();
  const words = all.retainer_lines;
  const { scope } = effect;
  const is_refused = "refusal" in effect;
  return (
    <div class="scope-card">
      <label>
        <input type="radio" name="scope" value={scope} checked={is_chosen} disabled={is_refused} />{" "}
        <span class="strong">{words.scopes[scope](from)}</span>
      </label>
      {is_refused ? (
        <p class="fault">{all.refused(effect.refusal)}</p>
      ) : (
        <Effect scope={scope} periods={effect.periods} currency={currency} every={every} />
      )}
    </div>
  );
}

function Effect(props: {
  scope: Scope;
  periods: readonly Compared[];
  currency: string;
  every: Frequency;
}) {
  const { scope, periods, currency, every } = props;
  const { words: all, language } = useReader();
  const words = all.retainer_lines;
  const changed = periods.filter(({ is_touched }) => is_touched);
  const [sample] = changed;
  const difference = differenceOf(
    changed.map(({ before, after }) => ({ before: BigInt(before), after: BigInt(after) })),
  );
  const sign = difference > 0n ? "+" : "";
  return (
    <>
      <ol class="touches" aria-label={words.periods}>
        {periods.map((period) => (
          <Square key={period.key} period={period} />
        ))}
      </ol>
      {sample === undefined ? (
        <p class="small soft">{words.none}</p>
      ) : (
        <>
          <p class="small">
            <del>{amountOf(language, BigInt(sample.before), currency)}</del>{" "}
            <strong>{amountOf(language, BigInt(sample.after), currency)}</strong>{" "}
            {scope === "this_only" ? "" : all.retainers.a(every)}
          </p>
          <p class="small soft">
            {words.in_all(changed.length, `${sign}${moneyOf(language, difference, currency)}`)}
          </p>
        </>
      )}
    </>
  );
}

/** Draws a period; its name and amounts are for screen readers, and shown where the pointer rests. */
function Square({ period: { key, state, is_touched } }: { period: Compared }) {
  const { words: all, language } = useReader();
  const { name, year } = shortPeriod(language, key);
  const said = is_touched ? all.retainer_lines.touched : all.retainer.states[state];
  const text = `${name}${year === null ? "" : ` ${year}`}: ${said}`;
  return (
    <li class={is_touched ? "touched" : state} title={text}>
      <span class="unseen">{text}</span>
    </li>
  );
}

/** Shows the periods of the chosen scope: those that change with their old amount struck out. */
function Compare({ periods, currency }: { periods: readonly Compared[]; currency: string }) {
  const { words: all, language } = useReader();
  const amount = (text: string) => amountOf(language, BigInt(text), currency);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the strip scrolls, and the keyboard must reach it.
    <ol class="period-strip compared" tabIndex={0} aria-label={all.retainer_lines.compared}>
      {periods.map(({ key, state, before, after, is_touched }) => {
        const { name, year } = shortPeriod(language, key);
        return (
          <li key={key} class={is_touched ? "repriced" : state}>
            <span class="strong">
              {name} {year !== null && <small>{year}</small>}
            </span>
            <span class="tiny">{all.retainer.states[state]}</span>
            <span class="num small">{amount(is_touched ? after : before)}</span>
            {is_touched && before !== after && <del class="num tiny">{amount(before)}</del>}
          </li>
        );
      })}
    </ol>
  );
}
