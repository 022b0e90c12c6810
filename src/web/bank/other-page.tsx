/**
 * The page on which a person says what a bank line is, where no suggestion fits: what of a customer it pays or gives back, or which
 * payment came back by it. It works without scripts: one button shows the entries, one books them.
 */

import type { BookedLineInput } from "../../features/receivables/bank-lines/schemas.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { run } from "../../platform/commands/command.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { NO_FAULTS, refusedBy } from "../frame/submitted.ts";
import { dayOf, moneyOf } from "../parts/format.ts";
import { accountNames } from "../payments/entry-table.tsx";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { BANK, lineAddress, OTHER_PATH, otherAddress } from "./bank-addresses.ts";
import { refusalIn } from "./book-dry-run.ts";
import { bodyOf, choiceOf, choosesNothing, chosenIn, type OtherChoice } from "./other-choice.ts";
import { bookOther, type OtherAhead, otherAhead } from "./other-dry-run.ts";
import { CustomerQuestion, OtherEffect, OtherForm } from "./other-form.tsx";
import { otherWords } from "./other-words.ts";

export const otherPages: readonly WebPage[] = [
  definePage(`GET ${OTHER_PATH}`, "hidden", (request) => show(request, request.query, null, 200)),
  definePage(`POST ${OTHER_PATH}`, "hidden", book),
];

async function show(
  request: PageRequest,
  fields: PageRequest["query"],
  refused: Refusal | "changed" | null,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf } = request;
  const { words: all, language } = reader;
  const words = otherWords(language);
  const choice = await choiceOf(request, fields);
  const { line, customer } = choice;
  if (line.state !== "open" || isPaidInLedger(cx)) return { redirect: lineAddress(id) };
  const wants = customer.id !== undefined && fields.step !== undefined;
  const is_empty = wants && choosesNothing(choice);
  const outcome = wants && !is_empty ? bodyOf(request, choice) : null;
  const faults = outcome !== null && "faults" in outcome ? outcome.faults : NO_FAULTS;
  const ahead = outcome !== null && "body" in outcome ? await aheadOf(request, outcome.body) : null;
  const why = refused ?? ahead?.refused ?? faults.get("") ?? null;
  const path = otherAddress(id);
  const refusal = why === null ? undefined : why === "changed" ? words.changed : all.refused(why);
  const said = is_empty ? words.nothing_out : refusal;
  const content = (
    <div class="stack">
      <Fault text={said} />
      {customer.id === undefined ? (
        <CustomerQuestion line={line} asked={customer} />
      ) : (
        <OtherForm choice={choice} faults={faults} />
      )}
      {ahead !== null && ahead.refused === null && (
        <OtherEffect choice={choice} ahead={ahead} accounts={await accountNames(cx)}>
          <Form action={path} csrf={csrf(path)}>
            {Object.entries(chosenIn(fields)).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <input type="hidden" name="token" value={ahead.token} />
            <Submit text={words.book(amountOf(choice, language))} />
          </Form>
        </OtherEffect>
      )}
      <p class="buttons">
        <a class="button" href={lineAddress(id)}>
          {all.issuing.not_yet}
        </a>
      </p>
    </div>
  );
  const is_wrong = said !== undefined || faults.size > 0;
  const said_by_bank = [dayOf(language, line.date), line.counterparty_name, line.text];
  return {
    title: words.title(amountOf(choice, language)),
    lead: said_by_bank.filter(Boolean).join(" · "),
    content,
    status: status === 200 && is_wrong ? 422 : status,
  };
}

async function aheadOf({ cx }: PageRequest, body: BookedLineInput): Promise<OtherAhead> {
  try {
    return await otherAhead(cx, body);
  } catch (thrown) {
    return { entries: [], refused: refusalOf(refusedBy(thrown)), token: "" };
  }
}

function amountOf({ line }: OtherChoice, language: PageRequest["reader"]["language"]): string {
  return moneyOf(language, line.amount, line.currency);
}

async function book(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const choice = await choiceOf(request, form);
  const outcome = bodyOf(request, choice);
  if (choice.customer.id === undefined || "faults" in outcome)
    return show(request, form, null, 422);
  try {
    const done = await run(bookOther, cx, { lines: [outcome.body], token: form.token ?? "" });
    const [became] = done.outcomes;
    const refused = became === undefined ? null : refusalIn(became);
    if (refused !== null) return show(request, form, refused, 409);
  } catch (thrown) {
    const problem = refusedBy(thrown);
    const is_stale = problem.code === "PLAN_STALE";
    return show(request, form, is_stale ? "changed" : refusalOf(problem), 409);
  }
  return { redirect: BANK, notice: { done: "bank_lines_booked", of: "1" } };
}
