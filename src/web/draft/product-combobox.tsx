/** Chooses a product by number or name. A name without a product can be made into a new one. */
import { useRef } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";
import type { Named } from "./draft-stored.ts";

interface Found extends Named {
  readonly product_number: string | null;
}

interface Props<Product extends Found> {
  /** The id of the field, unique on the page. */
  readonly id: string;
  readonly label: string;
  /** The name of the chosen product; empty for none. */
  readonly chosen: string;
  readonly is_invalid: boolean;
  readonly described?: string | undefined;
  /** Returns the products that match a text. */
  find(q: string): Promise<readonly Product[]>;
  /** Makes a product of this name; returns undefined where that is refused. */
  make(name: string): Promise<Product | undefined>;
  choose(product: Product): void;
}

/** The prefix of an option that makes a new product; its name follows. */
const NEW = "new:";

export function ProductCombobox<Product extends Found>(props: Props<Product>) {
  const { find, make, choose, ...shown } = props;
  const words = useReader().words.draft;
  const known = useRef(new Map<string, Product>());

  async function options(q: string): Promise<readonly ComboboxOption[]> {
    const data = await find(q);
    for (const one of data) known.current.set(one.id, one);
    const found = data.map(({ id, name, product_number }) => ({
      id,
      label: name,
      ...(product_number === null ? {} : { note: product_number }),
    }));
    const name = q.trim();
    const is_new = name !== "" && data.every((one) => one.name !== name);
    return is_new ? [...found, { id: NEW + name, label: words.make_product(name) }] : found;
  }

  async function take({ id }: ComboboxOption): Promise<void> {
    const chosen = id.startsWith(NEW) ? await make(id.slice(NEW.length)) : known.current.get(id);
    if (chosen !== undefined) choose(chosen);
  }

  return (
    <Combobox
      {...shown}
      placeholder={words.find_product}
      none={words.none_found}
      find={options}
      choose={take}
    />
  );
}
