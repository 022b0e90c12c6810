/**
 * Which name somebody meant who wrote one that there is not: the nearest by edit distance. Case and the
 * strokes between words cost nothing, so that `customerId` is `customer_id`.
 */

/** Names longer than this are compared by their beginnings; nothing of ours is as long. */
const MOST_COMPARED = 64;

/** What is further away is another name. */
const MOST_DISTANCE = 3;

/**
 * The nearest of `names`, the first of those that are equally near; undefined when none is near: two letters in
 * five, and three at most.
 */
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

/**
 * How many letters must be added, removed, replaced, or exchanged with their neighbour to make one text of
 * the other; `enough` stands for all distances from there on.
 */
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
