/** Completes a milestone of an issued invoice on a day, after showing what that earns (spec 5.4). */
import { notFound } from "../../domain/base/problem.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { completeLine } from "../../features/sales/invoices/complete.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { CompleteBody } from "../../features/sales/invoices/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Form, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { ofSeen } from "../frame/seen.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { island as dayField } from "../parts/day-field.tsx";
import { FormFaults, Labelled } from "../parts/entry.tsx";
import { moneyOf } from "../parts/format.ts";
import { openMilestones } from "./issued-revenue.tsx";

const PATH = "/invoices/:id/complete/:line";

export const completePages: readonly WebPage[] = [
  definePage(
    `GET ${PATH}`,
    "person",
    ofSeen("invoice", (request) => confirmation(request, NO_FAULTS, 200)),
  ),
  definePage(`POST ${PATH}`, "person", ofSeen("invoice", complete)),
];

/** Where the day of a refusal stands. */
const BLAMES = { WORK_DATE_IN_FUTURE: "completed_on" } as const;

async function complete(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form } = request;
  const line_id = lineOf(request);
  const typed = { completed_on: dayAsked(request, form.completed_on) };
  const result = await submitted(CompleteBody, typed, ["completed_on"], BLAMES, (value) =>
    run(completeLine, cx, { ref, line_id, ...value }),
  );
  if ("faults" in result) return confirmation(request, result.faults, result.status);
  return { redirect: `/invoices/${ref}`, notice: { done: "milestone_completed" } };
}

function lineOf({ named }: PageRequest): string {
  if (!isId(named.line)) throw notFound("invoice_line", named.line ?? "");
  return named.line;
}

/** Returns the page with the effect of the completion; the invoice where the milestone is completed. */
async function confirmation(
  request: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf, form } = request;
  const line_id = lineOf(request);
  const here = `/invoices/${id}`;
  const { invoice } = await getInvoice(cx, id);
  const issued = await findIssued(cx, id);
  const line = issued?.snapshot.lines.find((one) => one.line_id === line_id);
  if (issued === undefined || line === undefined) throw notFound("invoice_line", line_id);
  const milestones = await openMilestones(cx, invoice);
  const open = milestones.find((one) => one.line_id === line_id);
  if (open === undefined && faults.size === 0) return { redirect: here };
  const { words: all, language } = reader;
  const words = all.milestones;
  const action = `${here}/complete/${line_id}`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <dl class="will">
        <dt>{words.line}</dt>
        <dd>{line.text}</dd>
        <dt>{words.earns}</dt>
        <dd>{words.earns_text(moneyOf(language, open?.earns ?? 0n, invoice.currency))}</dd>
      </dl>
      <Form action={action} csrf={csrf(action)}>
        <Labelled
          name="completed_on"
          label={words.day}
          faults={faults}
          field={(said) => (
            <Island
              of={dayField}
              with={{
                id: "completed_on",
                name: "completed_on",
                label: words.day,
                value: form.completed_on ?? todayFor(request),
                today: todayFor(request),
                is_required: true,
                ...said,
              }}
            />
          )}
        />
        <Submit text={words.complete_now} back={{ href: here, text: all.issuing.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.title, content, status };
}
