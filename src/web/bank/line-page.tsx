/** The page of a bank line: what it says, what it may be, and the ways to leave it out and to make it open again. */
import { bookBankLines } from "../../features/receivables/bank-lines/book.ts";
import {
  type BankLineRow,
  getBankLine,
  paymentsOfLines,
} from "../../features/receivables/bank-lines/queries.ts";
import { restoreBankLine } from "../../features/receivables/bank-lines/restore.ts";
import { BankLinesBook } from "../../features/receivables/bank-lines/schemas.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { moneyOf } from "../parts/format.ts";
import { Day } from "../parts/values.tsx";
import { BANK, BOOK_LINES, LINE_PATH, lineAddress, otherAddress } from "./bank-addresses.ts";
import { BecomesShown } from "./becomes.tsx";
import { refusalIn } from "./book-dry-run.ts";
import { BookedAs } from "./lines-tab.tsx";
import { lineWords, useLineWords } from "./lines-words.ts";
import { useOtherWords } from "./other-words.ts";
import { type Becomes, suggestLines } from "./suggest-lines.ts";

export const linePages: readonly WebPage[] = [
  definePage(`GET ${LINE_PATH}`, "hidden", (request) => show(request, NO_FAULTS, 200)),
  definePage(`POST ${LINE_PATH}/leave-out`, "hidden", leaveOut),
  definePage(`POST ${LINE_PATH}/restore`, "hidden", async ({ cx, id }) => {
    await run(restoreBankLine, cx, { id });
    return { redirect: BANK, notice: { done: "bank_line_restored" } };
  }),
];

async function show(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const { language } = reader;
  const words = lineWords(language);
  const line = await getBankLine(cx, id);
  const { state, amount, currency } = line;
  const is_open = state === "open" && !isPaidInLedger(cx);
  const [suggested] = is_open ? await request.runLong(suggestLines, [id]) : [];
  const [payment] = (await paymentsOfLines(cx, [line])).values();
  const content = (
    <div class="stack">
      <Said line={line} />
      {is_open && <Choices line={line} becomes={suggested?.becomes ?? []} />}
      {is_open && <LeaveOut request={request} faults={faults} />}
      {state === "booked" && (
        <p class="card pad">
          <BookedAs payment={payment} />
        </p>
      )}
      {state === "ignored" && (
        <Form
          action={`${lineAddress(id)}/restore`}
          csrf={request.csrf(`${lineAddress(id)}/restore`)}
        >
          <Submit text={words.restore} back={{ href: BANK, text: words.to_lines }} />
        </Form>
      )}
      {state !== "ignored" && (
        <p class="buttons">
          <a class="button" href={BANK}>
            {words.to_lines}
          </a>
        </p>
      )}
    </div>
  );
  const shown = moneyOf(language, amount, currency);
  return { title: is_open ? words.line_title(shown) : words.line_of(shown), content, status };
}

/** Shows all that the bank says of a line. */
function Said({ line }: { line: BankLineRow }) {
  const { language } = useReader();
  const words = useLineWords();
  const { instructed_amount, instructed_currency } = line;
  const instructed =
    instructed_amount !== null && instructed_currency !== null
      ? moneyOf(language, instructed_amount, instructed_currency)
      : null;
  const facts = [
    [words.day, <Day day={line.date} />],
    [words.value_date, line.value_date && <Day day={line.value_date} />],
    [words.payer, line.counterparty_name],
    [words.payer_account, line.counterparty_account],
    [words.text, line.text],
    [words.reference, line.reference],
    [words.instructed, instructed],
    [words.state, words.states[line.state]],
    [words.reason, line.ignored_reason],
  ] as const;
  return (
    <Facts title={words.line} id="line">
      <FactList
        facts={facts.flatMap(([name, value]) =>
          value === null || value === "" ? [] : [{ name, value }],
        )}
      />
    </Facts>
  );
}

/** Shows what an open line may be, each with the way to book it. */
function Choices({ line, becomes }: { line: BankLineRow; becomes: readonly Becomes[] }) {
  const words = useLineWords();
  const others = useOtherWords();
  return (
    <Card title={words.choices} id="choices">
      <ul class="bank-choices pad">
        {becomes.length === 0 && (
          <li class="quiet">{line.amount < 0n ? words.money_out : words.no_suggestion}</li>
        )}
        {becomes.map((one) => (
          <li>
            <div>
              <BecomesShown becomes={one} />
            </div>
            <a class="button" href={`${BOOK_LINES}?${line.id}=${one.key}`}>
              {words.book_this}
            </a>
          </li>
        ))}
        <li>
          <a class="button" href={otherAddress(line.id)}>
            {becomes.length === 0 && line.amount > 0n ? others.choose : others.something_else}
          </a>
        </li>
      </ul>
    </Card>
  );
}

function LeaveOut({ request, faults }: { request: PageRequest; faults: Faults }) {
  const { words: all } = useReader();
  const words = useLineWords();
  const action = `${lineAddress(request.id)}/leave-out`;
  return (
    <Card title={words.leave_out} id="leave-out">
      <div class="pad">
        <FormFaults faults={faults} words={all.see_fields} />
        <p class="soft">{words.leave_out_text}</p>
        <Form action={action} csrf={request.csrf(action)}>
          <Entry
            name="reason"
            label={words.why}
            value={request.form.reason ?? ""}
            most={500}
            faults={faults}
            note={faults.has("reason") ? words.why_missing : undefined}
            is_required
          />
          <Submit text={words.leave_out_now} is_secondary />
        </Form>
      </div>
    </Card>
  );
}

async function leaveOut(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form } = request;
  await getBankLine(cx, id);
  const sent = { lines: [{ bank_line: id, ignore: form.reason?.trim() ?? "" }] };
  const blamed = "lines[0].ignore";
  const outcome = await submitted(BankLinesBook, sent, [blamed], {}, (body) =>
    run(bookBankLines, cx, body),
  );
  if ("faults" in outcome) {
    const { faults, status } = outcome;
    const fault = faults.get(blamed);
    return show(request, fault === undefined ? faults : new Map([["reason", fault]]), status);
  }
  const [became] = outcome.done.outcomes;
  const refusal = became === undefined ? null : refusalIn(became);
  if (refusal !== null) return show(request, new Map([["", refusal]]), 409);
  return { redirect: BANK, notice: { done: "bank_line_left_out" } };
}
