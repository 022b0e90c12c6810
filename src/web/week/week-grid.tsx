/**
 * The week as a spreadsheet: one tab stop, arrow keys move, and a cell that is left is stored. `week-grid-state.ts` has the
 * decisions; this file has the keys, the focus, the network and the browser's store.
 */
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { HOURS_OF_A_LONG_DAY, HOURS_OF_A_WORKDAY } from "../../domain/work/workday.ts";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { hoursOf } from "../parts/format.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useWeekSaves } from "./use-week-saves.ts";
import { CellBar } from "./week-grid-bar.tsx";
import { type DayOfWeek, GridRow } from "./week-grid-row.tsx";
import {
  cellAt,
  type GridPlace,
  type SentLine,
  sumOfDay,
  unsavedIn,
  type WeekEvent,
  type WeekState,
  weekAfter,
  weekFrom,
} from "./week-grid-state.ts";

export interface WeekGridProps {
  readonly user_id: string;
  /** The week, `2026-W47`. The next three properties are the addresses of the previous, the next and the current week. */
  readonly week: string;
  readonly before: string;
  readonly after: string;
  readonly now: string;
  readonly days: readonly DayOfWeek[];
  /** The day that a phone shows first. */
  readonly day: number;
  readonly locked_to: string | null;
  readonly functional_currency: string;
  readonly lines: readonly SentLine[];
}

