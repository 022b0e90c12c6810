/** Links to the import of a list: next to the button that adds one entry, and in an empty list. */
import { Icon } from "../frame/icon.tsx";
import { useReader } from "../frame/reader.ts";
import type { ImportKind } from "./import-columns.ts";

export function ImportLink({ kind }: { kind: ImportKind }) {
  return (
    <a class="button" href={`/${kind}/import`}>
      {useReader().words.imports.open}
    </a>
  );
}

/** Shows a list's actions: export of the filtered list, import, adding an entry. `filters` are those of its address. */
export function ListActions(props: {
  kind: "customers" | "products";
  add: string;
  filters: Readonly<Record<string, string>>;
}) {
  const { kind, add, filters } = props;
  return (
    <>
      <a
        class="button"
        href={`/${kind}/export?${new URLSearchParams(filters)}`}
        data-no-prefetch
        data-export
      >
        <Icon name="download" />
        {useReader().words.files.export}
      </a>
      <ImportLink kind={kind} />
      <a class="button main" href={`/${kind}/new`}>
        <Icon name="plus" />
        {add}
      </a>
    </>
  );
}

/** The text of an empty list; with a kind, also a link to its import. */
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
