/** How the CSV files of a bank account are read, in words. */
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";
import { useReader } from "../frame/reader.ts";
import { FactList, Facts } from "../parts/facts.tsx";
import { useFileWords } from "./file-words.ts";

function CsvProfileFacts({ profile }: { profile: CsvProfile }) {
  const words = useReader().words.bank_accounts;
  const files = useFileWords();
  const { delimiter, encoding, skip_lines, has_header, decimal, date_format } = profile;
  const heads = skip_lines === 0 ? words.with_heads : words.heads_after(skip_lines);
  const { text, ...single } = profile.columns;
  const columns = Object.entries(single) as [keyof typeof single, string | number][];
  const named = (column: string | number) =>
    typeof column === "number" ? words.column(column) : column;
  return (
    <FactList
      facts={[
        {
          name: words.file,
          value: words.form(files.separators[delimiter], files.encodings[encoding]),
        },
        { name: words.heads, value: has_header ? heads : words.no_heads },
        { name: words.amounts, value: files.decimals[decimal] },
        { name: words.days, value: <code>{date_format}</code> },
        ...columns.map(([name, column]) => ({ name: files.columns[name], value: named(column) })),
        { name: files.columns.text, value: text.map(named).join(", ") },
      ]}
    />
  );
}

/** Shows the profile of a bank account under its heading; without one it says when one is asked for. */
export function CsvProfileCard({ profile }: { profile: CsvProfile | null }) {
  const words = useReader().words.bank_accounts;
  return (
    <Facts title={words.profile} id="csv-profile">
      {profile === null ? (
        <p class="quiet">{words.no_profile}</p>
      ) : (
        <CsvProfileFacts profile={profile} />
      )}
    </Facts>
  );
}
