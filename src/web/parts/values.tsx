/** Amounts, dates and states as pages show them. */
import type { ComponentChildren } from "preact";
import { Moment } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { amountOfNumber, dayOf } from "./format.ts";

/** Shows an amount as the API returns it. A currency other than the account's is shown before the amount. */
export function Amount(props: {
  value: number | null | undefined;
  currency: string;
  functional: string;
}) {
  const { value, currency, functional } = props;
  const { language } = useReader();
  if (value == null) return <span class="quiet">–</span>;
  return (
    <span class="num">
      {currency !== functional && <span class="quiet">{`${currency} `}</span>}
      {amountOfNumber(language, value, currency)}
    </span>
  );
}

/** Shows a date `YYYY-MM-DD` as the reader's language writes it. */
export function Day({ day }: { day: string | null | undefined }) {
  const { language } = useReader();
  if (day == null) return <span class="quiet">–</span>;
  return <time datetime={day}>{dayOf(language, day)}</time>;
}

/** Shows a state as a label: `ok` is done, `hot` waits for a person, `warn` is about to happen, `bad` has failed. */
export function Pill(props: { kind?: "ok" | "hot" | "warn" | "bad"; children: ComponentChildren }) {
  return (
    <span class={props.kind === undefined ? "pill" : `pill ${props.kind}`}>{props.children}</span>
  );
}

/** Shows the time of figures that are not current; nothing for current ones. */
export function AsOf({ at }: { at: string | null }) {
  const { words } = useReader();
  if (at === null) return null;
  return (
    <p class="tiny quiet">
      {words.figures.as_of} <Moment at={at} />
    </p>
  );
}
