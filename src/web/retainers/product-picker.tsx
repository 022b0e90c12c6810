/** The product of a line of a retainer where a script runs: it is searched for, in all products of the account. */
import { send } from "../browser/send.ts";
import { ProductCombobox } from "../draft/product-combobox.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Labelled } from "../parts/entry.tsx";
import type { OfferedProduct } from "./typed-line.ts";

interface Props {
  /** The name of the field that is sent. */
  readonly name: string;
  /** The line, where a form has several. */
  readonly of: string | undefined;
  /** The chosen product; empty for none. */
  readonly id: string;
  readonly shown: string;
  readonly faults: Faults;
  choose(product: OfferedProduct): void;
}

export function ProductPicker({ name, of, id, shown, faults, choose }: Props) {
  const { product } = useReader().words.draft;
  return (
    <Labelled
      name={name}
      label={product}
      faults={faults}
      field={(said) => (
        <>
          <input type="hidden" name={name} value={id} />
          <ProductCombobox
            id={name}
            label={of === undefined ? product : `${product}, ${of}`}
            chosen={shown}
            is_invalid={said["aria-invalid"] === "true"}
            described={said["aria-describedby"]}
            {...{ find, make, choose }}
          />
        </>
      )}
    />
  );
}

async function find(q: string): Promise<readonly OfferedProduct[]> {
  const answer = await send<{ readonly data: readonly OfferedProduct[] }>(
    "/app/retainers/products",
    { q },
  );
  return "done" in answer ? answer.done.data : [];
}

async function make(name: string): Promise<OfferedProduct | undefined> {
  const answer = await send<OfferedProduct>("/app/retainers/new-product", { name });
  return "done" in answer ? answer.done : undefined;
}
