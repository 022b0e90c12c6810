/** The order of a retainer's lines while a person changes it: places in the stored order, from 0, as a form sends them. Pure. */

/** Returns the order that a form sends, such as `1 0 2`; the stored order for a text that does not name each of `count` places once. */
export function orderIn(text: string | undefined, count: number): readonly number[] {
  const stored = Array.from({ length: count }, (_, place) => place);
  const order = (text ?? "").split(" ").map((digits) => Number.parseInt(digits, 10));
  const is_whole = order.length === count && stored.every((place) => order.includes(place));
  return is_whole ? order : stored;
}

/** Returns the order after a button, such as `up 2`, which moves the line that is shown as the second; undefined for other texts. */
export function orderAfter(order: readonly number[], button = ""): readonly number[] | undefined {
  const [, verb, digits = ""] = /^(up|down) (\d{1,3})$/.exec(button) ?? [];
  if (verb === undefined) return undefined;
  const from = Number.parseInt(digits, 10) - 1;
  const to = verb === "up" ? from - 1 : from + 1;
  const [moved, replaced] = [order[from], order[to]];
  if (moved === undefined || replaced === undefined) return order;
  return order.with(from, replaced).with(to, moved);
}
