/** What pages show instead of what customers owe, before receivables are begun. */
import { mayRecord } from "../../features/receivables/open-items/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { useReader } from "../frame/reader.ts";
import { BEGIN } from "./begin.tsx";

/** Returns why nothing is known yet: nothing is issued, or receivables are not begun. */
export async function whyUnknown(cx: PersonContext) {
  return (await mayRecord(cx)) ? <NothingYet /> : <NotBegun />;
}

/** Says how the receivables of an account without documents begin. */
function NothingYet() {
  const { receivables, imports } = useReader().words;
  return (
    <div class="card">
      <div class="pad">
        <p class="strong">{receivables.none}</p>
        <p class="soft">{receivables.nothing_yet}</p>
        <p class="buttons">
          <a class="button" href="/opening-items/import">
            {imports.titles["opening-items"]}
          </a>
        </p>
      </div>
    </div>
  );
}

/** Says what an account with documents from before must do first. */
function NotBegun() {
  const words = useReader().words.receivables;
  return (
    <div class="card">
      <div class="pad">
        <p class="strong">{words.not_begun}</p>
        <p class="soft">{words.not_begun_text}</p>
        <p class="buttons">
          <a class="button main" href={BEGIN}>
            {words.begin}
          </a>
        </p>
      </div>
    </div>
  );
}
