/** The handle of a draft line: it is dragged, moved by arrow keys, and opens the actions on the line. */
import { useReader } from "../frame/reader.ts";
import type { LineActs } from "./draft-acts.ts";
import { Glyph } from "./glyph.tsx";
import { Popover } from "./popover.tsx";

interface Props {
  readonly line_key: string;
  readonly index: number;
  readonly acts: Pick<LineActs, "move" | "copy">;
}

export function Grip({ line_key, index, acts }: Props) {
  const { words: all } = useReader();
  const words = all.draft;
  const number = index + 1;
  return (
    <Popover
      class="grip"
      label={words.handle(number)}
      face={<Glyph name="grip" />}
      panel={(close) => {
        const act = (text: string, run: () => void) => (
          <button
            type="button"
            class="button bare small"
            onClick={() => {
              close();
              run();
            }}
          >
            {text}
          </button>
        );
        return (
          <>
            {act(words.up(number), () => acts.move(line_key, -1))}
            {act(words.down(number), () => acts.move(line_key, 1))}
            {act(words.copy(number), () => acts.copy(line_key))}
          </>
        );
      }}
    />
  );
}
