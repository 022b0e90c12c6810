/** Compares two versions of a resource field by field. */

/** A field that differs, by its path such as `lines[0].agreed_value`; null where the resource did not have it. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the differences between two versions of a resource as its JSON states it; null for a resource that does not exist
 * before or after: then all its fields that are not empty. Leaves out its kind, id and times of writing.
 */
export function fieldChanges(before: Fields | null, after: Fields | null): FieldChange[] {
  const changes: FieldChange[] = [];
  const [was, is] = [shownFields(before), shownFields(after)];
  if (before === null || after === null) {
    for (const [field, value] of Object.entries(after === null ? was : is)) {
      if (value === null || (Array.isArray(value) && value.length === 0)) continue;
      changes.push(
        after === null
          ? { field, before: value, after: null }
          : { field, before: null, after: value },
      );
    }
    return changes;
  }
  walk(changes, "", was, is);
  return changes;
}

function walk(changes: FieldChange[], field: string, was: unknown, is: unknown): void {
  if (JSON.stringify(was) === JSON.stringify(is)) return;
  if (Array.isArray(was) && Array.isArray(is)) {
    for (let index = 0; index < Math.max(was.length, is.length); index += 1) {
      walk(changes, `${field}[${index}]`, was[index], is[index]);
    }
    return;
  }
  if (isFields(was) && isFields(is)) {
    const within = field === "" ? "" : `${field}.`;
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      walk(changes, `${within}${key}`, was[key], is[key]);
    }
    return;
  }
  changes.push({ field, before: was ?? null, after: is ?? null });
}

function shownFields(resource: Fields | null): Fields {
  const { object: _, created_at: __, updated_at: ___, id: ____, ...fields } = resource ?? {};
  return fields;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
