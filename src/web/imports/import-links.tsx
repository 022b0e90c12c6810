/** The ways to the import of a list: beside what adds one, and where the list is empty. */
import { useReader } from "../frame/reader.ts";
import type { ImportKind } from "./import-columns.ts";

export function ImportLink({ kind }: { kind: ImportKind }) {
  return (
    <a class="button" href={`/${kind}/import`}>
      {useReader().words.imports.open}
    </a>
  );
}

/** Beside the title of a list: what is filtered as a file, bringing many along, and adding one. `filters` are those of its address. */
export function ListActions(props: {
  kind: Exclude<ImportKind, "hours">;
  add: string;
  filters: Readonly<Record<string, string>>;
}) {
  const { kind, add, filters } = props;
  return (
    <>
      <a class="button" href={`/${kind}/export?${new URLSearchParams(filters)}`} data-no-prefetch>
        {useReader().words.files.export}
      </a>
      <ImportLink kind={kind} />
      <a class="button main" href={`/${kind}/new`}>
        {add}
      </a>
    </>
  );
}

/** What an empty list says; with a kind, how to fill it at once. */
export function NoneYet({ text, kind }: { text: string; kind: ImportKind | null }) {
  const { imports } = useReader().words;
  return (
    <>
      <p>{text}</p>
      {kind !== null && (
        <p>
          <a href={`/${kind}/import`}>{imports.open}</a>
        </p>
      )}
    </>
  );
}
