/**
 * A list: a table whose columns state their kind, which decides the alignment. On a narrow screen each row is a block in which
 * every value is next to the name of its column. An empty list says what to do instead.
 */
import type { ComponentChildren } from "preact";
import { useReader } from "../frame/reader.ts";
import type { CellOf, SheetColumn } from "../frame/sheet.ts";

/** The link in the head of a column that sorts the list by it. */
export interface SortLink {
  readonly href: string;
  /** The present order, if the list is sorted by this column. */
  readonly is: "ascending" | "descending" | null;
}

export interface Column<Row> {
  readonly head: string;
  readonly sort?: SortLink;
  /** The label of the box in the head that selects all rows; it is shown where scripts run. */
  readonly all?: string;
  /** Numbers are aligned right. */
  readonly kind?: "number";
  /**
   * The place of the value on a phone, in a list whose rows fold to two lines: `lead` begins the first line and `end` closes it,
   * `none` is left out; all others are in the second line.
   */
  readonly fold?: "lead" | "end" | "none";
  cell(row: Row): ComponentChildren;
  /** The value in a file of the list; a column without it is left out of files. */
  readonly file?: CellOf<Row>;
}

/** Returns the columns of a list as those of its file. */
export function fileColumnsOf<Row>(columns: readonly Column<Row>[]): SheetColumn<Row>[] {
  return columns.flatMap(({ head, file }) => (file === undefined ? [] : [{ head, file }]));
}

interface GridProps<Row> {
  readonly label?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Shows a list; `empty` is shown where there is no row. */
export function List<Row>(props: GridProps<Row> & { readonly empty: ComponentChildren }) {
  const { empty, ...grid } = props;
  if (grid.rows.length === 0) return <div class="card pad">{empty}</div>;
  return <Grid {...grid} />;
}

/** Shows rows of ready cells, one for each column in order. A column without a name has buttons. */
export function Table(props: {
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}) {
  const columns = props.columns.map((head, at) => ({
    head,
    cell: (cells: readonly ComponentChildren[]) => cells[at],
  }));
  return <Grid columns={columns} rows={props.rows} />;
}

function Grid<Row>({ label, columns, rows }: GridProps<Row>) {
  const { words } = useReader();
  const folds = columns.some(({ fold }) => fold !== undefined);
  return (
    <div class={folds ? "table folds" : "table"}>
      <table class="grid-table" {...(label === undefined ? {} : { "aria-label": label })}>
        <thead>
          <tr>
            {columns.map(({ head, kind, sort, all }) => (
              <th
                scope="col"
                {...classOf(kind)}
                {...(sort?.is == null ? {} : { "aria-sort": sort.is })}
              >
                {head === "" && all === undefined && (
                  <span class="unseen">{words.lists.actions}</span>
                )}
                {sort === undefined ? head : <a href={sort.href}>{head}</a>}
                {all !== undefined && <input type="checkbox" data-all hidden aria-label={all} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ head, kind, fold, cell }) => (
                <td {...classOf(kind, fold)}>
                  {head !== "" && <span class="column">{head}</span>}
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(kind?: "number", fold?: string): { readonly class?: string } {
  const names = [kind && "num", fold && `fold-${fold}`].filter(Boolean).join(" ");
  return names === "" ? {} : { class: names };
}

/** Shows the actions for the selected rows: at the bottom with their number and sums, and always where no script runs. */
export function Picked({ children }: { children: ComponentChildren }) {
  return (
    <div class="picked" data-picked>
      <span role="status" class="num strong" data-count />
      {children}
    </div>
  );
}

/** Shows links to lists, each at its own address; `current` is the address of the shown list. */
export function Tabs(props: {
  label: string;
  tabs: readonly { readonly href: string; readonly word: string }[];
  current: string;
}) {
  const { label, tabs, current } = props;
  return (
    <nav class="switcher" aria-label={label}>
      {tabs.map(({ href, word }) => (
        <a href={href} {...(href === current ? { "aria-current": "page" as const } : {})}>
          {word}
        </a>
      ))}
    </nav>
  );
}

/** The link to older entries; nothing on the last page. `address` has the filters of the list. */
export function Older(props: { address: string; cursor: string | null; text: string }) {
  const { address, cursor, text } = props;
  if (cursor === null) return null;
  const joint = address.includes("?") ? "&" : "?";
  return (
    <p>
      <a class="button" href={`${address}${joint}cursor=${cursor}`} rel="next">
        {text}
      </a>
    </p>
  );
}

/** The longest search text in characters; an emoji counts as one. */
export const LONGEST_SEARCH = 200;

/** Returns the search text in an address, cut to the longest that can be searched for; undefined where there is none. */
export function searchIn({ q = "" }: { readonly q?: string | undefined }): string | undefined {
  return [...q.trim()].slice(0, LONGEST_SEARCH).join("") || undefined;
}

/** Shows a field that searches a list for a text. `tab` is the tab that stays chosen. */
export function Searched(props: { action: string; value: string; label: string; tab?: string }) {
  return (
    <search>
      <form method="get" action={props.action}>
        {props.tab !== undefined && <input type="hidden" name="tab" value={props.tab} />}
        <input
          class="input search"
          type="search"
          name="q"
          value={props.value}
          aria-label={props.label}
          placeholder={props.label}
          maxLength={LONGEST_SEARCH}
        />
      </form>
    </search>
  );
}
