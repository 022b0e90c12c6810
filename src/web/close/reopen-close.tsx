/** Reopens the latest closed month. The person types the month, because documents can be dated in it again. */
import * as z from "zod";
import { firstDayOf, type Month } from "../../domain/base/calendar.ts";
import { invalidField } from "../../domain/base/problem.ts";
import { reasonText } from "../../features/revenue/accruals/schemas.ts";
import { countsOf } from "../../features/revenue/closes/queries.ts";
import { reopenClose } from "../../features/revenue/closes/reopen-close.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { dayInStyle, monthOf } from "../parts/format.ts";
import { seenMonth } from "./close.tsx";

const PATH = "/close/:month/reopen";
const FIELDS = ["typed", "reason"];

export const reopenClosePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) => confirmation(request, NO_FAULTS, 200)),
  definePage(`POST ${PATH}`, "hidden", reopen),
];

const Typed = z.object({ typed: z.string(), reason: reasonText });

async function reopen(request: PageRequest): Promise<PageAnswer> {
  const { cx, form, named } = request;
  const { month } = await seenMonth(cx, named.month);
  const { typed = "", reason = "" } = form;
  const result = await submitted(Typed, { typed, reason }, FIELDS, {}, async (value) => {
    if (!names(request, month, value.typed)) {
      throw invalidField("typed", "invalid_value", "This is not the month.");
    }
    return run(reopenClose, cx, { month, body: { reason: value.reason } });
  });
  if ("faults" in result) return confirmation(request, result.faults, result.status);
  return {
    redirect: `/close/${month}`,
    notice: { done: "month_reopened", of: monthOf(request.reader.language, month) },
  };
}

/** Whether the typed text names the month: `October`, `October 2026` or `2026-10`, in the reader's language. */
function names({ reader }: PageRequest, month: Month, typed: string): boolean {
  const { language } = reader;
  const text = typed.trim().toLowerCase();
  const accepted = [month, monthOf(language, month), nameOf(language, month)];
  return accepted.some((one) => one.toLowerCase() === text);
}

const nameOf = (language: PageRequest["reader"]["language"], month: Month): string =>
  dayInStyle(language, firstDayOf(month), "month");

async function confirmation(
  request: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, named, reader, form, csrf } = request;
  const { month, close, state, is_followed } = await seenMonth(cx, named.month);
  const here = `/close/${month}`;
  const may_reopen = state === "closed" && !is_followed && close !== undefined;
  if (close === undefined || (!may_reopen && faults.size === 0)) return { redirect: here };
  const { words: all, language } = reader;
  const { close: words, reopening } = all;
  const { with_voucher } = await countsOf(cx, close);
  const action = `${here}/reopen`;
  const name = nameOf(language, month);
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <p>{reopening.text(name, with_voucher)}</p>
      <Form action={action} csrf={csrf(action)}>
        <Entry
          name="typed"
          label={reopening.type_month(name)}
          value={form.typed ?? ""}
          faults={faults}
          note={faults.has("typed") ? reopening.wrong_month(name) : undefined}
          is_required
        />
        <Entry
          name="reason"
          label={words.reason}
          value={form.reason ?? ""}
          most={500}
          faults={faults}
          is_required
        />
        <Submit text={reopening.reopen_now(name)} back={{ href: here, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: reopening.title(monthOf(language, month)), content, status };
}
