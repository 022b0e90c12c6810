/** Shows the bar below the grid about the current cell: its line, the reason of a lock, the note, billable, and the price. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { hoursAmount } from "../../domain/sales/line.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, hoursOf, moneyOf } from "../parts/format.ts";
import { type Cell, entriesOf, lockOf, noteOf, saidOf } from "./week-grid-cell.ts";
import { type DayOfWeek, faultText, lockText } from "./week-grid-row.tsx";
import type { WeekEvent, WeekRow } from "./week-grid-state.ts";

interface BarProps {
  readonly row: WeekRow;
  readonly cell: Cell;
  readonly day: DayOfWeek;
  readonly locked_to: string | null;
  readonly functional_currency: string;
  readonly is_alive: boolean;
  readonly dispatch: (event: WeekEvent) => void;
}

export const NOTE_FIELD = "cell-note";

export function CellBar(props: BarProps) {
  const { row, cell, day, locked_to, is_alive, dispatch } = props;
  const { words, language } = useReader();
  const lock = lockOf(cell);
  const said = saidOf(cell);
  const entries = entriesOf(cell);
  const last = entries.at(-1);
  const fault = faultText(words, language, cell, day, row.line, locked_to);
  return (
    <footer class="cellbar">
      <span class="where small">{words.hours.cell(row.line.name, day.long)}</span>
      {lock !== null && (
        <span class="why small">{lockText(words, language, lock, row.line, locked_to)}</span>
      )}
      {fault !== null && <span class="fault small">{fault}</span>}
      {cell.remote !== null && (
        <span class="row">
          {(["remote", "mine"] as const).map((whose) => (
            <button
              key={whose}
              type="button"
              class="button small"
              onClick={() => dispatch({ kind: "choose", whose })}
            >
              {words.hours[whose]}
            </button>
          ))}
        </span>
      )}
      {lock === null && is_alive && (
        <>
          <label class="grow">
            <span class="tiny quiet">{words.hours.note}</span>
            <input
              class="input"
              id={NOTE_FIELD}
              maxLength={1000}
              autocomplete="off"
              value={noteOf(cell)}
              onInput={({ currentTarget }) => dispatch({ kind: "note", text: currentTarget.value })}
              onBlur={() => dispatch({ kind: "leave" })}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={said.billable}
              onChange={({ currentTarget }) =>
                dispatch({ kind: "say", said: { billable: currentTarget.checked } })
              }
            />
            {words.hours.billable}
          </label>
        </>
      )}
      {entries.length > 1 && last !== undefined && (
        <span class="small quiet">
          {words.hours.several(entries.length, hoursOf(language, last.hours))}
        </span>
      )}
      <Price {...props} />
    </footer>
  );
}

/** Shows hours × rate = amount, for billable hours; nothing on lines that are not by hours. */
function Price({ row, cell, functional_currency }: BarProps) {
  const { words, language } = useReader();
  const { rate, discount, currency } = row.line;
  const hours = entriesOf(cell).reduce((sum, one) => sum + (one.billable ? one.hours : 0n), 0n);
  if (rate === null || hours === 0n) return null;
  const digits = currencyDigits(currency);
  const amount = hoursAmount(hours, BigInt(rate), discount, digits);
  const per_hour = hoursAmount(100n, BigInt(rate), 0, digits);
  const written = currency === functional_currency ? amountOf : moneyOf;
  return (
    <span class="small num soft">
      {words.hours.price(
        hoursOf(language, hours),
        amountOf(language, per_hour, currency),
        written(language, amount, currency),
      )}
    </span>
  );
}
