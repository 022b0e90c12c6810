/**
 * The changes of one resource, from the audit trail, for the page of the resource. A person who does not see the whole account gets
 * those in their own name (spec 7.1).
 */
import { namesOf } from "../../features/settings/audit/find-names.ts";
import { readEvents } from "../../features/settings/audit/queries.ts";
import { Moment } from "../frame/form.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { Changes, idsOfValues, type NamesOfValues } from "../parts/changes.tsx";
import { eventFrom, idsIn, type ShownEvent, shownEvent } from "./words.ts";

/** An event, with the name of the assistant that acted. */
export type EventRow = ShownEvent & { readonly assistant: string | null };

interface ChangesAsked {
  readonly types: readonly string[];
  readonly ids: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Changes in words, the newest first, with the names of the ids in their values. */
export interface ResourceChanges {
  readonly rows: readonly EventRow[];
  readonly names: NamesOfValues;
  readonly next_cursor: string | null;
}

/** Returns the changes of resources. Throws VALIDATION_FAILED for a cursor that this service did not issue. */
export async function changesOf(
  { cx, reader }: Pick<PageRequest, "cx" | "reader">,
  { types, ids, limit, cursor }: ChangesAsked,
): Promise<ResourceChanges> {
  const own = isAdmin(cx) ? null : cx.caller.person.user_id;
  const { events, next_cursor } = await readEvents(cx, {
    limit,
    cursor,
    resource_types: types,
    resource_ids: ids,
    ...(own === null ? {} : { actor: own }),
  });
  const recorded = events.map(({ payload, grant_id }) => ({ event: eventFrom(payload), grant_id }));
  const named = recorded.flatMap(({ event, grant_id }) => [
    ...idsIn(event),
    ...idsOfValues(shownEvent(event, new Map(), reader).changes),
    ...(grant_id === null ? [] : [grant_id]),
  ]);
  const names = await namesOf(cx, named, own, reader.words.activity.names);
  const rows = recorded.map(({ event, grant_id }) => ({
    ...shownEvent(event, names, reader),
    assistant: names.get(grant_id ?? "") ?? null,
  }));
  return { rows, names, next_cursor };
}

/** Shows changes as a list for a narrow column: who did what and when, and the fields that changed. */
export function ChangeList({ changes: { rows, names } }: { changes: ResourceChanges }) {
  const { activity: words } = useReader().words;
  if (rows.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <ul class="change-list">
      {rows.map(({ at, who, assistant, action, type, changes, reason }) => (
        <li>
          <span>
            <span class="strong">{who}</span> {action} {type}
            {assistant !== null && <span class="quiet"> {words.through(assistant)}</span>}
          </span>
          <span class="quiet small">
            <Moment at={at} />
          </span>
          {reason !== null && <span class="quiet small">{reason}</span>}
          {changes.length > 0 && (
            <details>
              <summary class="small quiet">{words.fields(changes.length)}</summary>
              <Changes changes={changes} names={names} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
