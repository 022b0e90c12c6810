/** The list of products. Names and prices are edited in their place: saved when a person leaves the field, reset by Escape. */
import { useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { type Answer, send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { amountOfNumber } from "../parts/format.ts";
import { InPlace } from "../parts/in-place.tsx";
import { List } from "../parts/list.tsx";
import { numberFrom } from "../parts/number.ts";

export interface ListedProduct extends ProductStored {
  readonly id: string;
  readonly product_number: string | null;
  readonly unit: string;
  readonly account_number: number;
  /** The number of drafts with a line of the product. */
  readonly drafts: number;
}

/** The stored values that the list edits. */
export interface ProductStored {
  readonly name: string;
  /** The default price as the API shows it; 0 is none. */
  readonly default_price: number;
  /** The version of the product. */
  readonly version: string;
}

export interface ProductChange {
  readonly id: string;
  readonly changes: Partial<Pick<ProductStored, "name" | "default_price">>;
  readonly seen: string;
}

interface Props {
  readonly rows: readonly ListedProduct[];
  readonly currency: string;
}

function ProductList({ rows, currency }: Props) {
  const { words } = useReader();
  const { products } = words;
  const stored = useStored(rows);
  return (
    <List
      label={words.nav.products}
      rows={rows}
      empty={null}
      columns={[
        {
          head: products.name,
          fold: "lead",
          cell: ({ id }) => <Name key={id} id={id} {...stored(id)} />,
        },
        { head: products.number, cell: (row) => row.product_number ?? "–" },
        { head: products.unit, cell: (row) => row.unit },
        {
          head: products.price,
          kind: "number",
          fold: "end",
          cell: ({ id }) => <Price key={id} id={id} currency={currency} {...stored(id)} />,
        },
        { head: products.account, kind: "number", cell: (row) => row.account_number },
        {
          head: products.drafts,
          kind: "number",
          fold: "none",
          cell: (row) => row.drafts || "–",
        },
      ]}
    />
  );
}

interface Stored {
  /** The product as it is rendered. */
  readonly product: ProductStored;
  /** The current product, rendered or not. */
  now(): ProductStored;
  change(changes: ProductChange["changes"]): Promise<Answer<ProductStored>>;
}

/** Returns each product's stored values. Changes are sent one by one, so that none looks like another person's. */
function useStored(rows: readonly ListedProduct[]): (id: string) => Stored {
  const [shown, setShown] = useState<ReadonlyMap<string, ProductStored>>(
    () => new Map(rows.map((row) => [row.id, row])),
  );
  const by_now = useRef(shown);
  const turns = useRef(new Map<string, Promise<unknown>>());
  const ofNow = (id: string) => by_now.current.get(id) as ProductStored;

  async function send_change(id: string, changes: ProductChange["changes"]) {
    const sent: ProductChange = { id, changes, seen: ofNow(id).version };
    const answer = await send<ProductStored>("/app/products/change", sent);
    if ("done" in answer) {
      by_now.current = new Map(by_now.current).set(id, answer.done);
      setShown(by_now.current);
    }
    return answer;
  }

  return (id) => ({
    product: shown.get(id) as ProductStored,
    now: () => ofNow(id),
    change(changes) {
      const turn = (turns.current.get(id) ?? Promise.resolve()).then(() =>
        send_change(id, changes),
      );
      turns.current.set(id, turn);
      return turn;
    },
  });
}

function Name({ id, product, now, change }: Stored & { id: string }) {
  const { products } = useReader().words;
  const is_alive = useAlive();
  const href = `/products/${id}`;
  if (!is_alive) return <a href={href}>{product.name}</a>;
  return (
    <span class="named">
      <InPlace
        id={`${id}-name`}
        label={products.name_of(product.name)}
        shown={product.name}
        input={{ maxLength: 255 }}
        read={(typed) => ({ value: typed.trim() })}
        isStored={(name) => name === now().name}
        save={(name) => change({ name })}
      />
      <a class="small" href={href} aria-label={products.open(product.name)}>
        {products.edit}
      </a>
    </span>
  );
}

function Price({ id, currency, product, now, change }: Stored & { id: string; currency: string }) {
  const { words, language } = useReader();
  const is_alive = useAlive();
  const { name, default_price: price } = product;
  const shown = price === 0 ? "" : amountOfNumber(language, price, currency);
  if (!is_alive) return shown === "" ? <span class="quiet">–</span> : <span>{shown}</span>;
  return (
    <InPlace
      id={id}
      label={words.products.price_of(name)}
      shown={shown}
      input={{ inputMode: "decimal", maxLength: 30 }}
      read={(typed) => {
        const value = numberFrom(language, typed) ?? 0;
        const refusal = { code: "invalid_type", message: words.not_a_number } as const;
        return Number.isNaN(value) ? { refusal } : { value };
      }}
      isStored={(value) => value === now().default_price}
      save={(default_price) => change({ default_price })}
    />
  );
}

export const island = islandOf<Props>({ name: "product-list", View: ProductList });
