/**
 * Amounts of the simulation of Dinero, as bigints of hundredths. How Dinero rounds VAT is not published: all ways that ledgers
 * are known to use are here, and a switch selects one.
 */

/** A JSON number as an integer of 10^-decimals; undefined for a value that is not a number, or has more decimals. */
export function scaled(value, decimals) {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (!match) return undefined;
  const [, sign, whole, fraction = ""] = match;
  if (fraction.length > decimals) return undefined;
  const size = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign === "-" ? -size : size;
}

/** Hundredths as the JSON number in an answer. */
export function shown(hundredths) {
  return Number(hundredths) / 100;
}

export function divided(numerator, denominator, way) {
  const size = numerator < 0n ? -numerator : numerator;
  let whole = size / denominator;
  const twice = 2n * (size % denominator);
  if (twice > denominator || (twice === denominator && (way !== "half_even" || whole % 2n === 1n)))
    whole += 1n;
  return numerator < 0n ? -whole : whole;
}

/** The net of a line: price times quantity less its discount in percent. */
export function netOf(line) {
  const price = scaled(line.BaseAmountValue, 6);
  const quantity = scaled(line.Quantity, 6);
  const left = 10_000n - scaled(line.Discount ?? 0, 2);
  return divided(price * quantity * left, 10n ** 14n, "half_up");
}

/** Totals of lines, whose VAT follows their account: `rateOf` returns it in hundredths of a percent. */
export function totalsOf(lines, rateOf, way) {
  const nets = lines.map((line) => ({
    net: line.LineType === "Text" ? 0n : netOf(line),
    ...rateOf(line),
  }));
  const groups = new Map();
  for (const { net, code, rate } of nets) {
    const group = groups.get(code) ?? { code, rate, base: 0n, vat: 0n };
    group.base += net;
    if (way === "per_line") group.vat += divided(net * BigInt(rate), 10_000n, "half_up");
    groups.set(code, group);
  }
  for (const group of groups.values()) {
    if (way !== "per_line") group.vat = divided(group.base * BigInt(group.rate), 10_000n, way);
  }
  const net = nets.reduce((sum, one) => sum + one.net, 0n);
  const vat = [...groups.values()].reduce((sum, one) => sum + one.vat, 0n);
  return { nets: nets.map((one) => one.net), groups: [...groups.values()], net, vat };
}
