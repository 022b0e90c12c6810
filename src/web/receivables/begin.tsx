/**
 * The page that begins receivables in an account with documents from before: which of them are still open, and the entry that settles
 * the others. The confirmation does what was shown.
 */
import { Problem } from "../../domain/base/problem.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { Fault } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { Faults } from "../frame/submitted.ts";
import { dayOf } from "../parts/format.ts";
import { refusalOf } from "../words/refusal.ts";
import { addressOf, type BeginChoice, choiceIn } from "./begin-choice.ts";
import { type BeginShown, beginDryRun, beginningAsShown } from "./begin-dry-run.ts";
import { BeginEffect } from "./begin-effect.tsx";
import { BeginFields } from "./begin-fields.tsx";

export const BEGIN = "/receivables/begin";

export const beginPages: readonly WebPage[] = [
  definePage(`GET ${BEGIN}`, "hidden", (request) => show(request, null)),
  definePage(`POST ${BEGIN}`, "hidden", begin),
];

async function begin(request: PageRequest): Promise<PageAnswer> {
  const { reader, runLong, form } = request;
  const { sent } = await choiceIn(request, "");
  if (sent === null) return { redirect: BEGIN };
  try {
    await runLong(beginningAsShown, { sent, digest: form.digest ?? "" });
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code === "NOT_FOUND") throw thrown;
    return show(request, thrown);
  }
  const of = dayOf(reader.language, sent.date);
  return { redirect: "/receivables", notice: { done: "receivables_begun", of } };
}

/** Shows the choice and what it would do. `refused` is the refusal of the confirmation. */
async function show(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { cx, reader, query, csrf } = request;
  const { words: all, language } = reader;
  const words = all.begin;
  const title = words.title;
  if (isPaidInLedger(cx)) {
    const name = ledgerTitle(cx.ledger);
    return { title, content: <p class="card pad">{all.receivables.in_ledger(name)}</p> };
  }
  const { receivables_begun_on: begun_on, functional_currency } = await getConfiguration(cx);
  if (begun_on !== null) {
    const said = words.begun(dayOf(language, begun_on));
    return { title, content: <p class="card pad">{said}</p> };
  }
  await request.takeHeavyPlace();
  const chart = await wholeChart(cx, false);
  const usual = chart.find(({ type }) => type === "equity");
  const choice = await choiceIn(request, String(usual?.number ?? ""));
  const looked = await lookedAt(request, choice);
  const faults: Faults = new Map([...choice.faults, ...looked.faults]);
  const address = addressOf(BEGIN, query);
  const is_stale = refused?.code === "PLAN_STALE";
  const general = refused !== null && !is_stale ? refusalOf(refused) : looked.faults.get("");
  const content = (
    <div class="receivables">
      {is_stale && <Fault text={words.changed} />}
      {general !== undefined && <Fault text={all.refused(general)} />}
      <BeginFields action={BEGIN} choice={choice} faults={faults} chart={chart} />
      {looked.shown !== null && (
        <BeginEffect
          shown={looked.shown}
          currency={functional_currency}
          accounts={new Map(chart.map(({ number, name }) => [number, name]))}
          action={address}
          csrf={csrf(address)}
        />
      )}
    </div>
  );
  const status = refused !== null ? 409 : faults.size > 0 ? 422 : 200;
  return { title, lead: words.lead, content, status };
}

/** Returns what the choice would do, or why it is refused, by field. */
async function lookedAt(
  { runLong }: PageRequest,
  { sent }: BeginChoice,
): Promise<{ readonly shown: BeginShown | null; readonly faults: Faults }> {
  if (sent === null) return { shown: null, faults: new Map() };
  try {
    return { shown: await runLong(beginDryRun, sent), faults: new Map() };
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code === "NOT_FOUND") throw thrown;
    const { field_errors } = thrown.extras;
    if (field_errors !== undefined) {
      const known = field_errors.map((error) => [FIELDS[error.field] ?? "", error] as const);
      return { shown: null, faults: new Map(known) };
    }
    return { shown: null, faults: new Map([[BLAMED[thrown.code] ?? "", refusalOf(thrown)]]) };
  }
}

/** The fields of the form by those of the command. */
const FIELDS: Readonly<Record<string, string>> = { date: "date", counter_account: "account" };
const BLAMED: Readonly<Record<string, string>> = {
  PERIOD_LOCKED: "date",
  PAYMENT_DATE_IN_FUTURE: "date",
};
