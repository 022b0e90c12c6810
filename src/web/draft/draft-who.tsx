/** Lets a person choose the assignees of a line, and their shares of it. */
import { useReader } from "../frame/reader.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Named } from "./draft-stored.ts";
import type { TypedAssignee, TypedLine } from "./draft-typed.ts";

interface Props {
  readonly line: TypedLine;
  readonly index: number;
  readonly people: readonly Named[];
  readonly wrong: ReadonlyMap<string, Refusal>;
  set(next: Partial<TypedLine>): void;
}

export function Who({ line, index, people, wrong, set }: Props) {
  const { words: all } = useReader();
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
    <details class="who">
      <summary
        class={assignees.length === 0 ? "ember" : undefined}
        aria-label={`${words.who}, ${words.line(index + 1)}: ${saidOf(assignees, people, words.unassigned)}`}
      >
        {saidOf(assignees, people, words.unassigned)}
      </summary>
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
              )}
            </div>
          );
        })}
        {has_shares && <p class="tiny quiet">{words.alike}</p>}
      </fieldset>
    </details>
  );
}

function saidOf(
  assignees: readonly TypedAssignee[],
  people: readonly Named[],
  unassigned: string,
): string {
  if (assignees.length === 0) return unassigned;
  return assignees
    .map(({ user_id, share }) => {
      const name = people.find(({ id }) => id === user_id)?.name ?? "–";
      return share === "" ? name : `${name} ${share} %`;
    })
    .join(", ");
}
