/** Values that are kept as long as there is room: what was used longest ago goes first. */

export class Kept<Key, Value> {
  private readonly entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  private readonly most: number;
  private weight = 0;

  /** @param most what all values may weigh together, in a unit of the caller. */
  constructor(most: number) {
    this.most = most;
  }

  get(key: Key): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value in place of an older one; one that weighs more than there is room for is not kept. */
  set(key: Key, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.most) return;
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.most) break;
      this.delete(oldest);
    }
  }

  private delete(key: Key): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
