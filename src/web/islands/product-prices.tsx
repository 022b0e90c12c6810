/** The list of products, whose prices are typed where they stand: saved when the field is left, taken back by Escape. */
import { useRef, useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { amountOfNumber } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { numberFrom } from "../parts/number.ts";
import { InPlace } from "./in-place.tsx";

export interface PricedRow {
  readonly id: string;
  readonly name: string;
  readonly product_number: string | null;
  readonly unit: string;
  /** As the API shows it; 0 is none. */
  readonly price: number;
  readonly account_number: number;
  /** How many of them have a line of it. */
  readonly drafts: number;
  /** Which version of it this is. */
  readonly version: string;
}

export interface PriceChange {
  readonly id: string;
  readonly price: number;
  readonly seen: string;
}

export interface PriceChanged {
  readonly price: number;
  readonly version: string;
}

interface Props {
  readonly rows: readonly PricedRow[];
  readonly currency: string;
}

function ProductPrices({ rows, currency }: Props) {
  const { words } = useReader();
  const { products } = words;
  return (
    <List
      label={words.nav.products}
      rows={rows}
      empty={null}
      columns={[
        { head: products.name, cell: (row) => <a href={`/products/${row.id}`}>{row.name}</a> },
        { head: products.number, cell: (row) => row.product_number ?? "–" },
        { head: products.unit, cell: (row) => row.unit },
        {
          head: products.price,
          kind: "number",
          cell: (row) => <Price key={row.id} row={row} currency={currency} />,
        },
        { head: products.account, kind: "number", cell: (row) => row.account_number },
        { head: products.drafts, kind: "number", cell: (row) => row.drafts || "–" },
      ]}
    />
  );
}

function Price({ row, currency }: { row: PricedRow; currency: string }) {
  const { words, language } = useReader();
  const is_alive = useAlive();
  const [stored, show] = useState<PriceChanged>(row);
  // What the next save is compared with, drawn by then or not.
  const last = useRef(stored);
  const shown = stored.price === 0 ? "" : amountOfNumber(language, stored.price, currency);
  if (!is_alive) return shown === "" ? <span class="quiet">–</span> : <span>{shown}</span>;
  return (
    <InPlace
      id={row.id}
      label={words.products.price_of(row.name)}
      shown={shown}
      input={{ inputMode: "decimal", maxLength: 30 }}
      read={(typed) => {
        const value = numberFrom(language, typed) ?? 0;
        const refusal = { code: "invalid_type", message: words.not_a_number } as const;
        return Number.isNaN(value) ? { refusal } : { value };
      }}
      isStored={(price) => price === last.current.price}
      save={async (price) => {
        const change: PriceChange = { id: row.id, price, seen: last.current.version };
        const answer = await send<PriceChanged>("/app/products/price", change);
        if ("done" in answer) {
          last.current = answer.done;
          show(answer.done);
        }
        return answer;
      }}
    />
  );
}

export const island: IslandOf<Props> = { name: "product-prices", View: ProductPrices };
