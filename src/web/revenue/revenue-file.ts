/** The file of revenue: all rows of the matrix with the months of the range, as the screen shows them. */
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import type { Entry } from "../../features/revenue/reports/report-groups.ts";
import { type RevenueMatrix, readMatrix } from "../../features/revenue/reports/report-matrix.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { defineSheet, type SheetReader } from "../frame/define-sheet.ts";
import { isAdmin } from "../frame/seen.ts";
import { amountCell, type SheetColumn, textCell } from "../frame/sheet.ts";
import { monthHead } from "../parts/format.ts";
import { type RevenueAsked, revenueAsked } from "./revenue-address.ts";
import { besideOf, entryOf, matrixQuery, type Names, nameOf, namesFor } from "./revenue-report.ts";

/** The query of the page, as it was sent. */
type Fields = Readonly<Record<string, string | undefined>>;

interface SheetRow {
  readonly name: string;
  readonly beside: string | null;
  readonly row: RevenueMatrix["rows"][number];
}

export const revenueSheet = defineSheet(
  "pages.revenue_file",
  async (cx: PersonContext, query: Fields, reader: SheetReader) => {
    const configuration = await getConfiguration(cx);
    const asked = revenueAsked(query, currentMonth(cx, configuration), isAdmin(cx));
    const [matrix, names] = await reading(cx, async (inside) => {
      const read = await readMatrix(inside, configuration, matrixQuery(inside, asked), null);
      const entries = read.rows.map(({ cells }) => entryOf(cells));
      return [read, await namesFor(inside, asked, entries, reader.language)] as const;
    });
    const { names: filenames } = reader.words.files;
    return {
      filename: `${filenames.revenue}-${asked.from}-${asked.to}`,
      columns: columnsOf(asked, matrix, configuration.functional_currency, reader),
      rows: portions(matrix.rows.map((row) => rowOf(row, asked, names, reader))),
    };
  },
);

function columnsOf(
  asked: RevenueAsked,
  { months }: RevenueMatrix,
  currency: string,
  { words: all, language }: SheetReader,
): SheetColumn<SheetRow>[] {
  const words = all.revenue;
  return [
    { head: words.groupings[asked.by], file: textCell(({ name }) => name) },
    ...(asked.by === "line"
      ? [{ head: words.document, file: textCell<SheetRow>(({ beside }) => beside) }]
      : []),
    ...months.map((month, at) => ({
      head: monthHead(language, month),
      file: amountCell<SheetRow>(({ row }) => {
        const cell: Entry | null | undefined = row.cells[at];
        return { amount: cell === null || cell === undefined ? 0n : cell.earned, currency };
      }),
    })),
    { head: words.total, file: amountCell(({ row }) => ({ amount: row.total, currency })) },
  ];
}

function rowOf(
  row: RevenueMatrix["rows"][number],
  asked: RevenueAsked,
  names: Names,
  { words: all }: SheetReader,
): SheetRow {
  const words = all.revenue;
  const entry = entryOf(row.cells);
  const unnamed = asked.by === "person" ? words.no_person : words.removed;
  return {
    name: nameOf(entry, asked, names) ?? unnamed,
    beside: besideOf(entry, names),
    row,
  };
}

const ROWS_AT_A_TIME = 500;

async function* portions(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_A_TIME)
    yield rows.slice(at, at + ROWS_AT_A_TIME);
}
