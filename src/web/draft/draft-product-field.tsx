/** Chooses the product of a draft line by number or name. A name without a product can be made into a new one. */
import { useRef } from "preact/hooks";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { Combobox, type ComboboxOption } from "../parts/combobox.tsx";
import type { LineActs } from "./draft-acts.ts";
import type { LineFields } from "./draft-cell.tsx";
import type { ProductFacts } from "./draft-sums.ts";

interface Props extends Omit<LineFields, "set"> {
  readonly product: ProductFacts | undefined;
  readonly acts: LineActs;
}

/** The prefix of an option that makes a new product; its name follows. */
const NEW = "new:";

export function ProductField({ line, index, wrong, product, acts }: Props) {
  const { words: all } = useReader();
  const words = all.draft;
  const known = useRef(new Map<string, ProductFacts>());

  async function find(q: string): Promise<readonly ComboboxOption[]> {
    const answer = await send<{ readonly data: readonly ProductFacts[] }>("/app/drafts/products", {
      id: acts.id,
      q,
    });
    const data = "done" in answer ? answer.done.data : [];
    for (const one of data) known.current.set(one.id, one);
    const options = data.map(({ id, name, product_number }) => ({
      id,
      label: name,
      ...(product_number === null ? {} : { note: product_number }),
    }));
    const name = q.trim();
    const is_new = name !== "" && data.every((one) => one.name !== name);
    return is_new ? [...options, { id: NEW + name, label: words.make_product(name) }] : options;
  }

  async function choose({ id }: ComboboxOption): Promise<void> {
    const chosen = id.startsWith(NEW)
      ? await make(acts.id, id.slice(NEW.length))
      : known.current.get(id);
    if (chosen !== undefined) acts.choose(line.key, chosen);
  }

  return (
    <div class="field wide">
      <label for={`product-${line.key}`}>{words.product}</label>
      <Combobox
        id={`product-${line.key}`}
        label={`${words.product}, ${words.line(index + 1)}`}
        chosen={product?.name ?? ""}
        placeholder={words.find_product}
        none={words.none_found}
        is_invalid={wrong.has("product_id")}
        find={find}
        choose={choose}
      />
    </div>
  );
}

async function make(id: string, name: string): Promise<ProductFacts | undefined> {
  const answer = await send<ProductFacts>("/app/drafts/new-product", { id, name });
  return "done" in answer ? answer.done : undefined;
}
