/** Shows the checklist of a month, each item with the way to resolve it. */
import type { Month } from "../../domain/base/calendar.ts";
import { curedFrom } from "../frame/cured-from.ts";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import type { MonthAheadShown } from "./ahead-shown.ts";
import { type CheckItem, checklistOf, type FactsShown, toCheck } from "./checklist.ts";

export function Checklist(props: {
  month: Month;
  facts: FactsShown;
  ahead: MonthAheadShown | null;
}) {
  const { month, facts, ahead } = props;
  const { words: all, language } = useReader();
  const words = all.close;
  const items = checklistOf(month, facts, ahead, all, language);
  const open = toCheck(items);
  return (
    <section class="card" aria-labelledby="checklist">
      <header>
        <h2 id="checklist">{words.before}</h2>
        {(ahead !== null || open > 0) && (
          <span class={open === 0 ? "pill ok end" : "pill warn end"}>
            {open === 0 ? words.all_good : words.to_check(open)}
          </span>
        )}
      </header>
      <ul class="checklist">
        {items.map((item) => (
          <Item key={item.text} item={item} month={month} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item, month }: { item: CheckItem; month: Month }) {
  const words = useReader().words.close;
  const { state, text, cure, rate_of } = item;
  return (
    <li class={state}>
      <span>
        <span class="unseen">{words.item_states[state]}: </span>
        {text}
      </span>
      {cure !== undefined && (
        <a
          class="button small"
          href={curedFrom(cure.href, month)}
          aria-label={`${cure.word}: ${text}`}
          data-no-prefetch
        >
          {cure.word}
        </a>
      )}
      {rate_of !== undefined && (
        <ConfirmLink
          class="button small"
          href={`/close/${month}/rate?currency=${rate_of}`}
          label={`${words.set_rate}: ${rate_of}`}
        >
          {words.set_rate}
        </ConfirmLink>
      )}
    </li>
  );
}
