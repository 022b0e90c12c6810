/** Values that are kept as long as there is room: what was used longest ago goes first. */

export class Kept<Key, Value> {
  private readonly entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  private readonly under_way = new Map<Key, Promise<Value>>();
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

  /**
   * The value that is kept, or else the one that is made, which is then kept. Whoever asks while it is being made gets
   * the same one; a failure is everybody's who asked, and not kept.
   */
  async getOrMake(
    key: Key,
    make: () => Promise<Value>,
    weigh: (value: Value) => number,
  ): Promise<Value> {
    const known = this.get(key) ?? this.under_way.get(key);
    if (known !== undefined) return known;
    const making = make();
    this.under_way.set(key, making);
    try {
      const value = await making;
      this.set(key, value, weigh(value));
      return value;
    } finally {
      this.under_way.delete(key);
    }
  }

  private delete(key: Key): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
