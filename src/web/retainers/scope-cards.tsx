/** Three cards for the scopes of a change of a line: each draws the periods that it touches, with old and new amounts. */
import type { Frequency } from "../../domain/series/period.ts";
import type { Scope } from "../../domain/series/series.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, moneyOf } from "../parts/format.ts";
import { periodName, shortPeriod } from "../parts/period.ts";
import type { LineChangeShown, ScopeEffect } from "./line-dry-run.ts";
import { type ComparedPeriod, differenceOf } from "./touched.ts";

export function ScopeCards(props: {
  shown: LineChangeShown;
  currency: string;
  every: Frequency;
  chosen: Scope | undefined;
}) {
  const { shown, currency, every, chosen } = props;
  const { words: all, language } = useReader();
  const words = all.retainer_lines;
  const known = shown.effects.find((effect) => "touched" in effect);
  const issued =
    known !== undefined && "periods" in known
      ? known.periods.filter(({ state }) => state === "issued")
      : [];
  const [first, last] = [issued[0], issued.at(-1)];
  return (
    <fieldset class="scopes">
      <legend>{words.which}</legend>
      <div class="scope-cards">
        {shown.effects.map((effect) => (
          <Card
            effect={effect}
            from={periodName(language, shown.start.key)}
            currency={currency}
            every={every}
            is_chosen={effect.scope === chosen}
          />
        ))}
      </div>
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
  effect: ScopeEffect;
  from: string;
  currency: string;
  every: Frequency;
  is_chosen: boolean;
}) {
  const { effect, from, currency, every, is_chosen } = props;
  const { words: all, language } = useReader();
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
        <Effect effect={effect} currency={currency} every={every} />
      )}
    </div>
  );

  function Effect(inner: {
    effect: Extract<ScopeEffect, { readonly touched: unknown }>;
    currency: string;
    every: Frequency;
  }) {
    const { periods, touched } = inner.effect;
    const changed = periods.filter(({ index }) => touched.has(index));
    const [sample] = changed;
    const difference = differenceOf(changed);
    const sign = difference > 0n ? "+" : "";
    return (
      <>
        <ol class="touches" aria-label={words.periods}>
          {periods.map((period) => (
            <Square period={period} is_touched={touched.has(period.index)} />
          ))}
        </ol>
        {sample === undefined ? (
          <p class="small soft">{words.none}</p>
        ) : (
          <>
            <p class="small">
              <del>{amountOf(language, sample.before, currency)}</del>{" "}
              <strong>{amountOf(language, sample.after, currency)}</strong>{" "}
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
}

/** Draws a period; its name and amounts are for screen readers, and shown where the pointer rests. */
function Square({ period, is_touched }: { period: ComparedPeriod; is_touched: boolean }) {
  const { words: all, language } = useReader();
  const { name, year } = shortPeriod(language, period.key);
  const state = all.retainer.states[period.state];
  const said = is_touched ? all.retainer_lines.touched : state;
  const text = `${name}${year === null ? "" : ` ${year}`}: ${said}`;
  return (
    <li class={is_touched ? "touched" : period.state} title={text}>
      <span class="unseen">{text}</span>
    </li>
  );
}
