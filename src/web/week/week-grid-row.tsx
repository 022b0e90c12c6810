/** A week line: its name with budget and reasons, its days and its sum. It is rendered again only after a change. */
import { Component } from "preact";
import { filledOf, paceOf } from "../../domain/work/budget-pace.ts";
import type { CellLock } from "../../domain/work/cell.ts";
import { useReader } from "../frame/reader.ts";
import { dayOf, hoursOf } from "../parts/format.ts";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";
import { type Cell, entriesOf, lockOf, noteOf, sumOf } from "./week-grid-cell.ts";
import type { SentLine, WeekRow } from "./week-grid-state.ts";

export interface DayOfWeek {
  readonly date: string;
  readonly short: string;
  readonly number: string;
  readonly long: string;
  readonly weekday: string;
  readonly is_today: boolean;
  readonly is_off: boolean;
}

interface RowProps {
  readonly row: WeekRow;
  readonly index: number;
  readonly days: readonly DayOfWeek[];
  readonly locked_to: string | null;
  /** The day of the current cell, if it is in this row. */
  readonly day: number | null;
  readonly is_selected: boolean;
  readonly is_alive: boolean;
}

/** Everything that a row shows is in its props: a row with the same props is not rendered again. */
export class GridRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, day, is_selected, is_alive } = this.props;
    return (
      next.row !== row ||
      next.day !== day ||
      next.is_selected !== is_selected ||
      next.is_alive !== is_alive
    );
  }

  override render() {
    return <RowView {...this.props} />;
  }
}

function RowView(props: RowProps) {
  const { row, index, day, is_selected } = props;
  const { words, language } = useReader();
  const segments = segmentsOf(row);
  const sum = row.cells.reduce((all, cell) => all + sumOf(cell), 0n);
  const reasonOf = (lock: CellLock) => lockText(words, language, lock, row.line, props.locked_to);
  const listed = segments.flatMap(({ lock, is_merged }) =>
    lock && is_merged ? reasonOf(lock) : [],
  );
  const reasons = new Set(
    segments.flatMap(({ lock }) =>
      lock === null || lock.code === "WORK_DATE_IN_FUTURE" ? [] : reasonOf(lock),
    ),
  );
  return (
    <tr class={is_selected ? "selected" : undefined}>
      <th scope="row">
        <span class="strong">{row.line.name}</span>
        <span class="sub tiny quiet">
          {row.line.about}
          <Budget row={row} />
        </span>
        {[...reasons]
          .filter((reason) => !listed.includes(reason))
          .map((reason) => (
            <span class="sub tiny why" key={reason}>
              {reason}
            </span>
          ))}
      </th>
      {segments.map((segment) =>
        segment.is_merged && segment.lock !== null ? (
          <td
            key={segment.from}
            class={`locked ${daysOf(segment)}`}
            colSpan={segment.to - segment.from + 1}
          >
            <span
              class="reason"
              tabIndex={day !== null && day >= segment.from && day <= segment.to ? 0 : -1}
              data-row={index}
              data-days={numbersOf(segment)}
              role="note"
            >
              {reasonOf(segment.lock)}
            </span>
          </td>
        ) : (
          <CellView key={segment.from} {...props} at={segment.from} />
        ),
      )}
      <td class="num strong sum">{sum === 0n ? "–" : hoursOf(language, sum)}</td>
    </tr>
  );
}

/** The attributes of editable fields: a week has hundreds, and before the script runs none is editable. */
const TYPED_IN = { inputMode: "decimal", autocomplete: "off", maxLength: 60 } as const;

function CellView(props: RowProps & { at: number }) {
  const { row, index, day, days, at, is_alive, locked_to } = props;
  const { words, language } = useReader();
  const cell = row.cells[at] as Cell;
  const of_day = days[at] as DayOfWeek;
  const lock = lockOf(cell);
  const fault = faultText(words, language, cell, of_day, row.line, locked_to);
  const note = noteOf(cell);
  const count = entriesOf(cell).length;
  const described = `fault-${index}-${at}`;
  const reason = lock === null ? null : lockText(words, language, lock, row.line, locked_to);
  const name = [
    words.hours.cell(row.line.name, of_day.long),
    note === "" ? null : words.hours.cell_note(note),
    reason,
  ];
  const is_future = lock?.code === "WORK_DATE_IN_FUTURE";
  const classes = [
    `d${at}`,
    of_day.is_today && "today-col",
    of_day.is_off && "off",
    is_future && "future",
    lock !== null && !is_future && "locked",
    note !== "" && "noted",
    (cell.wanted !== null || cell.remote !== null) && "unsaved",
  ];
  return (
    <td class={classes.filter(Boolean).join(" ")}>
      <input
        class="hour"
        {...(is_alive ? TYPED_IN : {})}
        aria-label={name.filter(Boolean).join(", ")}
        value={shownIn(cell, language)}
        tabIndex={day === at ? 0 : -1}
        readOnly={!is_alive || lock !== null}
        data-row={index}
        data-days={at}
        {...(fault === null
          ? {}
          : { "aria-invalid": "true" as const, "aria-describedby": described })}
      />
      {count > 1 && <sup class="count">{count}</sup>}
      {fault !== null && (
        <span class="fault" id={described}>
          {fault}
        </span>
      )}
      {is_alive && day === at && lock === null && <Steps name={row.line.name} />}
    </td>
  );
}

