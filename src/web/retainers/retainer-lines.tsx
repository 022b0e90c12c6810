/** The lines of a retainer as a table: what each invoices in a period, how it is earned, and by whom. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText, type Money, RATE_DECIMALS } from "../../domain/base/money.ts";
import { type Line, netOf } from "../../domain/sales/line.ts";
import type { PlacedContent } from "../../domain/series/series.ts";
import { type PageReader, useReader } from "../frame/reader.ts";
import { amountOf, plainNumber } from "../parts/format.ts";
import { type Column, List } from "../parts/list.tsx";

interface LinesProps {
  readonly lines: readonly PlacedContent[];
  readonly currency: string;
  /** The names of the assignees by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly title: string;
  /** The address below which lines are changed; null where they cannot be. */
  readonly edit: string | null;
}

/** Shows the lines with their sum. */
export function RetainerLines(props: LinesProps) {
  const { lines, currency, title, edit } = props;
  const reader = useReader();
  const words = reader.words.retainer;
  const sum = lines.reduce((all, line) => all + netIn(line, currency), 0n);
  return (
    <section class="card" aria-labelledby="lines">
      <header>
        <h2 id="lines">{title}</h2>
        {edit !== null && lines.length > 1 && (
          <a class="button small end" href={`${edit}/order`}>
            {reader.words.retainer_lines.order}
          </a>
        )}
      </header>
      {lines.length === 0 ? (
        <p class="pad soft">{words.no_lines}</p>
      ) : (
        <List label={title} rows={lines} empty={null} columns={columnsOf(props, reader)} />
      )}
      {lines.length > 1 && (
        <p class="sum-line">
          <span>{words.net}</span>
          <span class="num strong">{amountOf(reader.language, sum, currency)}</span>
        </p>
      )}
    </section>
  );
}

function netIn({ content }: PlacedContent, currency: string): Money {
  return netOf({ ...content, id: "" as Line["id"] }, currencyDigits(currency), []);
}

function columnsOf(
  { currency, names, edit }: LinesProps,
  { words: all, language }: PageReader,
): readonly Column<PlacedContent>[] {
  const words = all.retainer;
  const rateOf = (rate: bigint): string =>
    words.by_hours(plainNumber(language, Number.parseFloat(decimalText(rate, RATE_DECIMALS))));
  const named = ({ content }: PlacedContent) =>
    content.description_override ?? content.product_name;
  return [
    {
      head: words.line,
      fold: "lead",
      cell: (line) => (
        <>
          <span class="strong">{named(line)}</span>
          <br />
          <span class="tiny quiet">{all.draft.methods[line.content.recognition_method]}</span>
        </>
      ),
    },
    { head: words.who, cell: ({ content }) => <Assigned content={content} names={names} /> },
    {
      head: words.net,
      kind: "number",
      fold: "end",
      cell: (line) =>
        line.content.recognition_method === "hours"
          ? rateOf(line.content.hourly_rate ?? 0n)
          : amountOf(language, netIn(line, currency), currency),
    },
    ...(edit === null
      ? []
      : [
          {
            head: "",
            cell: (line: PlacedContent) => (
              <a
                class="button small"
                href={`${edit}/${line.line_id}`}
                aria-label={words.change_of(named(line))}
              >
                {words.change}
              </a>
            ),
          },
        ]),
  ];
}

/** Names the assignees of a line with their shares. */
export function Assigned(props: {
  content: Pick<PlacedContent["content"], "assignees">;
  names: ReadonlyMap<string, string>;
}) {
  const { words, language } = useReader();
  const { assignees } = props.content;
  if (assignees.length === 0) return <span class="ember">{words.retainer.no_one}</span>;
  const shareOf = (share: number | null): string =>
    share === null ? "" : ` ${plainNumber(language, share / 100)} %`;
  return (
    <span>
      {assignees
        .map(
          ({ user_id, distribution_percentage }) =>
            `${props.names.get(user_id) ?? "–"}${shareOf(distribution_percentage)}`,
        )
        .join(", ")}
    </span>
  );
}
