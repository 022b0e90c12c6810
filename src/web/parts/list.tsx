/**
 * A list: a table whose columns say what is in them, which decides alignment; on a narrow screen each row is a block in which every
 * value stands beside the name of its column. With nothing in it, it says what to do instead.
 */
import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly head: string;
  /** Numbers stand at the right. */
  readonly kind?: "number";
  cell(row: Row): ComponentChildren;
}

export function List<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** What stands there without a row. */
  empty: ComponentChildren;
}) {
  const { label, columns, rows, empty } = props;
  if (rows.length === 0) return <div class="card pad">{empty}</div>;
  return (
    <div class="table">
      <table class="grid-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th scope="col" {...classOf(kind)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ head, kind, cell }) => (
                <td {...classOf(kind)}>
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

function classOf(kind: "number" | undefined): { readonly class?: string } {
  return kind === undefined ? {} : { class: "num" };
}

/** Lists beside each other, each at an address of its own; `current` is that of the one that is shown. */
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

/** The way to what is older; nothing on the last page. `address` has the filters of the list. */
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

/** A field that looks for a text in a list. */
export function Searched(props: { action: string; value: string; label: string }) {
  return (
    <search>
      <form method="get" action={props.action}>
        <input
          class="input search"
          type="search"
          name="q"
          value={props.value}
          aria-label={props.label}
          placeholder={props.label}
          maxLength={200}
        />
      </form>
    </search>
  );
}
