/**
 * Says how a typed number is read, where a reader of the other language would read another number. The stylesheet shows it below
 * the field with the focus: a field that is left shows what was understood.
 */
import { useReader } from "../frame/reader.ts";
import { hasTwoMeanings } from "./draft-number.ts";

/** `shown` is the text as its field shows it once it is left. */
export function ReadAs({ typed, shown }: { typed: string; shown: string }) {
  const { words } = useReader();
  return (
    <small class="read-as" aria-live="polite">
      {hasTwoMeanings(typed) && words.draft.read_as(shown)}
    </small>
  );
}
