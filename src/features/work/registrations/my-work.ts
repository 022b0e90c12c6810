/** Lists a person's waiting lines (spec 8.3): on one-time drafts, and on begun, unissued periods of active series. */
import type { UserId } from "../../../domain/base/brand.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../../domain/sales/line.ts";
import {
  compareLines,
  mostOfGroup,
  rankedGroups,
  shownGroups,
} from "../../../domain/work/my-work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { TakesLong } from "../../../platform/threads/takes-long.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { findManySeries } from "../../recurring/series/queries.ts";
import { workedOnWaiting } from "../../sales/hours/list-worked.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import {
  type Candidate,
  draftPlaces,
  type OwnPlace,
  periodPlaces,
  type WorkLine,
} from "./list-waiting.ts";
import {
  countOwnLines,
  countWaiting,
  mostWaiting,
  waitingDrafts,
  waitingSeries,
} from "./queries.ts";

/** The lines of a customer's drafts, or those of a series. */
export interface WorkGroup {
  readonly key: string;
  readonly rank: number;
  /** The number of waiting lines, shown or not; `places` is the number of documents and periods. */
  readonly waiting: number;
  readonly places: number;
  /** The most urgent line, which identifies the group. */
  readonly first: WorkLine;
  /** The lines that are shown, the most urgent first. */
  readonly lines: readonly WorkLine[];
}

interface MyWork {
  readonly groups: readonly WorkGroup[];
  readonly in_scope: number;
  readonly beyond_scope: number;
}

/** With more lines than this, another thread does the work. */
const MOST_IN_PROCESS = 1000;

/**
 * Returns the lines that wait for the work of a user, the most urgent first: every line up to 200, else the counts of each group
 * and its first 20 lines, 200 lines in all. Throws TakesLong for many lines in the thread that handles requests.
 */
export async function workOf(cx: Reader, user_id: UserId): Promise<MyWork> {
  const { time_zone } = await getConfiguration(cx);
  const today = todayIn(cx.clock, time_zone);
  if (cx.leaves_if_long && (await mostWaiting(cx, user_id, today)) > MOST_IN_PROCESS)
    throw new TakesLong();
  const [drafts, on_drafts, series_ids, all] = await Promise.all([
    waitingDrafts(cx, user_id),
    countOwnLines(cx, user_id),
    waitingSeries(cx, user_id),
    countWaiting(cx, today),
  ]);
  const many = [...(await findManySeries(cx, series_ids)).values()];
  const draft_ids = drafts.map(({ id }) => id);
  const customer_ids = [...drafts, ...many].map(({ customer_id }) => customer_id);
  const [worked, names] = await Promise.all([
    workedOnWaiting(cx, draft_ids, series_ids),
    customerNames(cx, customer_ids),
  ]);
  const worker = { user_id, today, names, worked };
  const on_periods = await periodPlaces(cx, many, worker);
  const in_scope = [...on_drafts.values(), ...on_periods.map(({ count }) => count)].reduce(
    (sum, count) => sum + count,
    0,
  );
  const most = mostOfGroup(in_scope);
  const places = [...(await draftPlaces(cx, drafts, on_drafts, worker, most)), ...on_periods];
  const groups = await groupsOf(cx, places, most);
  return { groups, in_scope, beyond_scope: Math.max(0, all - in_scope) };
}

async function groupsOf(
  cx: Reader,
  places: readonly OwnPlace[],
  most: number,
): Promise<WorkGroup[]> {
  const slices = new Slices(cx.signal);
  const counts = new Map<string, { waiting: number; places: number }>();
  const candidates: Candidate[] = [];
  for (const [group, own] of groupedBy(places, (place) => place.group)) {
    const of_group: Candidate[] = [];
    for (const place of own) {
      of_group.push(...place.candidates(most));
      if (slices.isOver) await slices.next();
    }
    const waiting = own.reduce((sum, { count }) => sum + count, 0);
    counts.set(group, { waiting, places: own.length });
    candidates.push(...of_group.sort(compareLines).slice(0, most));
  }
  const ranked = rankedGroups(candidates, ({ group }) => group);
  const shown = shownGroups(ranked, most);
  return ranked.flatMap(({ key, rank, lines: [first] }, at) => {
    const count = counts.get(key);
    if (first === undefined || count === undefined) return [];
    const lines = (shown[at]?.lines ?? []).map((one) => one.show());
    return [{ key, rank, ...count, first: lines[0] ?? first.show(), lines }];
  });
}

/** Converts hours in 1/100 to JSON numbers. */
export const hoursNumber = (hours: number): number => scaledToNumber(BigInt(hours), HOURS_DECIMALS);
