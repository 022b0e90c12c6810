/** Confirms the activation of a retainer: asks what happens to periods that have passed, and says what goes out today. */
import type { Problem } from "../../domain/base/problem.ts";
import { requireMayActivate } from "../../features/overview/views/require-issuing.ts";
import { run } from "../../platform/commands/command.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Fault, Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { refusedBy } from "../frame/submitted.ts";
import { dayOf, moneyOf } from "../parts/format.ts";
import { periodName } from "../parts/period.ts";
import { refusalOf } from "../words/refusal.ts";
import {
  type ActivationEffect,
  type ActivationShown,
  activateAsShown,
  dryRunActivation,
  type PastChoice,
  pastChoices,
} from "./activate-dry-run.ts";
import { RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/activate`;

export const activatePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", (request) => confirmation(request, null)),
  definePage(`POST ${PATH}`, "person", activate),
];

async function activate(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form } = request;
  const { title } = await seenRetainer(cx, ref);
  const past_periods = pastChoices.find((one) => one === form.past_periods) ?? "keep";
  try {
    requireMayActivate(cx, true);
    await run(activateAsShown, cx, { ref, past_periods, digest: form.digest ?? "" });
  } catch (thrown) {
    return confirmation(request, refusedBy(thrown));
  }
  return { redirect: `${RETAINERS}/${ref}`, notice: { done: "retainer_active", of: title } };
}

async function confirmation(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { cx, id, reader, csrf } = request;
  const { words: all } = reader;
  const words = all.activating;
  const seen = await seenRetainer(cx, id);
  const here = `${RETAINERS}/${id}`;
  let shown: ActivationShown | null = null;
  let refusal = refused;
  try {
    shown = await dryRunActivation(cx, id);
  } catch (thrown) {
    refusal = refusedBy(thrown);
    if (refusal.code === "SERIES_ALREADY_ACTIVE") return { redirect: here };
  }
  const action = `${here}/activate`;
  const content = (
    <div class="card confirm">
      <Fault text={refusal === null ? undefined : saidOf(request, refusal)} />
      {shown === null ? (
        <p class="buttons">
          <a class="button" href={here}>
            {all.retainer.skipping.not_yet}
          </a>
        </p>
      ) : (
        <Form action={action} csrf={csrf(action)}>
          <input type="hidden" name="digest" value={shown.digest} />
          {shown.past === 0 ? (
            <Effect seen={seen} effect={shown.effects.keep} request={request} />
          ) : (
            <Choices request={request} seen={seen} shown={shown} />
          )}
          <div class="buttons">
            <a class="button" href={here}>
              {all.retainer.skipping.not_yet}
            </a>
            <button type="submit" class="button main">
              {words.now}
            </button>
          </div>
        </Form>
      )}
    </div>
  );
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return { title: words.title(seen.title), content, status };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  if (problem.code === "PLAN_STALE") return words.activating.changed;
  return words.refused(refusalOf(problem));
}

/** Shows both choices for the periods that have passed, each with its effect. */
function Choices(props: { request: PageRequest; seen: SeenRetainer; shown: ActivationShown }) {
  const { request, seen, shown } = props;
  const words = request.reader.words.activating;
  const chosen = pastChoices.find((one) => one === request.form.past_periods) ?? "keep";
  const means: Readonly<Record<PastChoice, string>> = {
    keep: words.keep_means(shown.past),
    skip: words.skip_means,
  };
  return (
    <fieldset class="choices">
      <legend>{words.past}</legend>
      <p class="small soft">{words.past_count(shown.past)}</p>
      {pastChoices.map((one) => (
        <div class="past-choice">
          <label>
            <input type="radio" name="past_periods" value={one} checked={one === chosen} />{" "}
            <span class="strong">{words[one]}</span>
          </label>
          <p class="small soft">{means[one]}</p>
          <Effect request={request} seen={seen} effect={shown.effects[one]} />
        </div>
      ))}
    </fieldset>
  );
}

function Effect(props: { request: PageRequest; seen: SeenRetainer; effect: ActivationEffect }) {
  const { request, seen, effect } = props;
  const { words: all, language } = request.reader;
  const words = all.activating;
  const { series } = seen;
  const { out, late, next } = effect;
  const names = (periods: ActivationEffect["out"]): string =>
    periods.map(({ key }) => periodName(language, key)).join(", ");
  const money = (amount: bigint): string => moneyOf(language, amount, series.currency);
  const sum = out.reduce((all_of_them, { net }) => all_of_them + net, 0n);
  const nextText = (): string => {
    if (next !== null) {
      return words.next_text(
        periodName(language, next.key, true),
        dayOf(language, next.day),
        money(next.net),
      );
    }
    return series.timing.mode === "manual" ? words.next_manual : words.next_none;
  };
  return (
    <dl class="will">
      <dt>{words.out}</dt>
      <dd>{out.length === 0 ? words.out_none : words.out_text(names(out), money(sum))}</dd>
      {late.length > 0 && (
        <>
          <dt>{words.late}</dt>
          <dd>{words.late_text(names(late))}</dd>
        </>
      )}
      <dt>{words.next}</dt>
      <dd>{nextText()}</dd>
    </dl>
  );
}