/** Shows buttons for a quarter of an hour less or more, for touch screens. */
function Steps({ name }: { name: string }) {
  const { hours } = useReader().words;
  const step = (by: string, text: string) => (
    <button type="button" tabIndex={-1} data-step={by} aria-label={`${text} ${name}`}>
      {text}
    </button>
  );
  return (
    <span class="steps">
      {step("-25", hours.less)}
      {step("25", hours.more)}
    </span>
  );
}

function Budget({ row }: { row: WeekRow }) {
  const { words, language } = useReader();
  const { budget } = row.line;
  if (budget === null) return null;
  const used = usedNow(row, BigInt(budget.used));
  const whole = BigInt(budget.whole);
  const fraction = { part: BigInt(budget.part), whole };
  return (
    <>
      {` · ${words.hours.budget(hoursOf(language, used), shortHours(language, fraction.part / whole))}`}
      <svg
        class={`budget ${paceOf(used, fraction)}`}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="rest" width="100" height="4" rx="1" />
        <rect class="used" width={filledOf(used, fraction)} height="4" rx="1" />
      </svg>
    </>
  );
}

/** Formats hours, without decimals where they are zero. */
function shortHours(language: Language, hours: bigint): string {
  return hoursOf(language, hours).replace(/[.,]00$/, "");
}

/** Returns the hours that all people have used, with the changes made here since the server sent them. */
function usedNow({ line, cells }: WeekRow, used: bigint): bigint {
  const listed = line.cells.flatMap(({ registered = [] }) => registered);
  const before = listed.reduce((sum, one) => sum + (one.billable ? BigInt(one.hours) : 0n), 0n);
  const now = cells
    .flatMap(entriesOf)
    .reduce((sum, one) => sum + (one.billable ? one.hours : 0n), 0n);
  return used - before + now;
}

/** Returns the text of the field: the typed text, else the sum. */
export function shownIn(cell: Cell, language: Language): string {
  if (cell.typed !== null) return cell.typed;
  const sum = sumOf(cell);
  return sum === 0n ? "" : hoursOf(language, sum);
}

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly lock: CellLock | null;
  /** Whether the days are shown as one field, with the reason. */
  readonly is_merged: boolean;
}

/** The fewest days on which a reason fits. */
const FITTING = 3;

/** Returns the days of a row; consecutive empty days with the same lock are one segment. */
export function segmentsOf({ cells }: WeekRow): readonly Segment[] {
  const segments: Segment[] = [];
  for (let from = 0; from < cells.length; from += 1) {
    const reason = emptyLock(cells[from]);
    let to = from;
    while (reason !== null && isSameLock(reason, emptyLock(cells[to + 1]))) to += 1;
    if (reason !== null && to - from + 1 >= FITTING) {
      segments.push({ from, to, lock: reason, is_merged: true });
      from = to;
    } else {
      const cell = cells[from];
      segments.push({ from, to: from, lock: cell ? lockOf(cell) : null, is_merged: false });
    }
  }
  return segments;
}

function emptyLock(cell: Cell | undefined): CellLock | null {
  if (cell === undefined || entriesOf(cell).length > 0 || cell.typed !== null) return null;
  const lock = lockOf(cell);
  return lock?.code === "WORK_DATE_IN_FUTURE" ? null : lock;
}

function isSameLock(a: CellLock, b: CellLock | null): boolean {
  return a.code === b?.code && a.starts_on === b.starts_on && a.ended_on === b.ended_on;
}

function numbersOf({ from, to }: Segment): string {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).join(" ");
}

function daysOf(segment: Segment): string {
  return numbersOf(segment)
    .split(" ")
    .map((day) => `d${day}`)
    .join(" ");
}

export function lockText(
  words: Words,
  language: Language,
  lock: CellLock,
  line: SentLine,
  locked_to: string | null,
): string {
  const day = (one: string | null) => one && dayOf(language, one);
  return words.hours.locks[lock.code]({
    starts_on: day(lock.starts_on),
    ended_on: day(lock.ended_on),
    locked_to: day(locked_to),
    issued_on: day(line.issued?.on ?? null),
    number: line.issued?.number ?? null,
    people: line.people,
  });
}

/** Returns the fault of a cell in words; null when it has none. */
export function faultText(
  words: Words,
  language: Language,
  { fault, remote }: Cell,
  day: DayOfWeek,
  line: SentLine,
  locked_to: string | null,
): string | null {
  if (remote !== null) {
    const sum = remote.reduce((all, { hours }) => all + hours, 0n);
    return words.hours.meanwhile(hoursOf(language, sum));
  }
  if (fault === null) return null;
  switch (fault.kind) {
    case "typed":
      return words.hours.faults[fault.fault];
    case "below_others":
      return words.hours.below_others(hoursOf(language, fault.hours));
    case "too_much":
      return words.hours.too_much(shortHours(language, fault.hours), day.weekday);
    case "locked":
      return lockText(words, language, fault.lock, line, locked_to);
    case "refused":
      return words.refused(fault.refusal);
  }
}
