/** The first steps of an account: each is ticked by what the account has, and stays until it is done or put away. */
import type { ShownStep } from "../../features/overview/today/read-first-steps.ts";
import { Icon } from "../frame/icon.tsx";
import { STEP_PAGES } from "../frame/next-step.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";

export const PUT_AWAY_PATH = "/today/steps";

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
                  <a class="link" href={STEP_PAGES[step]}>
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
