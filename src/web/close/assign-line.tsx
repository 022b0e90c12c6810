/** The page that chooses who earned a line, from the close of a month: its revenue would count for no person. */
import { scopes } from "../../domain/series/series.ts";
import { assignable } from "../draft/draft-facts.ts";
import type { Named } from "../draft/draft-stored.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { periodName } from "../parts/period.ts";
import { Select } from "../parts/select.tsx";
import { assignedLine, assignPeople, PEOPLE } from "./assigned-line.ts";
import { seenMonth } from "./close.tsx";

const PATH = "/close/:month/assign";

export const assignLinePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) => form(request, request.query, NO_FAULTS, 200)),
  definePage(`POST ${PATH}`, "hidden", assign),
];

async function assign(request: PageRequest): Promise<PageAnswer> {
  const { cx, form: typed, named } = request;
  const { month } = await seenMonth(cx, named.month);
  const line = await assignedLine(cx, typed);
  if (line.kind === "issued") return form(request, typed, NO_FAULTS, 409);
  const people = await assignable(cx);
  const chosen = people.filter(({ id }) => typed[`who_${id}`] === "on").map(({ id }) => id);
  const outcome = await assignPeople(cx, line, chosen, typed);
  if ("faults" in outcome) return form(request, typed, outcome.faults, outcome.status);
  return { redirect: `/close/${month}`, notice: { done: "line_assigned", of: line.text } };
}

async function form(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, reader, csrf, named } = request;
  const { month } = await seenMonth(cx, named.month);
  const [line, people] = await Promise.all([assignedLine(cx, typed), assignable(cx)]);
  const { words: all, language } = reader;
  const words = all.assigning;
  const action = `/close/${month}/assign`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      {line.kind === "issued" ? (
        <p>{words.issued_text}</p>
      ) : (
        <>
          <p class="soft">{words.text}</p>
          <Form action={action} csrf={csrf(action)}>
            <input type="hidden" name="line" value={typed.line} />
            {line.kind === "draft" && (
              <>
                <input type="hidden" name="invoice" value={line.invoice_id} />
                <input type="hidden" name="seen" value={line.seen} />
              </>
            )}
            <People people={people} typed={typed} faults={faults} />
            {line.kind === "retainer" && (
              <Select
                name="scope"
                label={words.scope}
                value={typed.scope ?? "this_and_following"}
                options={scopes.map((scope) => [
                  scope,
                  words.scopes[scope](periodName(language, line.period.key)),
                ])}
                faults={faults}
              />
            )}
            <Submit text={words.assign} />
          </Form>
        </>
      )}
      <p class="buttons">
        <a class="button" href={`/close/${month}`}>
          {all.close.not_yet}
        </a>
      </p>
    </div>
  );
  return { title: words.title(line.text), content, status };
}

function People(props: { people: readonly Named[]; typed: TypedFields; faults: Faults }) {
  const { people, typed, faults } = props;
  const { assigning: words, close } = useReader().words;
  const is_missing = faults.has(PEOPLE);
  return (
    <div class="who-fields">
      <fieldset {...(is_missing && { "aria-describedby": `${PEOPLE}-fault` })}>
        <legend class="unseen">{close.who}</legend>
        {people.map(({ id, name }) => (
          <label class="row" key={id}>
            <input type="checkbox" name={`who_${id}`} checked={typed[`who_${id}`] === "on"} />
            {name}
          </label>
        ))}
        {is_missing && (
          <p class="fault" id={`${PEOPLE}-fault`}>
            {words.choose_one}
          </p>
        )}
      </fieldset>
    </div>
  );
}
