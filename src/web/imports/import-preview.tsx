/** The preview of an import, row by row, its progress, and its result. */
import { useState } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import { columnsOf, type ImportKind, labelOf } from "./import-columns.ts";
import { fileToFix, type ImportFile } from "./import-rows.ts";
import {
  type ImportEvent,
  type ImportState,
  progressOf,
  type RowStatus,
  statusOf,
} from "./import-state.ts";

/** The number of rows shown at first, and added by each "Show more". */
const SHOWN = 50;
const LONGEST = 140;

const PILLS: Readonly<Record<RowStatus, "ok" | "warn" | "bad" | undefined>> = {
  new: "ok",
  exists: undefined,
  refused: "bad",
  same: "warn",
  unknown: undefined,
};

interface PreviewProps {
  readonly state: ImportState;
  readonly dispatch: (event: ImportEvent) => void;
}

/** Puts another text into a cell; `row` and `column` are the indexes in the file. */
type Correct = (row: number, column: number, text: string) => void;

export function ImportPreview({ state, dispatch, correct }: PreviewProps & { correct: Correct }) {
  const { words } = useReader();
  const { imports } = words;
  const { file, phase } = state;
  const [chosen, setChosen] = useState<RowStatus | "all">("all");
  if (file === null) return <div />;
  const statuses = file.rows.map((_, row) => statusOf(state, row));
  const is_busy = phase === "looking" || phase === "making";
  return (
    <div class="stack">
      <Said state={state} />
      {file.ignored.length > 0 && <p class="quiet">{imports.ignored(file.ignored.join(", "))}</p>}
      {is_busy && <Progress state={state} />}
      <Buttons state={state} dispatch={dispatch} statuses={statuses} />
      {phase !== "looking" && (
        <>
          <Choices statuses={statuses} chosen={chosen} choose={setChosen} />
          <Rows
            key={chosen}
            state={state}
            statuses={statuses}
            chosen={chosen}
            correct={phase === "shown" ? correct : null}
          />
        </>
      )}
    </div>
  );
}

/** Shows the state of the import in sentences, also for screen readers. */
function Said({ state }: { state: ImportState }) {
  const { words } = useReader();
  const { imports } = words;
  const { file, phase, note, made } = state;
  const kind = file?.kind ?? "customers";
  const sentences = [
    ...(made > 0 ? [imports.made[kind](made)] : []),
    ...(phase === "done" && made === 0 ? [imports.nothing] : []),
    ...(note === "changed" || note === "lost" ? [imports[note]] : []),
    ...(typeof note === "object" && note !== null ? [words.refused(note.refused)] : []),
  ];
  return (
    <div role="status">
      {sentences.map((sentence) => (
        <p key={sentence} class={phase === "stopped" ? "notice bad" : "notice"}>
          {sentence}
        </p>
      ))}
    </div>
  );
}

function Progress({ state }: { state: ImportState }) {
  const { imports } = useReader().words;
  const { done, all } = progressOf(state);
  const said = state.phase === "making" ? imports.making : imports.looking;
  return (
    <label class="field import-progress">
      <span>{said}</span>
      <progress value={done} max={Math.max(all, 1)} />
    </label>
  );
}

function Buttons({ state, dispatch, statuses }: PreviewProps & { statuses: readonly RowStatus[] }) {
  const { imports } = useReader().words;
  const { file, phase } = state;
  if (file === null) return null;
  const count = statuses.filter((one) => one === "new").length;
  const is_busy = phase === "looking" || phase === "making";
  return (
    <div class="buttons">
      {phase === "shown" && count > 0 && (
        <button type="button" class="button main" onClick={() => dispatch({ agree: true })}>
          {imports.make[file.kind](count)}
        </button>
      )}
      {phase === "stopped" && (
        <button type="button" class="button main" onClick={() => dispatch({ again: true })}>
          {imports.again}
        </button>
      )}
      {phase === "done" && (
        <a class="button main" href={listOf(file.kind)}>
          {imports.to_list[file.kind]}
        </a>
      )}
      {!is_busy && <FixFile state={state} file={file} statuses={statuses} />}
      {!is_busy && (
        <button type="button" class="button" onClick={() => dispatch({ choose: true })}>
          {imports.other}
        </button>
      )}
    </div>
  );
}

/** Offers a file with the rows that are left out and the reasons. */
function FixFile(props: { state: ImportState; file: ImportFile; statuses: readonly RowStatus[] }) {
  const { state, file, statuses } = props;
  const { words, language } = useReader();
  const { imports } = words;
  const left = file.rows.flatMap((row, index) =>
    statuses[index] === "refused" || statuses[index] === "same" ? [{ row, index }] : [],
  );
  if (left.length === 0) return null;
  const save = () => {
    const rows = left.map(({ row, index }) => ({
      cells: row.cells,
      reason: reasonOf(words, file.kind, state, index, (column) => labelOf(column, language)) ?? "",
    }));
    const text = fileToFix(file, imports.reason, rows);
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), {
      href: url,
      download: imports.fix_file,
    });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" class="button" onClick={save}>
      {imports.fix(left.length)}
    </button>
  );
}

