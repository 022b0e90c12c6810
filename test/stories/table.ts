/**
 * Where the keys under `expected` of a scenario are read (decisions.md 50), and what is not played yet
 * and why. Every key and every step of a scenario is in one of the two: nothing is left out silently.
 */

/** A step's answer, or a call after the last step; `path` leads into it. */
export type Source = ({ readonly step: number } | { readonly call: string }) & {
  readonly path?: string;
  /**
   * Further fields of each entry of an array: the sum of `sum` over the `data` of a call, in which the
   * entry's own fields have names too.
   */
  readonly each?: Readonly<Record<string, { readonly call: string; readonly sum: string }>>;
  /** Further fields of an object, by their paths into it. */
  readonly also?: Readonly<Record<string, string>>;
};

export interface Story {
  readonly id: string;
  /** The last step that is played; all when left out. */
  readonly through?: number;
  /** What steps save in addition. */
  readonly saves?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  readonly reads: Readonly<Record<string, Source>>;
  /** Keys that cannot be read yet. */
  readonly waits?: Readonly<Record<string, string>>;
}

const RECOGNITION = "earned revenue and accruals";

export const stories: readonly Story[] = [
  {
    id: "O10",
    saves: { 8: { credit_note: "credit_notes[0].id" } },
    reads: {
      cancel_a: { step: 8 },
      credit_note_after_tick: { call: "GET /credit-notes/$credit_note" },
      cancel_b: {
        step: 17,
        also: {
          dropped_occurrences_first: "dropped_occurrences[0]",
          dropped_occurrences_count: "dropped_occurrences.length",
        },
      },
      registrations_on_dropped_status: {
        call: "GET /work-registrations?series=$b&period=2025-04",
        path: "data[1].status",
      },
    },
    waits: {
      recognised_a: RECOGNITION,
      accruals: RECOGNITION,
      recognised_b: RECOGNITION,
    },
  },
  {
    id: "O11",
    reads: {
      monthly: {
        step: 4,
        path: "data",
        each: {
          amount: { call: "GET /recurring-series/$m/occurrences/$period/lines", sum: "amount" },
        },
      },
      yearly: { step: 2, path: "data" },
    },
  },
];

/** Scenarios of which nothing is played before these things exist. */
export const waiting: Readonly<Record<string, string>> = {
  O01: RECOGNITION,
  O02: RECOGNITION,
  O03: RECOGNITION,
  O04: RECOGNITION,
  O05: RECOGNITION,
  O06: RECOGNITION,
  O07: RECOGNITION,
  O08: RECOGNITION,
  O09: RECOGNITION,
  O12: `${RECOGNITION} and period closes`,
  O13: RECOGNITION,
  O14: RECOGNITION,
  O15: RECOGNITION,
};
