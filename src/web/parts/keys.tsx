/** Shows the list of keys that work on all pages, and the choice whether single keys work. */
import { useEffect, useRef, useState } from "preact/hooks";
import { chooseSingleKeys, LETTERS, usesSingleKeys } from "../browser/single-keys.ts";
import type { Jump, PaletteProps } from "../frame/finder.tsx";
import { useReader } from "../frame/reader.ts";

export function Keys({ go, begin, close }: PaletteProps & { close: () => void }) {
  const { palette } = useReader().words;
  const { keys: words, sections } = palette;
  const [are_on, setOn] = useState(usesSingleKeys);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const pairs = (first: string, jumps: readonly Jump[]) =>
    jumps
      .filter(({ href }) => LETTERS[href] !== undefined)
      .map(({ href, text }) => ({ keys: [first, LETTERS[href]?.toUpperCase() ?? ""], text }));
  const groups = [
    {
      head: words.anywhere,
      rows: [
        { keys: ["/"], text: palette.open },
        { keys: ["?"], text: words.these },
      ],
    },
    { head: sections.go, rows: pairs("G", go) },
    { head: sections.do, rows: pairs("C", begin) },
  ];
  return (
    <dialog ref={dialog} class="keys" closedby="any" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">{words.title}</h2>
      {groups.map(
        ({ head, rows }) =>
          rows.length > 0 && (
            <section>
              <h3>{head}</h3>
              <dl>
                {rows.map(({ keys, text }) => (
                  <div>
                    <dt>{text}</dt>
                    <dd>
                      <kbd>{keys[0]}</kbd>
                      {keys[1] !== undefined && (
                        <>
                          {" "}
                          <span class="unseen">{words.followed_by}</span> <kbd>{keys[1]}</kbd>
                        </>
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ),
      )}
      <label>
        <input
          type="checkbox"
          checked={are_on}
          onChange={({ currentTarget }) => {
            chooseSingleKeys(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />{" "}
        {words.single}
      </label>
      <p class="small quiet">{words.single_hint}</p>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        {palette.close_keys}
      </button>
    </dialog>
  );
}