/** Filters the rows by their outcome. */
function Choices(props: {
  statuses: readonly RowStatus[];
  chosen: RowStatus | "all";
  choose: (which: RowStatus | "all") => void;
}) {
  const { statuses, chosen, choose } = props;
  const { imports } = useReader().words;
  const kinds = (["new", "exists", "refused", "same", "unknown"] as const)
    .map((which) => ({ which, count: statuses.filter((one) => one === which).length }))
    .filter(({ count }) => count > 0);
  const all = [{ which: "all" as const, count: statuses.length }, ...kinds];
  return (
    <nav class="switcher" aria-label={imports.becomes}>
      {all.map(({ which, count }) => (
        <button
          key={which}
          type="button"
          aria-current={which === chosen ? "true" : undefined}
          onClick={() => choose(which)}
        >
          {which === "all" ? imports.all : imports.statuses[which]} {count}
        </button>
      ))}
    </nav>
  );
}

function Rows(props: {
  state: ImportState;
  statuses: readonly RowStatus[];
  chosen: RowStatus | "all";
  correct: Correct | null;
}) {
  const { state, statuses, chosen, correct } = props;
  const { words, language } = useReader();
  const { imports } = words;
  const [most, setMost] = useState(SHOWN);
  const { file } = state;
  if (file === null) return null;
  const wanted = file.rows.flatMap((row, index) =>
    chosen === "all" || statuses[index] === chosen ? [{ row, index }] : [],
  );
  const shown = wanted.slice(0, most);
  return (
    <>
      <List
        label={imports.rows(wanted.length)}
        rows={shown}
        empty={null}
        columns={[
          { head: imports.row, cell: ({ row }) => row.at },
          { head: imports.what, cell: ({ row }) => <What file={file} cells={row.cells} /> },
          {
            head: imports.becomes,
            cell: ({ index }) => (
              <>
                <Becomes
                  kind={file.kind}
                  state={state}
                  index={index}
                  status={statuses[index] ?? "unknown"}
                  reason={reasonOf(words, file.kind, state, index, (one) => labelOf(one, language))}
                />
                {correct !== null && <FaultyCell state={state} index={index} correct={correct} />}
              </>
            ),
          },
        ]}
      />
      {wanted.length > most && (
        <p>
          <button type="button" class="button" onClick={() => setMost(most + SHOWN)}>
            {imports.more(Math.min(SHOWN, wanted.length - most))}
          </button>
        </p>
      )}
    </>
  );
}

/** Lets a person correct the cell for which a row is left out. The file is checked again when the field is left. */
function FaultyCell(props: { state: ImportState; index: number; correct: Correct }) {
  const { state, index, correct } = props;
  const { words, language } = useReader();
  const { file, outcomes } = state;
  const outcome = outcomes[index];
  if (file === null || outcome?.state !== "refused") return null;
  const field = outcome.reason.field.split(/[.[]/, 1)[0];
  const at = file.columns.findIndex((column) => column?.field === field);
  const column = file.columns[at];
  if (column == null) return null;
  const row = file.rows[index];
  const cell = row?.cells[at] ?? "";
  return (
    <input
      class="input"
      aria-label={words.imports.correct(labelOf(column, language), row?.at ?? 0)}
      maxLength={1000}
      defaultValue={cell}
      onChange={({ currentTarget }) => correct(index, at, currentTarget.value)}
    />
  );
}

/** Shows the first cell that is read, then the others that are read. */
function What({ file, cells }: { file: ImportFile; cells: readonly string[] }) {
  const read = columnsOf(file.kind).flatMap(({ field }) => {
    const index = file.columns.findIndex((column) => column?.field === field);
    return index < 0 || !cells[index] ? [] : [cells[index]];
  });
  const [first = "–", ...others] = read;
  const rest = others.join(" · ");
  return (
    <>
      <span class="strong">{first}</span>
      {rest !== "" && (
        <span class="tiny quiet block">
          {rest.length > LONGEST ? `${rest.slice(0, LONGEST)}…` : rest}
        </span>
      )}
    </>
  );
}

/** The kinds whose records have a page of their own below the address of their list. */
const HAS_PAGES: ReadonlySet<ImportKind> = new Set(["customers", "products"]);

function listOf(kind: ImportKind): string {
  return kind === "opening-items" ? "/receivables" : `/${kind}`;
}

function Becomes(props: {
  kind: ImportKind;
  state: ImportState;
  index: number;
  status: RowStatus;
  reason: string | null;
}) {
  const { kind, state, index, status, reason } = props;
  const { imports } = useReader().words;
  const outcome = state.outcomes[index];
  const portion = state.portions.find(({ rows }) => rows.includes(index));
  const is_made = status === "new" && portion?.is_made === true;
  const text = is_made ? imports.made_pill : imports.statuses[status];
  const kind_of = PILLS[status];
  const pill = <Pill {...(kind_of === undefined ? {} : { kind: kind_of })}>{text}</Pill>;
  if (status === "exists" && outcome?.state === "exists" && HAS_PAGES.has(kind)) {
    return <a href={`/${kind}/${outcome.id}`}>{pill}</a>;
  }
  return (
    <>
      {pill}
      {reason !== null && <span class="tiny block fault">{reason}</span>}
    </>
  );
}

/** Returns why a row is left out, with the column that causes it. */
function reasonOf(
  words: Words,
  kind: ImportKind,
  { file, outcomes }: ImportState,
  row: number,
  labelFor: (column: ReturnType<typeof columnsOf>[number]) => string,
): string | null {
  const same_as = file?.rows[row]?.same_as ?? null;
  if (same_as !== null) return words.imports.same_as(same_as);
  const outcome = outcomes[row];
  if (outcome?.state !== "refused") return null;
  const { field, ...refusal } = outcome.reason;
  const column = columnsOf(kind).find((one) => one.field === field.split(/[.[]/, 1)[0]);
  const said = words.refused(refusal);
  return column === undefined ? said : words.imports.at_column(labelFor(column), said);
}
