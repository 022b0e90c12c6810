/** Finds the name nearest to an unknown one. Case and separators do not count: `customerId` is `customer_id`. */

/** Longer names are compared by their beginnings; none of our names is as long. */
const MOST_COMPARED = 64;

/** A name at a greater distance is not suggested. */
const MOST_DISTANCE = 3;

/** Returns the first of the nearest `names`; undefined unless at most two in five letters and at most three differ. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const plain = plainName(written);
  let least = Math.min(MOST_DISTANCE, Math.max(1, Math.ceil(plain.length * 0.4))) + 1;
  let nearest: string | undefined;
  for (const name of names) {
    const distance = editDistance(plain, plainName(name), least);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

function plainName(name: string): string {
  return name
    .slice(0, MOST_COMPARED)
    .toLowerCase()
    .replace(/[-_ .]/g, "");
}

/** The edit distance, in which a swap of neighbours counts as one; `enough` represents all distances from there on. */
export function editDistance(from: string, to: string, enough = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const is_same = from[row - 1] === to[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (is_same ? 0 : 1),
      );
      const is_exchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && is_exchanged) {
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    before = above;
    above = current;
  }
  return Math.min(above[to.length] ?? 0, enough);
}
