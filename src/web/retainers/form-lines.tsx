/**
 * The lines of a retainer's form in their order. Each is dragged by its handle, moved by keys and by the menu of the handle.
 * Without scripts buttons of the form move it.
 */
import { useRef } from "preact/hooks";
import { Grip } from "../draft/draft-grip.tsx";
import { keyOfLine } from "../draft/line-keys.ts";
import { useLineDrag } from "../draft/use-line-drag.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { LineFields } from "./line-form.tsx";
import {
  type ChangeForm,
  lineAt,
  lineNumbers,
  withLineAtPlace,
  withLineTwice,
  withoutLineAt,
} from "./retainer-fields.ts";
import type { LineChoices, OfferedProduct } from "./typed-line.ts";

/** Does in the browser what a button of the form asks the server for without scripts. */
export function instead(
  event: Event,
  setTyped: ChangeForm,
  change: (now: TypedFields) => TypedFields,
): void {
  event.preventDefault();
  setTyped(change);
}

interface Props {
  readonly typed: TypedFields;
  setTyped: ChangeForm;
  readonly faults: Faults;
  readonly choices: LineChoices;
  readonly is_alive: boolean;
  onProduct(name: string, product: OfferedProduct): void;
}

const HANDLE = ".grip > summary";

export function FormLines(props: Props) {
  const { typed, setTyped, is_alive } = props;
  const list = useRef<HTMLOListElement>(null);
  const numbers = lineNumbers(typed);

  /** Moves a line; the focus follows it to its new place. */
  function move(place: number, by: number): void {
    const to = Math.max(0, Math.min(numbers.length - 1, place + by));
    const focused = document.activeElement;
    const name = focused?.id.replace(/^l\d+\./, "") ?? "";
    const is_handle = focused?.matches(HANDLE) ?? false;
    setTyped((now) => withLineAtPlace(now, place, to));
    requestAnimationFrame(() => {
      const line = list.current?.children[to];
      const field = is_handle
        ? null
        : document.getElementById(`${lineAt(numbers[to] ?? 0)}${name}`);
      (field ?? line?.querySelector<HTMLElement>(HANDLE))?.focus();
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const place = [...(list.current?.children ?? [])].findIndex((line) => line.contains(target));
    // These keys open a list of choices.
    if (place < 0 || target instanceof HTMLSelectElement) return;
    const meaning = keyOfLine(event, target.matches(HANDLE) ? "handle" : "other");
    if (meaning === null) return;
    event.preventDefault();
    if (meaning === "copy") setTyped((now) => withLineTwice(now, place));
    else move(place, meaning === "up" ? -1 : 1);
  }

  const { handlers, classOf } = useLineDrag(move);
  const acts = {
    move: (key: string, by: number) => move(Number.parseInt(key, 10), by),
    copy: (key: string) => setTyped((now) => withLineTwice(now, Number.parseInt(key, 10))),
  };
  return (
    <ol class="form-lines" ref={list} {...(is_alive ? { ...handlers, onKeyDown } : {})}>
      {numbers.map((number, place) => (
        <li key={number} class={`line-of-form ${classOf(place)}`}>
          {is_alive && <Grip line_key={`${place}`} index={place} acts={acts} />}
          <OneLine {...props} number={number} place={place} last={numbers.length - 1} />
        </li>
      ))}
    </ol>
  );
}

/** A line with the buttons that move and remove it; its handle takes the place of those that move it. */
function OneLine(props: Props & { number: number; place: number; last: number }) {
  const { number, place, last, setTyped, is_alive, ...shown } = props;
  const words = useReader().words.draft;
  const at = lineAt(number);
  const line_id = props.typed[`${at}line_id`];
  const changes = {
    up: (now: TypedFields) => withLineAtPlace(now, place, place - 1),
    down: (now: TypedFields) => withLineAtPlace(now, place, place + 1),
    remove: (now: TypedFields) => withoutLineAt(now, number),
  };
  const button = (verb: keyof typeof changes, text: string) => (
    <button
      type="submit"
      class="button bare small"
      name="do"
      value={`${verb} ${number}`}
      onClick={(event) => instead(event, setTyped, changes[verb])}
    >
      {text}
    </button>
  );
  return (
    <>
      {line_id && <input type="hidden" name={`${at}line_id`} value={line_id} />}
      <LineFields {...shown} at={at} is_alive={is_alive} legend={words.line(place + 1)} />
      <p class="row">
        {button("remove", words.remove(place + 1))}
        {!is_alive && place > 0 && button("up", words.up(place + 1))}
        {!is_alive && place < last && button("down", words.down(place + 1))}
      </p>
    </>
  );
}
