/**
 * Random faults of a wire, drawn from a seed: a seed always draws the same faults, one for each request in order of arrival. A
 * delayed request arrives when the process that sent it is dead, or long after the caller gave it up.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "./fault-proxy.ts";

/** Numbers from 0 to below 1, determined by a seed (mulberry32). */
export function drawnFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The share of each kind among the faults. */
const SHARES: readonly (readonly [string, number])[] = [
  ["drop_before", 0.26],
  ["drop_after", 0.3],
  ["cut", 0.16],
  ["failed before", 0.12],
  ["failed after", 0.12],
  ["late", 0.03],
  ["too many", 0.01],
];

function kindAt(point: number): string {
  let left = point;
  for (const [kind, part] of SHARES) {
    if (left < part) return kind;
    left -= part;
  }
  return "drop_after";
}

interface RandomFaults {
  /** The fault of the next request. */
  choose(): Fault | undefined;
  /** Lets delayed requests arrive. */
  letArrive(): void;
  /** Stops the faults. */
  end(): void;
  /** The number of faults by kind. */
  readonly met: ReadonlyMap<string, number>;
}

/** `late_ms` is the latest arrival of a delayed request, after its caller has given it up. */
export function randomFaults(seed: number, share: number, late_ms: number): RandomFaults {
  const draw = drawnFrom(seed);
  const met = new Map<string, number>();
  let arrive: () => void = () => {};
  let arrived = Promise.resolve();
  let is_over = false;
  const wait = (): void => {
    arrived = new Promise((resolve) => {
      arrive = resolve;
    });
  };
  wait();
  const faultOf = (kind: string): Fault => {
    switch (kind) {
      case "drop_before":
        return { type: "drop_before" };
      case "drop_after":
        return { type: "drop_after" };
      case "cut":
        return { type: "cut" };
      case "failed before":
        return { type: "answer", status: 500, body: "an error in between" };
      case "failed after":
        return { type: "rewrite", status: 500, body: "an error in between" };
      case "late":
        return { type: "hold_before", until: Promise.race([arrived, delay(late_ms)]) };
      default: {
        const headers = { "retry-after": "1" };
        return { type: "answer", status: 429, body: "API calls quota exceeded!", headers };
      }
    }
  };
  return {
    met,
    choose() {
      if (is_over || draw() >= share) return undefined;
      const kind = kindAt(draw());
      met.set(kind, (met.get(kind) ?? 0) + 1);
      return faultOf(kind);
    },
    letArrive() {
      arrive();
      wait();
    },
    end() {
      is_over = true;
      arrive();
    },
  };
}
