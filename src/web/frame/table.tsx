/**
 * A table that fits any screen: rows and columns where there is room for them, and on a narrow one each row as
 * a block in which every value stands beside the name of its column. A column without a name holds buttons.
 */
import type { ComponentChildren } from "preact";

/** `rows` have a cell for each column, in their order. */
export function Table(props: {
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}) {
  const { columns, rows } = props;
  return (
    <div class="table">
      <table class="grid-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) => (
                <td>
                  {columns[index] !== "" && <span class="column">{columns[index]}</span>}
                  <div>{cell}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
