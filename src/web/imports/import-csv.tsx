/** Imports customers, products, hours or opening items from a file: shows what it would create, row by row, and then creates it, in portions. */
import { useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { AssignHeads } from "./assign-heads.tsx";
import { assignedBefore, keepAssigned } from "./assigned-heads.ts";
import { type Assigned, columnsOf, type ImportKind, labelOf } from "./import-columns.ts";
import { type FileFault, type FileTable, tableFrom, textFrom } from "./import-file.ts";
import { ImportPreview } from "./import-preview.tsx";
import { fileOf, withCell } from "./import-rows.ts";
import { tableOfReport } from "./time-trackers.ts";
import { useImport } from "./use-import.ts";

interface Props {
  readonly kind: ImportKind;
  readonly functional_currency: string;
  /** The accounts against which opening items may be posted, by number, and the one that is chosen at first. */
  readonly counters?: {
    readonly usual: string;
    readonly all: readonly (readonly [string, string])[];
  };
}

function ImportCsv({ kind, functional_currency, counters }: Props) {
  const { words, language } = useReader();
  const { imports } = words;
  const is_alive = useAlive();
  const [state, dispatch] = useImport();
  const [fault, setFault] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<FileTable | null>(null);
  const [assigned, setAssigned] = useState<Assigned>({});
  const [counter, setCounter] = useState(counters?.usual ?? "");

  function read(text: string | FileFault): void {
    const table = tableIn(kind, text);
    if (typeof table === "string") setFault(imports.faults[table]);
    else take(table, assignedBefore(kind));
  }

  /** Reads a table with the columns that a person has given to its heads; one without a needed column waits for it. */
  function take(table: FileTable, given: Assigned): void {
    const around = { language, functional_currency, ...givenBy(counter) };
    const file = fileOf(kind, table, around, given);
    const missing = file.missing.map((one) => labelOf(one, language)).join(", ");
    setAssigned(given);
    setWaiting(missing === "" ? null : table);
    setFault(missing === "" ? null : imports.missing(missing));
    if (missing === "") dispatch({ read: file });
    else dispatch({ choose: true });
  }

  const table = state.file?.table ?? waiting;
  const assign = table !== null && (state.phase === "shown" || waiting !== null) && (
    <AssignHeads
      kind={kind}
      table={table}
      assigned={assigned}
      assign={(given) => {
        keepAssigned(kind, given);
        take(table, given);
      }}
    />
  );
  if (state.file !== null) {
    const { table: shown } = state.file;
    return (
      <div class="stack">
        {assign}
        <ImportPreview
          state={state}
          dispatch={dispatch}
          correct={(row, column, text) => take(withCell(shown, row, column, text), assigned)}
        />
      </div>
    );
  }
  return (
    <div class="stack">
      <p role="alert" class={fault === null ? "" : "notice bad"}>
        {fault ?? ""}
      </p>
      {assign}
      <CounterAccount all={counters?.all ?? []} chosen={counter} choose={setCounter} />
      {is_alive ? (
        <Choice kind={kind} read={read} />
      ) : (
        <p class="card pad">{imports.needs_script}</p>
      )}
      <KnownColumns kind={kind} />
    </div>
  );
}

/** Returns the value of the column that a person has chosen for the whole file. */
function givenBy(counter: string) {
  return counter === "" ? {} : { given: { counter_account: Number(counter) } };
}

/** Returns the table of a file, or its fault; of hours that of a report of a time tracker as well. */
function tableIn(kind: ImportKind, text: string | FileFault): FileTable | FileFault {
  const table = isFault(text) ? text : tableFrom(text);
  if (typeof table === "string" || kind !== "hours") return table;
  return tableOfReport(table) ?? table;
}

function isFault(text: string | FileFault): text is FileFault {
  return text === "too_large" || text === "spreadsheet";
}

/** Lets a person choose the account against which all rows are posted that name none; nothing for other kinds of files. */
function CounterAccount(props: {
  all: readonly (readonly [string, string])[];
  chosen: string;
  choose: (number: string) => void;
}) {
  const { imports } = useReader().words;
  const { all, chosen, choose } = props;
  if (all.length === 0) return null;
  return (
    <div class="card pad">
      <div class="field">
        <label for="counter-account">{imports.counter_account}</label>
        <select
          class="input"
          id="counter-account"
          aria-describedby="counter-hint"
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {all.map(([number, name]) => (
            <option key={number} value={number} selected={number === chosen}>
              {name}
            </option>
          ))}
        </select>
        <span class="tiny quiet" id="counter-hint">
          {imports.counter_hint}
        </span>
      </div>
    </div>
  );
}

function Choice(props: { kind: ImportKind; read: (text: string | FileFault) => void }) {
  const { kind, read } = props;
  const { imports } = useReader().words;
  const [pasted, setPasted] = useState("");
  return (
    <div class="card pad stack">
      <div class="field">
        <label for="import-file">{imports.file}</label>
        <input
          class="input file"
          id="import-file"
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-describedby="import-limits"
          onChange={async ({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file === undefined) return;
            read(textFrom(new Uint8Array(await file.arrayBuffer())));
            currentTarget.value = "";
          }}
        />
        <span class="tiny quiet" id="import-limits">
          {imports.limits} {kind === "hours" && imports.trackers}
        </span>
      </div>
      <details>
        <summary>{imports.or_paste}</summary>
        <div class="field wide">
          <label for="import-text">{imports.pasted}</label>
          <textarea
            class="input"
            id="import-text"
            rows={8}
            spellcheck={false}
            value={pasted}
            onInput={({ currentTarget }) => setPasted(currentTarget.value)}
          />
        </div>
        <p class="buttons">
          <button
            type="button"
            class="button"
            disabled={pasted.trim() === ""}
            onClick={() => read(textFrom(new TextEncoder().encode(pasted)))}
          >
            {imports.look}
          </button>
        </p>
      </details>
    </div>
  );
}

function KnownColumns({ kind }: { kind: ImportKind }) {
  const { words, language } = useReader();
  const { imports } = words;
  return (
    <details class="card pad">
      <summary>{imports.columns}</summary>
      <dl class="import-columns">
        {columnsOf(kind).map((column) => (
          <div key={column.field}>
            <dt>
              {labelOf(column, language)}
              {column.is_required && <span class="tiny quiet"> ({imports.needed})</span>}
            </dt>
            <dd class="quiet">
              {column[language].slice(1).map((name) => `${name}, `)}
              <code>{column.field}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

export const island = islandOf<Props>({ name: "import-csv", View: ImportCsv });
