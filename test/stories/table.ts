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

const WORK = "work registrations";
const RECOGNITION = "earned revenue and accruals";

export const stories: readonly Story[] = [
  {
    id: "O10",
    // From step 12 on hours are registered.
    through: 11,
    saves: { 8: { credit_note: "credit_notes[0].id" } },
    reads: {
      cancel_a: { step: 8 },
      credit_note_after_tick: { call: "GET /credit-notes/$credit_note" },
    },
    waits: {
      recognised_a: RECOGNITION,
      accruals: RECOGNITION,
      cancel_b: WORK,
      registrations_on_dropped_status: WORK,
      recognised_b: WORK,
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
  O02: WORK,
  O03: RECOGNITION,
  O04: RECOGNITION,
  O05: RECOGNITION,
  O06: WORK,
  O07: RECOGNITION,
  O08: WORK,
  O09: RECOGNITION,
  O12: `${RECOGNITION}, ${WORK} and period closes`,
  O13: RECOGNITION,
  O14: WORK,
  O15: WORK,
};
