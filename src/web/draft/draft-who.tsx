/** Lets a person choose the assignees of a line, and their shares of it. */
import { useReader } from "../frame/reader.ts";
import { initials } from "../parts/initials.ts";
import type { LineFields } from "./draft-cell.tsx";
import { percentUnderstood } from "./draft-number.ts";
import type { Named } from "./draft-stored.ts";
import type { TypedAssignee, TypedLine } from "./draft-typed.ts";
import { Glyph } from "./glyph.tsx";
import { Popover } from "./popover.tsx";
import { ReadAs } from "./read-as.tsx";

type Props = LineFields & { readonly people: readonly Named[] };

/** The number of colours of faces. */
const COLOURS = 4;

export function Who(props: Props) {
  const { line, index, people } = props;
  const { words: all } = useReader();
  const words = all.draft;
  const assigned = line.assignees.map(({ user_id, share }) => {
    const at = people.findIndex(({ id }) => id === user_id);
    return { name: people[at]?.name ?? "–", share, colour: Math.max(0, at) % COLOURS };
  });
  const names = assigned.map(({ name }) => name);
  const shown = inShort(line, names, words.equal);
  const label = `${words.who}, ${words.line(index + 1)}`;
  if (names.length === 0) {
    return (
      <Popover
        class="who ember"
        label={`${label}: ${words.unassigned}`}
        face={
          <>
            <Glyph name="add_person" />
            {words.unassigned}
          </>
        }
        panel={() => <People {...props} />}
      />
    );
  }
  return (
    <Popover
      class="who"
      label={`${label}: ${names.length === 1 ? names[0] : `${shown}, ${names.join(", ")}`}`}
      face={
        <>
          <span class="faces" aria-hidden="true">
            {assigned.map(({ name, colour }, at) => (
              // The style shows the initials: as text they would be missing from the button's name.
              <span
                class="face"
                data-colour={colour}
                data-initials={initials(name)}
                title={name}
                key={`${at} ${name}`}
              />
            ))}
          </span>
          <span class="shares">{shown}</span>
        </>
      }
      panel={() => <People {...props} />}
    />
  );
}

/** Returns the first name of a single assignee, else the shares: `50 / 50`. Hours have no shares: each person has their own. */
function inShort({ method, assignees }: TypedLine, names: readonly string[], equal: string) {
  const first = names.map((name) => name.split(/\s/u)[0] ?? name);
  if (names.length === 1 || method === "hours") return first.join(", ");
  const shares = assignees.map(({ share }) => share);
  if (shares.every((share) => share !== "")) return shares.join(" / ");
  return names.length === 2 ? "50 / 50" : equal;
}

function People({ line, people, wrong, set }: Props) {
  const { words: all, language } = useReader();
  const words = all.draft;
  const { assignees } = line;
  const has_shares = line.method !== "hours" && assignees.length > 1;
  const change = (user_id: string, share: string) =>
    set({ assignees: assignees.map((one) => (one.user_id === user_id ? { ...one, share } : one)) });
  const toggle = (user_id: string, is_chosen: boolean) => {
    const others = assignees.filter((one) => one.user_id !== user_id);
    // Adding or removing a person resets the shares: they are equal until new ones are typed.
    const added: readonly TypedAssignee[] = is_chosen ? [{ user_id, share: "", rate: null }] : [];
    set({ assignees: [...others.map((one) => ({ ...one, share: "" })), ...added] });
  };
  return (
    <fieldset>
      <legend>{words.who}</legend>
      {people.map(({ id, name }) => {
        const own = assignees.find(({ user_id }) => user_id === id);
        return (
          <div class="row" key={id}>
            <label class="row small">
              <input
                type="checkbox"
                checked={own !== undefined}
                onInput={({ currentTarget }) => toggle(id, currentTarget.checked)}
              />
              {name}
            </label>
            {has_shares && own !== undefined && (
              <>
                <input
                  class="input soft num"
                  inputMode="decimal"
                  maxLength={8}
                  aria-label={words.share(name)}
                  placeholder="%"
                  value={own.share}
                  {...(wrong.has("assignees") ? { "aria-invalid": "true" as const } : {})}
                  onInput={({ currentTarget }) => change(id, currentTarget.value)}
                />
                <ReadAs typed={own.share} shown={percentUnderstood(language, own.share)} />
              </>
            )}
          </div>
        );
      })}
      {has_shares && <p class="tiny quiet">{words.alike}</p>}
    </fieldset>
  );
}
