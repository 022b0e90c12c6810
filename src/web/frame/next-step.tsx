/** The way from one of the first steps of an account to the next one, on the page that follows the step. */
import type { FirstStep } from "../../features/overview/today/change-steps.ts";
import { findNextStep } from "../../features/overview/today/read-first-steps.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Notice } from "./notice.ts";
import { useReader } from "./reader.ts";

/** The page on which each step is done. */
export const STEP_PAGES: Readonly<Record<FirstStep, string>> = {
  company: "/settings/company",
  customer: "/customers/new",
  product: "/products/new",
  invoice: "/invoices/new",
  assistant: "/assistants",
};

const DONE_BY: Readonly<Partial<Record<Notice["done"], FirstStep>>> = {
  settings_saved: "company",
  customer_saved: "customer",
  product_saved: "product",
  invoice_issued: "invoice",
};

interface Visit {
  /** Path and query. */
  readonly url: string;
  readonly notice: Notice | null;
  /** Whether the person sets the account up: an admin of an account that is no example. */
  readonly sets_up: boolean;
}

/** Returns the step that the visit may have followed; null where it followed none. A person who is writing an invoice stays with it. */
function stepBefore({ url, notice, sets_up }: Visit): FirstStep | null {
  if (!sets_up) return null;
  if (/^\/assistants(\?|$)/.test(url)) return "assistant";
  const step = notice === null ? undefined : DONE_BY[notice.done];
  if (step === undefined || (step !== "invoice" && url.startsWith("/invoices"))) return null;
  return step;
}

/** Returns the step that comes after a visit; null where there is none. `cx` is called only where a step may have been done. */
export async function nextStepAfter(
  visit: Visit,
  cx: () => PersonContext,
): Promise<FirstStep | null> {
  const step = stepBefore(visit);
  return step === null ? null : ((await findNextStep(cx(), step)) ?? null);
}

/** The link to the next step, above a page. */
export function NextStep({ step }: { step: FirstStep | null }) {
  const { today: words } = useReader().words;
  if (step === null) return null;
  return (
    <p class="next-step example">
      <span>{words.next_step}</span>
      <a href={STEP_PAGES[step]}>{words.step[step]}</a>
    </p>
  );
}
