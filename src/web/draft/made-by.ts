/** Says below the title of a draft who made it and when. */
import { dayIn } from "../../domain/base/calendar.ts";
import { findMaker, type Maker } from "../../features/settings/audit/find-maker.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { PageReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { dayOf } from "../parts/format.ts";

/** Returns the sentence; null for a draft whose making the audit trail does not have. */
export async function madeBy(
  cx: PersonReader,
  id: string,
  reader: PageReader,
): Promise<string | null> {
  const maker = await findMaker(cx, "invoice", id);
  return maker === undefined ? null : makerInWords(maker, reader, isAdmin(cx));
}

/** Returns the sentence about a maker. The names of keys are for people who see the whole account. */
export function makerInWords(
  { at, kind, name, assistant }: Maker,
  { words: all, language, time_zone }: Pick<PageReader, "words" | "language" | "time_zone">,
  sees_all: boolean,
): string {
  const { activity, draft_made: words } = all;
  const byKind: Readonly<Record<Maker["kind"], () => string>> = {
    user: () => (assistant === null ? (name ?? "–") : words.through(name ?? "–", assistant)),
    api_key: () => (sees_all && name !== null ? activity.api_key(name) : words.program),
    scheduler: () => activity.scheduler,
    operator: () => activity.operator,
  };
  return words.made(byKind[kind](), dayOf(language, dayIn(time_zone ?? "UTC", at)));
}
