/** A cache with limited room: the least recently used value is removed first. */

export class LruCache<Key, Value> {
  private readonly entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  private readonly under_way = new Map<Key, Promise<Value>>();
  private readonly most: number;
  private weight = 0;

  /** @param most the maximum total weight of all values, in a unit of the caller. */
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

  /** Stores a value and replaces an older one; a value that is heavier than the whole room is not stored. */
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

  /** Returns the cached value, or makes and caches it. Concurrent callers share an outcome. Failures are not cached. */
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
