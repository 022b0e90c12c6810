/** The page of the checks of the books: what each check examined, what it found, and when. A person can run them now. */
import { firstEntryDate, lastVerification } from "../../features/ledger/verification/queries.ts";
import type { Check, Verification } from "../../features/ledger/verification/schemas.ts";
import { findVerification } from "../../features/ledger/verification/verify.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { dayOf, wholeNumberOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

const PATH = `${LEDGER}/verification` as const;

/** Checks the books now, always outside of the serving thread: a check reads every event, entry and document. */
export const verifyNow = defineLongWork({
  name: "pages.verify_books",
  is_read: true,
  work: async (cx: PersonContext, _input: null): Promise<boolean> => {
    if (cx.leaves_if_long) throw new TakesLong();
    return (JSON.parse(await findVerification(cx, true)) as Verification).ok;
  },
});

export const verificationPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", show),
  definePage(`POST ${PATH}`, "hidden", async ({ runLong }) => {
    const is_ok = await runLong(verifyNow, null);
    return { redirect: PATH, notice: { done: is_ok ? "books_checked" : "books_faulty" } };
  }),
];

async function show({ cx, csrf, reader }: PageRequest): Promise<PageAnswer> {
  const { words: all, language } = reader;
  const words = all.ledger_checks;
  const [last, since] = await Promise.all([lastVerification(cx), firstEntryDate(cx)]);
  const journal = last?.checks.find(({ name }) => name === "journal");
  const is_whole = journal?.ok === true && since !== null;
  const content = (
    <>
      <LedgerTabs at="verification" elsewhere={otherBooks(cx)} />
      {is_whole && (
        <p class="strong">
          {words.unbroken(wholeNumberOf(language, journal.checked), dayOf(language, since))}
        </p>
      )}
      {last === null ? <p class="card pad soft">{words.none_yet}</p> : <Checks last={last} />}
    </>
  );
  const actions = (
    <Form action={PATH} csrf={csrf(PATH)}>
      <Submit text={words.run_now} />
    </Form>
  );
  return { title: all.ledger.tabs.verification, lead: words.lead, content, actions };
}

function Checks({ last }: { last: Verification }) {
  const { words: all, language } = useReader();
  const words = all.ledger_checks;
  return (
    <>
      <List<Check>
        label={all.ledger.tabs.verification}
        rows={last.checks}
        empty={null}
        columns={[
          {
            head: words.check,
            fold: "lead",
            cell: ({ name }) => (
              <>
                <span>{words.checks[name]}</span>
                <small class="quiet means">{words.means[name]}</small>
              </>
            ),
          },
          {
            head: words.result,
            fold: "end",
            cell: ({ ok, faults }) => (
              <Pill kind={ok ? "ok" : "bad"}>{ok ? words.ok : words.faults(faults.length)}</Pill>
            ),
          },
          {
            head: words.examined,
            kind: "number",
            cell: ({ checked }) => wholeNumberOf(language, checked),
          },
          { head: words.when, cell: () => <Moment at={last.checked_at} /> },
        ]}
      />
      {last.checks
        .filter(({ faults }) => faults.length > 0)
        .map(({ name, faults }) => (
          <Card key={name} title={words.checks[name]} id={name}>
            <ul class="pad faults" lang="en">
              {faults.map(({ at, what }) => (
                <li key={at}>
                  {at}: {what}
                </li>
              ))}
            </ul>
          </Card>
        ))}
    </>
  );
}
