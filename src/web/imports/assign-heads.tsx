/** Lets a person say what the unknown heads of a file mean, or leave them out. */
import { useReader } from "../frame/reader.ts";
import {
  type Assigned,
  columnsFor,
  columnsOf,
  type ImportKind,
  labelOf,
} from "./import-columns.ts";
import type { FileTable } from "./import-file.ts";

interface Props {
  readonly kind: ImportKind;
  readonly table: FileTable;
  readonly assigned: Assigned;
  assign(given: Assigned): void;
}

/** Shows a choice for each head that no column is called; nothing where all are known. */
export function AssignHeads({ kind, table, assigned, assign }: Props) {
  const { words, language } = useReader();
  const { imports } = words;
  const known = columnsFor(kind, table.heads);
  const unknown = table.heads.filter((head, index) => head !== "" && known[index] === null);
  if (unknown.length === 0) return null;
  return (
    <section class="card pad" aria-labelledby="unknown-heads">
      <h2 id="unknown-heads">{imports.unknown_heads}</h2>
      <div class="filters">
        {unknown.map((head) => (
          <label class="field" key={head}>
            <span>{head}</span>
            <select
              class="input"
              value={assigned[head] ?? ""}
              onChange={({ currentTarget }) => assign({ ...assigned, [head]: currentTarget.value })}
            >
              <option value="">{imports.leave_out}</option>
              {columnsOf(kind).map((column) => (
                <option key={column.field} value={column.field}>
                  {labelOf(column, language)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </section>
  );
}