function WeekGrid(props: WeekGridProps) {
  const { words, language } = useReader();
  const { days, lines, day } = props;
  const decimal = language === "da" ? "," : ".";
  const [state, dispatch] = useReducer(weekAfter, null, () => weekFrom(lines, decimal, day));
  const is_alive = useAlive();
  const stored = useWeekSaves(state, dispatch, props);
  const [is_adding, setAdding] = useState(false);
  const grid = useRef<HTMLTableElement>(null);
  const keys = useGridKeys(state, dispatch, grid, {
    ...props,
    leave: stored.leave,
    add: () => setAdding(true),
  });
  const here = state.rows[state.at.row];
  const cell = cellAt(state, state.at);
  return (
    <>
      <Status state={state} dispatch={dispatch} elsewhere={stored.elsewhere} is_alive={is_alive}>
        {is_alive && (
          <span class="row">
            <button
              type="button"
              class="button small"
              onClick={() => dispatch({ kind: "show_last_week" })}
            >
              {words.hours.last_lines}
            </button>
            <button type="button" class="button small" onClick={() => setAdding(!is_adding)}>
              {words.hours.add_line}
            </button>
          </span>
        )}
      </Status>
      {is_adding && <MoreLines state={state} follow={keys.follow} done={() => setAdding(false)} />}
      <section class="card" aria-label={words.hours.hours}>
        <DayStrip state={state} days={days} dispatch={dispatch} />
        <div class="scroll">
          <table
            ref={grid}
            class={`grid-table hours day-${state.at.day}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that is worked in.
            role="grid"
            aria-label={words.hours.grid}
            {...keys.on}
          >
            <Heads days={days} />
            <Lines state={state} days={days} locked_to={props.locked_to} is_alive={is_alive} />
            <Sums state={state} days={days} />
          </table>
        </div>
        {here !== undefined && cell !== undefined && (
          <CellBar
            key={`${state.at.row} ${state.at.day}`}
            row={here}
            cell={cell}
            day={days[state.at.day] as DayOfWeek}
            locked_to={props.locked_to}
            functional_currency={props.functional_currency}
            is_alive={is_alive}
            dispatch={dispatch}
          />
        )}
      </section>
      <Legend language={language} />
    </>
  );
}

type Dispatch = (event: WeekEvent) => void;

/** Shows the lines, by customer. */
function Lines(props: {
  state: WeekState;
  days: readonly DayOfWeek[];
  locked_to: string | null;
  is_alive: boolean;
}) {
  const { state, ...others } = props;
  return (
    <>
      {groupsOf(state).map(({ customer, rows }) => (
        <tbody key={customer}>
          <tr class="group">
            <th colSpan={9} scope="rowgroup">
              {customer}
            </th>
          </tr>
          {rows.map((index) => {
            const row = state.rows[index];
            const is_current = index === state.at.row;
            return row === undefined ? null : (
              <GridRow
                {...others}
                key={row.line.line_id}
                row={row}
                index={index}
                day={is_current ? state.at.day : null}
                is_selected={is_current && state.selects_row}
              />
            );
          })}
        </tbody>
      ))}
    </>
  );
}

function Status(props: {
  state: WeekState;
  dispatch: Dispatch;
  elsewhere: readonly string[];
  is_alive: boolean;
  children: preact.ComponentChildren;
}) {
  const { state, dispatch, elsewhere, is_alive } = props;
  const { words } = useReader();
  const { hours } = words;
  const count = unsavedIn(state);
  const said =
    count === 0
      ? hours.all_saved
      : state.is_lost
        ? hours.offline(count)
        : state.sending !== null
          ? hours.saving
          : hours.unsaved(count);
  return (
    <div class="row between">
      <span class="row">
        <span class={count > 0 && state.is_lost ? "small bad" : "small quiet"} role="status">
          {is_alive ? said : ""}
          {state.skipped > 0 && ` ${hours.skipped(state.skipped)}`}
        </span>
        {state.is_lost && (
          <button type="button" class="button small" onClick={() => dispatch({ kind: "again" })}>
            {hours.again}
          </button>
        )}
        {elsewhere.map((week) => (
          <a key={week} class="small bad" href={`/hours/${week}`}>
            {hours.left_elsewhere(week)}
          </a>
        ))}
      </span>
      {props.children}
    </div>
  );
}

/** The choice of a line that is not shown yet. */
function MoreLines({
  state,
  follow,
  done,
}: {
  state: WeekState;
  follow: Dispatch;
  done: () => void;
}) {
  const { words } = useReader();
  const list = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => list.current?.focus(), []);
  const hidden = state.rows.filter(({ is_shown }) => !is_shown);
  if (hidden.length === 0) {
    return (
      <p class="small quiet" role="status">
        {words.hours.no_more}
      </p>
    );
  }
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (list.current !== null) follow({ kind: "show", line_id: list.current.value });
        done();
      }}
    >
      <label class="row small">
        {words.hours.add_line}
        <select
          class="input"
          ref={list}
          onKeyDown={(event) => {
            if (event.key === "Escape") done();
            if (event.key !== "Enter") return;
            event.preventDefault();
            list.current?.form?.requestSubmit();
          }}
        >
          {hidden.map(({ line }) => (
            <option key={line.line_id} value={line.line_id}>
              {`${line.customer}: ${line.name}`}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button">
        {words.hours.add}
      </button>
    </form>
  );
}

/** Lets a person choose a day on a phone, where the week shows one day at a time. */
function DayStrip({
  state,
  days,
  dispatch,
}: {
  state: WeekState;
  days: readonly DayOfWeek[];
  dispatch: Dispatch;
}) {
  const { words, language } = useReader();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of a form.
    <div class="day-strip" role="group" aria-label={words.hours.days}>
      {days.map(({ date, short, number, is_today }, day) => (
        <button
          key={date}
          type="button"
          class={is_today ? "today" : undefined}
          aria-pressed={day === state.at.day}
          onClick={() => dispatch({ kind: "go", to: { ...state.at, day } })}
        >
          <span>{short}</span> <b>{number}</b>{" "}
          <span>{sumText(language, sumOfDay(state, day))}</span>
        </button>
      ))}
    </div>
  );
}

function Heads({ days }: { days: readonly DayOfWeek[] }) {
  const { words } = useReader();
  return (
    <thead>
      <tr>
        <th scope="col">{words.hours.line}</th>
        {days.map(({ date, short, number, is_today, is_off }, at) => (
          <th
            key={date}
            scope="col"
            class={`d${at}${is_today ? " today-col" : ""}${is_off ? " off" : ""}`}
          >
            <span>{short}</span> <b>{number}</b>
          </th>
        ))}
        <th scope="col" class="num sum">
          {words.hours.sum}
        </th>
      </tr>
    </thead>
  );
}

function Sums({ state, days }: { state: WeekState; days: readonly DayOfWeek[] }) {
  const { words, language } = useReader();
  const sums = days.map((_, day) => sumOfDay(state, day));
  const all = sums.reduce((one, other) => one + other, 0n);
  return (
    <tfoot>
      <tr>
        <th scope="row">
          {words.hours.day}{" "}
          <span class="quiet tiny">
            {words.hours.of_norm(hoursOf(language, HOURS_OF_A_WORKDAY))}
          </span>
        </th>
        {sums.map((sum, at) => (
          <td
            key={days[at]?.date}
            class={`daysum d${at}${days[at]?.is_today ? " today-col" : ""}${sum > HOURS_OF_A_LONG_DAY ? " over" : ""}`}
          >
            <b>{sumText(language, sum)}</b>
            <svg
              class="budget calm"
              viewBox="0 0 100 4"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect class="rest" width="100" height="4" />
              <rect class="used" width={String(filled(sum))} height="4" />
            </svg>
          </td>
        ))}
        <td class="num strong sum">{hoursOf(language, all)}</td>
      </tr>
    </tfoot>
  );
}

function filled(sum: bigint): bigint {
  const percent = (sum * 100n) / HOURS_OF_A_WORKDAY;
  return percent > 100n ? 100n : percent;
}

function sumText(language: "en" | "da", sum: bigint): string {
  return sum === 0n ? "–" : hoursOf(language, sum);
}

/** Returns the shown rows by customer, in their order. */
function groupsOf({
  rows,
}: WeekState): { readonly customer: string; readonly rows: readonly GridPlace["row"][] }[] {
  const groups: { customer: string; rows: number[] }[] = [];
  for (const [index, { line, is_shown }] of rows.entries()) {
    if (!is_shown) continue;
    const last = groups.at(-1);
    if (last?.customer === line.customer) last.rows.push(index);
    else groups.push({ customer: line.customer, rows: [index] });
  }
  return groups;
}

function Legend({ language }: { language: string }) {
  const { words } = useReader();
  const { keys } = words.hours;
  const command = "Ctrl/⌘";
  const all: readonly (readonly [string, string])[] = [
    ["← ↑ ↓ →", keys.move],
    ["↵", keys.next],
    ["F2", keys.edit],
    ["Esc", keys.back],
    ["N", keys.note],
    ["B", keys.billable],
    [`${command} C V`, keys.copy],
    ["⇧ ␣", keys.row],
    [`${command} Z`, keys.undo],
    ["[ ]", keys.week],
    ["T", keys.this_week],
    ["L", keys.add],
    [`⇧ ${command} V`, keys.last],
  ];
  return (
    <p class="keys-line" lang={language}>
      {all.map(([key, does]) => (
        <span key={key} class="small quiet">
          <kbd>{key}</kbd> {does}
        </span>
      ))}
    </p>
  );
}

export const island = islandOf<WeekGridProps>({ name: "week-grid", View: WeekGrid });
