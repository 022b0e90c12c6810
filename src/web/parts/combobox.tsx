/** A field to choose an entry by a part of its name, from the results below, with arrow keys or the pointer. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useNewest } from "../browser/newest.ts";

export interface ComboboxOption {
  readonly id: string;
  readonly label: string;
  /** A note next to the label. */
  readonly note?: string;
}

interface Props {
  /** The id of the field, unique on the page. */
  readonly id: string;
  readonly label: string;
  /** The label of the selected option. */
  readonly chosen: string;
  readonly placeholder?: string;
  readonly is_invalid?: boolean;
  /** The ids of the elements that describe the field. */
  readonly described?: string | undefined;
  /** Shown where nothing is found. */
  readonly none: string;
  find(typed: string): Promise<readonly ComboboxOption[]>;
  choose(option: ComboboxOption): void;
}

/** The pause after the last key press before the search, in milliseconds. */
const PAUSE_MS = 120;

/** Returns the typed text and its results; only the response to the newest request counts. */
function useFound({ find, choose }: Pick<Props, "find" | "choose">) {
  const [typed, setTyped] = useState<string | null>(null);
  const [found, setFound] = useState<readonly ComboboxOption[] | null>(null);
  const [at, setAt] = useState(0);
  useNewest(typed, PAUSE_MS, async (text) => {
    const options = await find(text);
    return () => {
      setFound(options);
      setAt(0);
    };
  });

  function close(): void {
    setTyped(null);
    setFound(null);
  }

  function take(option: ComboboxOption | undefined): void {
    if (option === undefined) return;
    choose(option);
    close();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const count = found?.length ?? 0;
    if (event.key === "Escape") close();
    if (event.key === "Enter" && typed !== null && found !== null) {
      event.preventDefault();
      take(found[at]);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (typed === null) setTyped("");
    else if (count > 0) setAt((at + step + count) % count);
  }

  return {
    typed,
    type: setTyped,
    at,
    found: typed === null ? null : found,
    close,
    take,
    onKeyDown,
  };
}

export function Combobox(props: Props): VNode {
  const { id, label, chosen, placeholder, none } = props;
  const { typed, type, at, found, close, take, onKeyDown } = useFound(props);
  const is_open = found !== null;
  return (
    <div class="combobox">
      <input
        class="input"
        id={id}
        role="combobox"
        autocomplete="off"
        maxLength={200}
        aria-label={label}
        aria-expanded={is_open}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        {...(is_open && found.length > 0 ? { "aria-activedescendant": `${id}-${at}` } : {})}
        {...(props.is_invalid ? { "aria-invalid": "true" as const } : {})}
        aria-describedby={props.described}
        placeholder={placeholder}
        value={typed ?? chosen}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-found`} role="listbox" aria-label={label} hidden={!is_open}>
        {found?.map((option, index) => (
          <Choice
            key={option.id}
            id={`${id}-${index}`}
            option={option}
            is_at={index === at}
            take={take}
          />
        ))}
      </div>
      {is_open && found.length === 0 && (
        <p class="tiny quiet" role="status">
          {none}
        </p>
      )}
    </div>
  );
}

function Choice(props: {
  id: string;
  option: ComboboxOption;
  is_at: boolean;
  take(option: ComboboxOption): void;
}) {
  const { id, option, is_at, take } = props;
  return (
    // Reacts to the press, because the field loses the focus before a click. The field keeps it (ARIA combobox).
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={is_at}
      onPointerDown={(event) => {
        event.preventDefault();
        take(option);
      }}
    >
      {option.label}
      {option.note !== undefined && <span class="quiet">{option.note}</span>}
    </div>
  );
}
