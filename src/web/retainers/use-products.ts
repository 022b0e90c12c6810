/** What the forms of a retainer's lines do alike: products that were found, and numbers that are shown as they were understood. */
import { useState } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import { type ChangeForm, withField } from "./retainer-fields.ts";
import { fieldUnderstood, type LineChoices, type OfferedProduct } from "./typed-line.ts";

/** Returns the choices with the products that were chosen since, and the handlers of a choice and of a field that is left. */
export function useProducts(first: LineChoices, setTyped: ChangeForm) {
  const { language } = useReader();
  const [found, setFound] = useState<readonly OfferedProduct[]>([]);
  return {
    choices: { ...first, products: [...found, ...first.products] },
    onProduct(name: string, product: OfferedProduct): void {
      setFound((known) => [product, ...known]);
      setTyped((now) => withField(now, name, product.id, [product]));
    },
    leave({ target }: Event): void {
      if (!(target instanceof HTMLInputElement) || target.type !== "text") return;
      const { name, value } = target;
      const text = fieldUnderstood(name, value, language, first.currency);
      if (text !== value) setTyped((now) => ({ ...now, [name]: text }));
    },
  };
}
