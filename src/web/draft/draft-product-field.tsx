/** The product of a draft line. */
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { LineActs } from "./draft-acts.ts";
import type { LineFields } from "./draft-cell.tsx";
import type { ProductFacts } from "./draft-sums.ts";
import { ProductCombobox } from "./product-combobox.tsx";

interface Props extends Omit<LineFields, "set"> {
  readonly product: ProductFacts | undefined;
  readonly acts: LineActs;
}

export function ProductField({ line, index, wrong, product, acts }: Props) {
  const words = useReader().words.draft;
  return (
    <div class="field wide">
      <label for={`product-${line.key}`}>{words.product}</label>
      <ProductCombobox
        id={`product-${line.key}`}
        label={`${words.product}, ${words.line(index + 1)}`}
        chosen={product?.name ?? ""}
        is_invalid={wrong.has("product_id")}
        find={(q) => find(acts.id, q)}
        make={(name) => make(acts.id, name)}
        choose={(chosen) => acts.choose(line.key, chosen)}
      />
    </div>
  );
}

async function find(id: string, q: string): Promise<readonly ProductFacts[]> {
  const answer = await send<{ readonly data: readonly ProductFacts[] }>("/app/drafts/products", {
    id,
    q,
  });
  return "done" in answer ? answer.done.data : [];
}

async function make(id: string, name: string): Promise<ProductFacts | undefined> {
  const answer = await send<ProductFacts>("/app/drafts/new-product", { id, name });
  return "done" in answer ? answer.done : undefined;
}
