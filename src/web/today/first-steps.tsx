/** The first steps of an account: each is ticked by what the account has, and stays until it is done or put away. */
import { FIRST_STEPS, type FirstStep } from "../../features/overview/today/change-steps.ts";
import type { ActivitySummary } from "../../features/overview/today/read-activity-summary.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import { Icon } from "../frame/icon.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";

export const PUT_AWAY_PATH = "/today/steps";

/** The page on which each step is done. */
const PAGES: Readonly<Record<FirstStep, string>> = {
  company: "/settings/company",
  customer: "/customers/new",
  product: "/products/new",
  invoice: "/invoices/new",
  assistant: "/assistants",
};

interface ShownStep {
  readonly step: FirstStep;
  readonly is_done: boolean;
}

/** Returns the steps to show; none when each is done or put away. */
export function firstStepsOf(
  { seller }: Pick<Configuration, "seller">,
  summary: ActivitySummary,
): readonly ShownStep[] {
  const done: Readonly<Record<FirstStep, boolean>> = {
    company: seller !== null && [seller.name, seller.street, seller.vat_number].every(Boolean),
    customer: summary.has_customer,
    product: summary.has_product,
    invoice: summary.has_issued,
    assistant: summary.has_assistant,
  };
  const shown = FIRST_STEPS.filter((step) => !summary.put_away.includes(step));
  if (shown.every((step) => done[step])) return [];
  return shown.map((step) => ({ step, is_done: done[step] }));
}

export function FirstSteps({
  steps,
  csrf,
}: {
  steps: readonly ShownStep[];
  csrf: PageRequest["csrf"];
}) {
  const { today: words, welcome } = useReader().words;
  return (
    <Card title={words.steps} id="steps" hint={words.steps_hint}>
      <form method="post" action={PUT_AWAY_PATH}>
        <input type="hidden" name="csrf" value={csrf(PUT_AWAY_PATH)} />
        <ol class="steps">
          {steps.map(({ step, is_done }) => (
            <li>
              <Icon name={is_done ? "circle-check" : "circle-dashed"} />
              {is_done ? (
                <span class="quiet">
                  {words.step[step]} <b>{words.done}</b>
                </span>
              ) : (
                <>
                  <a class="link" href={PAGES[step]}>
                    {words.step[step]}
                  </a>
                  <button
                    type="submit"
                    class="as-link tiny"
                    name="step"
                    value={step}
                    aria-label={welcome.put_step_away_named(words.step[step])}
                  >
                    {welcome.put_step_away}
                  </button>
                </>
              )}
            </li>
          ))}
        </ol>
      </form>
    </Card>
  );
}
