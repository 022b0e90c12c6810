/** Counts events by key in fixed windows, in memory and separately in each process: nothing of a visit is stored. */
interface Window {
  count: number;
  readonly ends_at: number;
}

/** The most keys; beyond it the oldest windows are forgotten. */
const MOST_KEYS = 20_000;

export class WindowCounter {
  readonly #most: number;
  readonly #milliseconds: number;
  readonly #windows = new Map<string, Window>();

  /** `most` events of one key are allowed in a window, which begins with its first event. */
  constructor(most: number, seconds: number) {
    this.#most = most;
    this.#milliseconds = seconds * 1000;
  }

  /** Counts one event of a key at a moment in milliseconds. */
  count(key: string, now: number): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.ends_at > now) {
      window.count += 1;
      return;
    }
    // A window that begins again is the newest.
    this.#windows.delete(key);
    this.#windows.set(key, { count: 1, ends_at: now + this.#milliseconds });
    if (this.#windows.size > MOST_KEYS) this.#forgetOldest();
  }

  /** Returns the whole seconds until the key may do the next event; 0 when it may do it now. */
  wait(key: string, now: number): number {
    const window = this.#windows.get(key);
    if (window === undefined || window.ends_at <= now || window.count < this.#most) return 0;
    return Math.max(1, Math.ceil((window.ends_at - now) / 1000));
  }

  #forgetOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
