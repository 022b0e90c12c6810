/** The page of a step that sets a second factor up: what it asks for, with the way back to the person's own page. */
import type { ComponentChildren } from "preact";
import type { PageAnswer } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";

/** Returns the page of a step. With a fault, which the content shows, its status is 422. */
export function factorStep(
  title: string,
  back: string,
  fault: string | undefined,
  content: ComponentChildren,
): PageAnswer {
  return {
    title,
    content: <Step back={back}>{content}</Step>,
    status: fault === undefined ? 200 : 422,
  };
}

function Step({ back, children }: { back: string; children: ComponentChildren }) {
  const words = useReader().words.factors;
  return (
    <div class="card confirm">
      {children}
      <p class="buttons">
        <a class="button" href={back}>
          {words.cancel}
        </a>
      </p>
    </div>
  );
}
