/** The effect of a change of a line in the form that travels to the browser. Amounts are minor units, as decimal text. */
import type { Scope } from "../../domain/series/series.ts";
import type { OccurrenceState } from "../../features/recurring/series/schemas.ts";
import type { Refusal } from "../words/refusal.ts";
import type { NamedFault } from "./retainer-fields.ts";
import type { ComparedPeriod } from "./touched.ts";

interface ComparedShown {
  readonly key: string;
  readonly state: OccurrenceState;
  readonly before: string;
  readonly after: string;
  readonly is_touched: boolean;
}

/** What a change does under one scope, or why it is refused. */
export type EffectShown = { readonly scope: Scope } & (
  | { readonly refusal: Refusal }
  | { readonly periods: readonly ComparedShown[] }
);

export interface LineEffectShown {
  readonly effects: readonly EffectShown[];
  /** The key of the period from which the change begins. */
  readonly start: string;
  readonly digest: string;
}

/** The answer to what is typed: its effect, or the faults of its fields. */
export type LineAnswer =
  | { readonly shown: LineEffectShown }
  | { readonly faults: readonly NamedFault[] };

/** Returns a compared period as it travels. */
export function comparedShown(
  { key, state, before, after }: ComparedPeriod,
  is_touched: boolean,
): ComparedShown {
  return { key, state, before: `${before}`, after: `${after}`, is_touched };
}

/** Returns the scope that is chosen: the one that was asked for, else the first that is possible. */
export function chosenScope(
  effects: readonly EffectShown[],
  asked: string | undefined,
): Scope | undefined {
  const possible = effects.filter((effect) => "periods" in effect);
  return (possible.find(({ scope }) => scope === asked) ?? possible[0])?.scope;
}
