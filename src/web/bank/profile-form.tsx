/** The question what the columns of a CSV file are: its first rows below a choice for each column, and how the file is written. */
import { DATE_FORMATS, DELIMITERS, ENCODINGS } from "../../domain/receivables/csv-profile.ts";
import { MEANINGS, type Meaning } from "./column-meanings.ts";
import { useFileWords } from "./file-words.ts";
import type { CsvForm, SampleRows } from "./sample-rows.ts";

interface Props {
  readonly sample: SampleRows;
  readonly meanings: readonly Meaning[];
  readonly form: CsvForm;
  /** Called with what was chosen; without scripts the names of the fields are sent. */
  readonly choose?: (column: number, meaning: Meaning) => void;
  readonly write?: (form: Partial<CsvForm>) => void;
}

/** Shows the fields of the question, without the form and its button. */
export function ProfileFields({ sample, meanings, form, choose, write }: Props) {
  const words = useFileWords();
  const { heads, rows, width } = sample;
  const columns = Array.from({ length: width }, (_, at) => at);
  const headOf = (at: number) => heads?.[at] || words.column(at + 1);
  return (
    <>
      {width === 0 && <p class="quiet">{words.no_rows}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keys. */}
      <section class="bank-sample" aria-label={words.sample} tabIndex={0}>
        <table class="grid-table">
          <thead>
            <tr>
              {columns.map((at) => (
                <th scope="col">
                  <label class="field">
                    <span>{headOf(at)}</span>
                    <select
                      class="input"
                      name={`column_${at}`}
                      onChange={({ currentTarget }) => choose?.(at, currentTarget.value as Meaning)}
                    >
                      <option value="">{words.not_read}</option>
                      {MEANINGS.map((meaning) => (
                        <option value={meaning} selected={meanings[at] === meaning}>
                          {words.columns[meaning]}
                        </option>
                      ))}
                    </select>
                  </label>
                  {heads !== null && <input type="hidden" name={`head_${at}`} value={heads[at]} />}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr>
                {columns.map((at) => (
                  <td class={meanings[at] === "" ? "quiet" : ""}>{cells[at] ?? ""}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Written form={form} is_open={width < 3} write={write} />
    </>
  );
}

/** How the file is written, which is rarely guessed wrong. */
function Written(props: {
  form: CsvForm;
  is_open: boolean;
  write: ((form: Partial<CsvForm>) => void) | undefined;
}) {
  const words = useFileWords();
  const { form, is_open, write } = props;
  return (
    <details class="rare-fields" open={is_open}>
      <summary>{words.how_written}</summary>
      <div class="filters">
        <Choice
          name="delimiter"
          label={words.separator}
          value={form.delimiter}
          options={DELIMITERS.map((one) => [one, words.separators[one]])}
          choose={(delimiter) => write?.({ delimiter })}
        />
        <Choice
          name="encoding"
          label={words.encoding}
          value={form.encoding}
          options={ENCODINGS.map((one) => [one, words.encodings[one]])}
          choose={(encoding) => write?.({ encoding })}
        />
        <Choice
          name="has_header"
          label={words.has_header}
          value={form.has_header ? "true" : "false"}
          options={[
            ["true", words.is_heads],
            ["false", words.is_row],
          ]}
          choose={(value) => write?.({ has_header: value === "true" })}
        />
        <Choice
          name="skip_lines"
          label={words.skip_lines}
          value={`${form.skip_lines}`}
          options={Array.from({ length: MOST_SKIPPED }, (_, lines) => [`${lines}`, `${lines}`])}
          choose={(lines) => write?.({ skip_lines: Number.parseInt(lines, 10) })}
        />
        <Choice
          name="decimal"
          label={words.decimal}
          value={form.decimal}
          options={[
            [",", words.decimals[","]],
            [".", words.decimals["."]],
          ]}
          choose={(decimal) => write?.({ decimal })}
        />
        <Choice
          name="date_format"
          label={words.date_format}
          value={form.date_format}
          options={DATE_FORMATS.map((one) => [one, one])}
          choose={(date_format) => write?.({ date_format })}
        />
      </div>
    </details>
  );
}

/** The lines before the heads that can be chosen. */
const MOST_SKIPPED = 21;

function Choice<Value extends string>(props: {
  name: string;
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  choose(value: Value): void;
}) {
  const { name, label, value, options, choose } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <select
        class="input"
        name={name}
        onChange={({ currentTarget }) => choose(currentTarget.value as Value)}
      >
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
