/** When a failed sending is tried again (spec 10.5). What may have arrived is never sent again by itself. */

/** Minutes to wait after the first, second … failed attempt; after the last one the failure is final. */
export const MINUTES_UNTIL_RETRY: readonly number[] = [1, 5, 30, 120, 480, 1440];
