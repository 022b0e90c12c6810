/**
 * Forms over the configuration: each field has the name of its path in the configuration, and a kind that says how its text is
 * read. A refusal of the command is shown at its field.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import {
  getConfiguration,
  getNumbering,
  presentConfiguration,
} from "../../features/settings/configuration/queries.ts";
import { changeConfiguration } from "../../features/settings/configuration/save.ts";
import { ConfigurationUpdate } from "../../features/settings/configuration/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { todayFor } from "../frame/day-asked.ts";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { type Faults, submitted } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import { plainNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Language } from "../words/words.ts";

/**
 * How a field's text is read: `text` and `day` are null where it is empty; `number` is left out and `some_number` null where it is
 * empty.
 */
type FieldKind = "text" | "word" | "number" | "some_number" | "flag" | "day";
export type FieldKinds = Readonly<Record<string, FieldKind>>;

/** Returns the stored values of the fields as the form shows them. */
export async function storedFields(
  cx: PersonContext,
  language: Language,
  kinds: FieldKinds,
): Promise<TypedFields> {
  const text = presentConfiguration(cx, await getConfiguration(cx), await getNumbering(cx));
  const configuration = JSON.parse(text) as unknown;
  return Object.fromEntries(
    Object.keys(kinds).map((path) => {
      const value = valueAt(configuration, path);
      if (value === null || value === undefined) return [path, ""];
      return [path, typeof value === "number" ? plainNumber(language, value) : String(value)];
    }),
  );
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null
          ? (inner as Readonly<Record<string, unknown>>)[name]
          : undefined,
      value,
    );
}

/**
 * Changes the configuration by the fields that were sent. Leads to the page with a notice, or shows the form again with what was
 * typed and the faults by field. `blames` are the fields of refusals that name none.
 */
export async function saveFields(
  request: PageRequest,
  place: string,
  kinds: FieldKinds,
  blames: Parameters<typeof submitted>[3],
  show: (typed: TypedFields, faults: Faults, status: number) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { cx, form, reader } = request;
  const changes = changesFrom(form, kinds, reader.language, todayFor(request));
  const names = Object.keys(kinds);
  let locked = "";
  const outcome = await submitted(ConfigurationUpdate, changes, names, blames, async (sent) => {
    try {
      return await run(changeConfiguration, cx, sent);
    } catch (error) {
      if (error instanceof Problem && error.code === "CONFIGURATION_LOCKED") {
        locked = String(error.extras.details?.field ?? "");
      }
      throw error;
    }
  });
  if ("done" in outcome) return { redirect: place, notice: { done: "settings_saved" } };
  const blamed = names.find((name) => name === locked || name.startsWith(`${locked}.`));
  const refusal = outcome.faults.get("");
  const faults =
    locked !== "" && blamed !== undefined && refusal !== undefined
      ? new Map([[blamed, refusal]])
      : outcome.faults;
  return show(form, faults, outcome.status);
}

/** Returns the fields that were sent, as the nested body of the command. */
function changesFrom(
  form: TypedFields,
  kinds: FieldKinds,
  language: Language,
  today: CalendarDate,
): object {
  const changes: Record<string, unknown> = {};
  for (const [path, kind] of Object.entries(kinds)) {
    const typed = form[path];
    if (typed === undefined) continue;
    const value = valueFrom(typed.trim(), kind, language, today);
    if (value === undefined) continue;
    const names = path.split(".");
    const last = names.pop() ?? path;
    let inner = changes;
    for (const name of names) {
      inner[name] ??= {};
      inner = inner[name] as Record<string, unknown>;
    }
    inner[last] = value;
  }
  return changes;
}

function valueFrom(
  typed: string,
  kind: FieldKind,
  language: Language,
  today: CalendarDate,
): unknown {
  switch (kind) {
    case "flag":
      return typed === "true";
    case "text":
      return typed === "" ? null : typed;
    case "day":
      return readDay(typed, today) === undefined ? typed : readDay(typed, today);
    case "word":
      return typed;
    case "number":
      return numberFrom(language, typed);
    case "some_number":
      return numberFrom(language, typed) ?? null;
  }
}
