/** The palette: pages, new resources, and account data by name, number or amount. Arrow keys choose, Enter opens. */
import { render } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Month } from "../../domain/base/calendar.ts";
import { useNewest } from "../browser/newest.ts";
import { openedBy } from "../browser/opened.ts";
import { send } from "../browser/send.ts";
import { LETTERS, usesSingleKeys } from "../browser/single-keys.ts";
import type { Jump, PaletteProps } from "../frame/finder.tsx";
import { type PageReader, ReaderOf, useReader } from "../frame/reader.ts";
import { type FoundRow, type Way, wayTo, wayToMonth } from "../parts/found.ts";
import { monthIn } from "../parts/found-months.ts";
import { Keys } from "../parts/keys.tsx";
import {
  after,
  chosenOf,
  type Event,
  NOTHING,
  type PaletteEntries,
  sectionsOf,
} from "./palette-state.ts";

/** A person who is still typing presses the next key within this time, in milliseconds. */
const PAUSE = 80;

/** Opens the palette, or the list of keys, over the page. Closing removes it completely. */
export function openPalette(
  props: PaletteProps,
  reader: PageReader,
  what: "palette" | "keys",
): void {
  const place = document.createElement("div");
  document.body.append(place);
  const close = () => {
    render(null, place);
    place.remove();
  };
  const Shown = what === "palette" ? Palette : Keys;
  render(
    <ReaderOf value={reader}>
      <Shown {...props} close={close} />
    </ReaderOf>,
    place,
  );
}

function Palette({ person, icons, go, begin, close }: PaletteProps & { close: () => void }) {
  const { palette: words } = useReader().words;
  const [known] = useState<PaletteEntries>(() => ({
    opened: openedBy(person).filter(({ href }) => href !== location.pathname),
    go: go.map((jump) => wayOf("G", jump)),
    begin: begin.map((jump) => wayOf("C", jump)),
  }));
  const [shown, setShown] = useState(NOTHING);
  const happen = (event: Event) => setShown((before) => after(before, event, known));
  const { typed } = shown;
  const answer = useAnswers(typed, happen);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const id = useId();
  const sections = sectionsOf(shown, known);
  const chosen = chosenOf(shown, known);
  const count = sections.reduce((sum, { ways }) => sum + ways.length, 0);
  const is_settled = typed.trim() === "" || answer.to === typed;
  const is_announced = is_settled && (count === 0 || answer.is_lost);
  const said = count > 0 ? words.count(count) : words.none;

  function press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") happen({ step: key === "ArrowDown" ? 1 : -1 });
    else if (key === "Enter" && !event.isComposing && chosen !== undefined) {
      location.assign(chosen.href);
    } else return;
    event.preventDefault();
  }

  return (
    <dialog ref={dialog} class="palette" aria-label={words.open} onClose={close} closedby="any">
      <input
        type="text"
        role="combobox"
        aria-label={words.label}
        aria-expanded={count > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(chosen === undefined ? {} : { "aria-activedescendant": `${id}-${chosen.href}` })}
        placeholder={words.label}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => happen({ typed: currentTarget.value })}
        onKeyDown={press}
      />
      <Ways id={id} icons={icons} sections={sections} chosen={chosen} />
      <p role="status" class={is_announced ? "said" : "said unseen"}>
        {is_settled ? (answer.is_lost ? words.lost : said) : ""}
      </p>
      <Foot close={() => dialog.current?.close()} />
    </dialog>
  );
}

/** What the server has found. `current` is the latest month of the close; null for a person without it. */
interface Found {
  readonly data: readonly FoundRow[];
  readonly current: Month | null;
}

/** Requests results after a pause. Returns the text that the last response is about, and whether it was lost. */
function useAnswers(
  typed: string,
  happen: (event: Event) => void,
): { readonly to: string; readonly is_lost: boolean } {
  const reader = useReader();
  const [answer, setAnswer] = useState({ to: "", is_lost: false });
  useNewest(typed.trim() === "" ? null : typed, PAUSE, async (q) => {
    const reply = await send<Found>("/app/search", { q });
    const { data, current } = "done" in reply ? reply.done : { data: [], current: null };
    const month = current === null ? null : monthIn(q, reader.language, current);
    const found = [
      ...(month === null ? [] : [wayToMonth(month, reader)]),
      ...data.map((row) => wayTo(row, reader)),
    ];
    return () => {
      happen({ found, to: q });
      setAnswer({ to: q, is_lost: "lost" in reply });
    };
  });
  return answer;
}

function Ways(props: {
  id: string;
  icons: string;
  sections: ReturnType<typeof sectionsOf>;
  chosen: Way | undefined;
}) {
  const { id, icons, sections, chosen } = props;
  const { palette: words } = useReader().words;
  useEffect(() => {
    const option = chosen && document.getElementById(`${id}-${chosen.href}`);
    option?.scrollIntoView({ block: "nearest" });
  }, [chosen?.href]);
  return (
    <div role="listbox" id={`${id}-list`} aria-label={words.results} class="ways">
      {sections.map(({ section, ways }) => (
        <fieldset aria-labelledby={`${id}-${section}`}>
          <p id={`${id}-${section}`} role="presentation">
            {words.sections[section]}
          </p>
          {ways.map((way) => (
            <a
              key={way.href}
              id={`${id}-${way.href}`}
              role="option"
              aria-selected={way === chosen}
              tabIndex={-1}
              href={way.href}
            >
              <svg class="icon" aria-hidden="true">
                <use href={`${icons}#${way.icon}`} />
              </svg>
              <span>{way.text}</span>
              {way.end !== "" && <span class="end">{way.end}</span>}
            </a>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function Foot({ close }: { close: () => void }) {
  const { palette: words } = useReader().words;
  return (
    <footer>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {words.choose}
      </span>
      <span>
        <kbd>↵</kbd> {words.open_it}
      </span>
      <button type="button" class="as-link" onClick={close}>
        <kbd>Esc</kbd> {words.close}
      </button>
    </footer>
  );
}

/** Returns the line of a page with the keys that open it from any page. */
function wayOf(first: "G" | "C", { href, icon, text }: Jump): Way {
  const letter = usesSingleKeys() ? LETTERS[href]?.toUpperCase() : undefined;
  return { href, icon, text, end: letter === undefined ? "" : `${first} ${letter}` };
}
