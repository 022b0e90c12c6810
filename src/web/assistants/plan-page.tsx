/** The page of an assistant's plan: its words, and the person's decision. It belongs to its person alone, admins included. */
import type { FieldChange } from "../../domain/base/field-changes.ts";
import { type Problem, problemCatalogue } from "../../domain/base/problem.ts";
import {
  DECLINED,
  declinePlan,
  getPlan,
  type ShownPlan,
} from "../../features/access/oauth/resolve-plan.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import { run } from "../../platform/commands/command.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import { Changes, idsOfValues, type NamesOfValues } from "../parts/changes.tsx";
import { type CuredDocument, cureOfRefusal } from "../parts/cures.ts";
import { Facts, Warnings, WithCure } from "../parts/facts.tsx";
import { wayTo } from "../parts/ways.ts";
import type { Words } from "../words/en.ts";
import { refusalOf } from "../words/refusal.ts";
import { curedByPlan, cureOfCommit, cureOfPlanned } from "./plan-cures.ts";
import { PlanSentence } from "./plan-sentence.tsx";

const PATH = "/assistants/plans/:plan";

export const planPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", (request) => shown(request, null)),
  definePage(`POST ${PATH}/commit`, "person", (request) =>
    decided(request, "plan_done", async (id) => {
      const { plan_commit } = request.services;
      if (plan_commit === null) throw new Error("pages cannot carry out plans here");
      await request.runLong(plan_commit, { plan_id: id });
    }),
  ),
  definePage(`POST ${PATH}/decline`, "person", (request) =>
    decided(request, "plan_declined", (id) => run(declinePlan, request.cx, { id })),
  ),
];

/** Does what the person decided, and leads to the page of the plan, which says what has become of it. */
async function decided(
  request: PageRequest,
  done: "plan_done" | "plan_declined",
  work: (id: string) => Promise<void>,
): Promise<PageAnswer> {
  const { id } = await getPlan(request.cx, request.named.plan ?? "");
  const here = `/assistants/plans/${id}`;
  try {
    await work(id);
  } catch (thrown) {
    const problem = refusedBy(thrown);
    // Another click, or the assistant, was first: the page says what became of the plan.
    if (problem.code === "PLAN_ALREADY_COMMITTED") return { redirect: here };
    return shown(request, problem);
  }
  return { redirect: here, notice: { done } };
}

/** Returns the page of the plan. `refused` is why the person's decision has just been refused. */
async function shown(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { cx, named, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.assistants;
  const plan = await getPlan(cx, named.plan ?? "");
  const names = await namesIn(request, plan);
  const document = plan.state === "committed" ? null : await curedByPlan(cx, plan);
  const here = `/assistants/plans/${plan.id}`;
  const is_open = plan.state === "open" && !plan.is_expired;
  const content = (
    <div class="stack">
      {refused !== null && (
        <p class="notice bad" role="alert">
          <WithCure text={all.refused(refusalOf(refused))} cure={cureOfCommit(refused, document)} />
        </p>
      )}
      <State plan={plan} is_admin={isAdmin(cx)} is_refused={refused !== null} document={document} />
      <PlanInWords plan={plan} names={names} document={document} />
      <div class="buttons">
        <a class="button" href="/assistants">
          {is_open ? words.not_yet : words.back}
        </a>
        {is_open && (
          <Form action={`${here}/decline`} csrf={csrf(`${here}/decline`)}>
            <button type="submit" class="button">
              {words.decline}
            </button>
          </Form>
        )}
        {(is_open || plan.state === "begun") && (
          <Form action={`${here}/commit`} csrf={csrf(`${here}/commit`)}>
            <button type="submit" class="button main">
              {is_open ? words.do_it : words.ask_again}
            </button>
          </Form>
        )}
      </div>
    </div>
  );
  return {
    title: words.kinds[plan.kind] ?? words.planned_change,
    ...(is_open && { lead: words.planned_by(plan.client_name) }),
    content,
    status: refused === null ? 200 : 409,
  };
}

async function namesIn({ cx, reader }: PageRequest, plan: ShownPlan): Promise<NamesOfValues> {
  const ids = idsOfValues(plan.words.changes);
  if (ids.length === 0) return new Map();
  const viewer = isAdmin(cx) ? null : cx.caller.person.user_id;
  return namesOf(cx, ids, viewer, reader.words.activity.names);
}

/** Says what has become of the plan, and leads to its result. */
function State(props: {
  plan: ShownPlan;
  is_admin: boolean;
  is_refused: boolean;
  document: CuredDocument | null;
}) {
  const { plan, is_admin, is_refused, document } = props;
  const { words: all } = useReader();
  const words = all.assistants;
  const { state, is_expired, minutes_left, ended_by, result } = plan;
  if (state === "open" && !is_expired) return <p class="soft">{words.expires(minutes_left)}</p>;
  if (state === "begun") return <p class="note-warn">{words.begun}</p>;
  if (state === "open") return <p class="note-warn">{words.expired}</p>;
  if (state === "committed") {
    const way = result && wayTo(result.resource_type, result.id, is_admin);
    return (
      <p role="status">
        {words.committed} {way && <a href={way}>{words.see_result}</a>}
      </p>
    );
  }
  if (ended_by === DECLINED) return <p class="note-warn">{words.declined}</p>;
  // The refusal that has just ended it is above.
  if (is_refused) return null;
  const code = ended_by as Problem["code"];
  const cure = document === null ? null : cureOfRefusal({ code, extras: {} }, document);
  return (
    <p class="note-warn">
      <WithCure text={words.ended(reasonOf(ended_by, all))} cure={cure} />
    </p>
  );
}

/** Returns the sentence of the refusal that ended the plan. */
function reasonOf(code: string | null, words: Words): string {
  const problem = problemCatalogue().find((one) => one.code === code);
  return problem === undefined ? words.faults.failed : words.refused(problem);
}

function PlanInWords(props: {
  plan: ShownPlan;
  names: NamesOfValues;
  document: CuredDocument | null;
}) {
  const { plan, names, document } = props;
  const { words: all, language } = useReader();
  const words = all.assistants;
  const { changes, effects, warnings } = plan.words;
  const is_in_english =
    language !== "en" &&
    [plan.summary, ...effects, ...warnings].some((one) => words.sentence(one) === one);
  return (
    <Facts title={words.plan} id="plan">
      <p>
        <strong>
          <PlanSentence text={plan.summary} />
        </strong>
      </p>
      {is_in_english && <p class="small quiet">{words.in_english}</p>}
      {changes.length > 0 && (
        <>
          <h3>{words.changes}</h3>
          <Changes changes={changes.map((one) => changeIn(all, one))} names={names} />
        </>
      )}
      {effects.length > 0 && (
        <>
          <h3>{words.effects}</h3>
          <ul>
            {effects.map((effect) => (
              <li>
                <PlanSentence text={effect} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Warnings
        title={words.warnings}
        sentences={warnings.map((stored) => ({
          text: words.sentence(stored),
          cure: cureOfPlanned(stored, plan.words, document),
        }))}
      />
    </Facts>
  );
}

/** Returns a change as the reader is shown it: the remainder of a line is a sentence with amounts, all others are fields. */
function changeIn({ assistants }: Words, change: FieldChange): FieldChange {
  if (!/^(?:remainder|left) of "/.test(change.field)) return change;
  const { field, before, after } = change;
  const shown = (value: unknown) => assistants.sentence(String(value));
  return { field: shown(field), before: shown(before), after: shown(after) };
}
