/** The moves of the books between ledgers, on the page of the connection. The operator moves them; the page only shows it. */
import type { ComponentChildren } from "preact";
import type * as z from "zod";
import { listMoves } from "../../features/ledger/moves/queries.ts";
import type { LedgerMove } from "../../features/ledger/moves/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PageRequest } from "../frame/page.tsx";
import { moneyOfNumber } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";

type Move = z.output<typeof LedgerMove>;

/** The number of moves on the page; the API lists all. */
const MOST = 10;

const PILLS = { moving: "warn", completed: "ok", refused: "bad" } as const satisfies Record<
  Move["state"],
  string
>;

/** Returns the last moves, the newest first; null for an account whose books have never moved. */
export async function movesOf({ cx, reader }: PageRequest): Promise<ComponentChildren> {
  const { data } = JSON.parse(await listMoves(cx, { limit: MOST })) as { data: readonly Move[] };
  if (data.length === 0) return null;
  const { functional_currency } = await getConfiguration(cx);
  const { language, words: all } = reader;
  const words = all.connection.moves;
  const money = (amount: number) => moneyOfNumber(language, amount, functional_currency);
  const nameOf = ({ kind, organisation }: Move["from"]): string => {
    const title = cx.setups.get(kind)?.connector.title ?? words.own;
    return organisation === null ? title : `${title} (${organisation})`;
  };
  const opening = (move: Move): string => {
    if (move.voucher === null) return words.nothing_opened;
    const { number } = move.voucher;
    const amounts = words.amounts(money(move.contract_liability), money(move.contract_asset));
    return number === null ? amounts : `${amounts}, ${words.voucher(number)}`;
  };
  return (
    <section id="moves">
      <h2>{words.title}</h2>
      {data[0]?.state === "moving" && (
        <p class="notice warn" role="status">
          {words.is_moving}
        </p>
      )}
      <List
        label={words.title}
        empty={null}
        rows={data}
        columns={[
          {
            head: words.begins,
            fold: "lead",
            cell: ({ begins_on }) => <Day day={begins_on} />,
          },
          { head: words.from, cell: ({ from }) => nameOf(from) },
          { head: words.to, cell: ({ to }) => nameOf(to) },
          { head: words.opened, cell: opening },
          {
            head: words.state,
            fold: "end",
            cell: ({ state, reason }) => (
              <>
                <Pill kind={PILLS[state]}>{words.states[state]}</Pill>
                {reason !== null && <p class="soft">{reason}</p>}
              </>
            ),
          },
        ]}
      />
    </section>
  );
}
