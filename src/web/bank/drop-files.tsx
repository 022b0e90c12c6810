/** The place on the bank page where files are dropped or chosen, what becomes of each, and the question about the columns of a CSV. */
import { useEffect, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { BANK_ACCOUNTS } from "./bank-addresses.ts";
import { type Meaning, meaningsOf, profileFrom } from "./column-meanings.ts";
import { useFileWords, whyText } from "./file-words.ts";
import { ProfileFields } from "./profile-form.tsx";
import { type CsvForm, formOf, sampleOf } from "./sample-rows.ts";
import { type Files, useFiles } from "./use-files.ts";

interface DropFilesProps {
  /** The bank accounts that a CSV file may be of, the default one first. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  /** The form without scripts: its address and its token. */
  readonly action: string;
  readonly csrf: string;
}

function DropFiles({ accounts, action, csrf }: DropFilesProps) {
  const words = useFileWords();
  const is_alive = useAlive();
  const [account, setAccount] = useState(accounts[0]?.id ?? null);
  const files = useFiles(account);
  const [is_over, setOver] = useState(false);
  const { phase } = files.state;
  const is_free = phase === "idle" || phase === "done";
  useEffect(() => dropAnywhere(files.drop, setOver), [phase]);
  return (
    <>
      {is_free && (
        <form
          class={`card pad stack bank-drop${is_over ? " over" : ""}`}
          method="post"
          action={action}
          enctype="multipart/form-data"
        >
          <input type="hidden" name="csrf" value={csrf} />
          <label class="field">
            <span>{is_alive ? words.drop : words.choose}</span>
            <input
              class="input file"
              type="file"
              name="file"
              multiple={is_alive}
              accept=".xml,.csv,.txt,.053,.c53,text/csv,application/xml,text/xml"
              aria-describedby="bank-limits"
              onChange={({ currentTarget }) => {
                files.drop([...(currentTarget.files ?? [])]);
                currentTarget.value = "";
              }}
            />
          </label>
          {accounts.length > 1 && (
            <label class="field">
              <span>{words.of_account}</span>
              <select
                class="input"
                name="bank_account"
                onChange={({ currentTarget }) => setAccount(currentTarget.value)}
              >
                {accounts.map(({ id, name }) => (
                  <option value={id}>{name}</option>
                ))}
              </select>
            </label>
          )}
          {!is_alive && (
            <button type="submit" class="button">
              {words.send}
            </button>
          )}
          <span class="tiny quiet" id="bank-limits">
            {words.limits}
          </span>
        </form>
      )}
      <Became files={files} />
      {files.state.asked !== null && (phase === "asks" || phase === "keeping") && (
        <AskProfile files={files} />
      )}
    </>
  );
}

/** Takes files that are dropped anywhere on the page. Returns the function that ends it. */
function dropAnywhere(drop: Files["drop"], setOver: (is_over: boolean) => void): () => void {
  const has_files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const over = (event: DragEvent) => {
    if (!has_files(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) setOver(false);
  };
  const dropped = (event: DragEvent) => {
    if (!has_files(event)) return;
    event.preventDefault();
    setOver(false);
    drop([...(event.dataTransfer?.files ?? [])]);
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", leave);
  document.addEventListener("drop", dropped);
  return () => {
    document.removeEventListener("dragover", over);
    document.removeEventListener("dragleave", leave);
    document.removeEventListener("drop", dropped);
  };
}

function Became({ files }: { files: Files }) {
  const { words: all } = useReader();
  const words = useFileWords();
  const { names, at, phase, fault } = files.state;
  const name = names[at] ?? "";
  const said =
    phase === "sending" || phase === "keeping" ? words.reading(name, at + 1, names.length) : "";
  return (
    <>
      <p role="status" class={said === "" ? "" : "notice"}>
        {said}
      </p>
      {fault !== null && (
        <div class="notice bad" role="alert">
          {typeof fault === "string"
            ? words[fault]
            : words.refused(name, whyText(words, all, fault))}{" "}
          {typeof fault !== "string" && fault.code === "unknown_reference" && (
            <a class="link" href={BANK_ACCOUNTS}>
              {words.to_accounts}
            </a>
          )}
        </div>
      )}
      {phase === "stopped" && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => files.dispatch({ skip: true })}>
            {words.skip}
          </button>
          <button type="button" class="button main" onClick={() => files.dispatch({ again: true })}>
            {words.again}
          </button>
        </p>
      )}
    </>
  );
}

function AskProfile({ files }: { files: Files }) {
  const words = useFileWords();
  const { asked, phase } = files.state;
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  const [form, setForm] = useState<CsvForm | null>(asked?.profile ?? null);
  const [chosen, setChosen] = useState<readonly Meaning[] | null>(null);
  const [is_tried, setTried] = useState(false);
  useEffect(() => {
    void files.present().then(setBytes);
  }, [asked]);
  if (bytes === null || asked === null) return null;
  const written = form ?? formOf(bytes);
  const sample = sampleOf(bytes, written);
  const meanings = chosen ?? meaningsOf(asked.profile?.columns ?? null, sample);
  const outcome = profileFrom(written, meanings, sample);
  const fault = is_tried && "fault" in outcome ? words.faults[outcome.fault] : null;
  return (
    <div class="card pad stack bank-asks">
      <h2>{words.asks}</h2>
      <p class="quiet">{asked.is_changed ? words.asks_changed : words.asks_means}</p>
      {asked.faults.length > 0 && (
        <div class="notice bad" role="alert">
          <p>{words.asks_again}</p>
          <ul>
            {asked.faults.map(({ message }) => (
              <li>{message}</li>
            ))}
          </ul>
        </div>
      )}
      <ProfileFields
        sample={sample}
        meanings={meanings}
        form={written}
        choose={(column, meaning) =>
          setChosen(meanings.map((one, at) => (at === column ? meaning : one)))
        }
        write={(changes) => {
          const next = { ...written, ...changes };
          setForm(next);
          const again = sampleOf(bytes, next);
          if (again.width !== meanings.length) {
            setChosen(meaningsOf(asked.profile?.columns ?? null, again));
          }
        }}
      />
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="button" onClick={() => files.dispatch({ skip: true })}>
          {words.skip}
        </button>
        <button
          type="button"
          class="button main"
          disabled={phase === "keeping"}
          onClick={() => {
            setTried(true);
            if ("profile" in outcome) void files.keep(outcome.profile);
          }}
        >
          {words.keep}
        </button>
      </p>
    </div>
  );
}

export const island = islandOf<DropFilesProps>({ name: "drop-files", View: DropFiles });
