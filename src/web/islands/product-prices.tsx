/** The list of products, whose prices are typed where they stand: saved when the field is left, taken back by Escape. */
import { useRef, useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { type Refused, send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { amountOfNumber } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { numberFrom } from "../parts/number.ts";
import type { Refusal } from "../words/refusal.ts";

export interface PricedRow {
  readonly id: string;
  readonly name: string;
  readonly product_number: string | null;
  readonly unit: string;
  /** As the API shows it; 0 is none. */
  readonly price: number;
  readonly account_number: number;
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
      ]}
    />
  );
}

type State = "still" | "saving" | "saved" | "unsaved" | Refusal;

function Price({ row, currency }: { row: PricedRow; currency: string }) {
  const { words, language } = useReader();
  const is_alive = useAlive();
  const [kept, keep] = useState<PriceChanged>(row);
  const [typed, type] = useState<string | null>(null);
  const [state, tell] = useState<State>("still");
  const last = useRef(kept);
  const shown = kept.price === 0 ? "" : amountOfNumber(language, kept.price, currency);
  if (!is_alive) return shown === "" ? <span class="quiet">–</span> : <span>{shown}</span>;

  /** What was typed stays until it is kept or taken back. */
  async function save(): Promise<void> {
    if (typed === null) return;
    const price = numberFrom(language, typed) ?? 0;
    if (Number.isNaN(price)) return tell({ code: "invalid_type", message: words.not_a_number });
    if (price === last.current.price) return takeBack();
    tell("saving");
    const change: PriceChange = { id: row.id, price, seen: last.current.version };
    const answer = await send<PriceChanged>("/app/products/price", change);
    if ("lost" in answer) return tell("unsaved");
    if ("refused" in answer) return tell(reasonOf(answer.refused));
    last.current = answer.done;
    keep(answer.done);
    type(null);
    tell("saved");
  }

  function takeBack(): void {
    type(null);
    tell("still");
  }

  const fault = typeof state === "object" ? words.refused(state) : null;
  const said = fault ?? (typeof state === "string" && state !== "still" ? words.saving[state] : "");
  const described = `said-${row.id}`;
  return (
    <>
      <input
        class="input in-place"
        inputMode="decimal"
        maxLength={30}
        aria-label={words.products.price_of(row.name)}
        aria-describedby={described}
        value={typed ?? shown}
        {...(fault === null ? {} : { "aria-invalid": "true" as const })}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={save}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") currentTarget.blur();
          if (key === "Escape") takeBack();
        }}
      />
      <span id={described} role="status" class={fault === null ? "tiny quiet" : "fault"}>
        {said}
      </span>
    </>
  );
}

/** What is wrong with the one field comes first. */
function reasonOf({ field_errors, code, message }: Refused): Refusal {
  return (
    field_errors[0] ??
    (code === "INTERNAL_ERROR" ? { code: "MALFORMED_REQUEST", message } : { code, message })
  );
}

export const island: IslandOf<Props> = { name: "product-prices", View: ProductPrices };
