/** What a customer sees behind the button of a mail: the paper with its credits, or a message. No shell and no script. */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ShownLink } from "../../features/documents/document-links/find-linked.ts";
import { formatAmount, formatDay } from "../../features/documents/printing/format.ts";
import { viewOf } from "../../features/documents/printing/view.ts";
import { assetUrl } from "../frame/assets.ts";
import { Paper } from "../parts/paper.tsx";
import { type Language, wordsOf } from "../words/words.ts";

/** Returns a whole page. `shown` gives it its title; a message has none of a document. */
export function renderVisit(language: Language, content: VNode, shown: ShownLink | null): string {
  const title =
    shown === null
      ? wordsOf(language).document_links.document
      : viewOf(shown.snapshot, shown).file_title;
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        <link rel="stylesheet" href={assetUrl("matchbook.css")} />
        <link rel="icon" type="image/svg+xml" href={assetUrl("matchbook.svg")} />
      </head>
      <body>
        <main class="visit">{content}</main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}

/** Shows the document with its credits above it, in its own language. */
export function LinkedPaper({ shown, token }: { shown: ShownLink; token: string }) {
  const { snapshot, credits } = shown;
  const words = wordsOf(snapshot.language).document_links;
  const view = viewOf(snapshot, shown);
  return (
    <>
      <header class="visit-head">
        <h1>{view.heading}</h1>
        <a class="button" href={`/d/${token}/pdf`}>
          {words.pdf}
        </a>
      </header>
      {credits.length > 0 && <Credits shown={shown} />}
      <Paper view={view} label={words.document} />
    </>
  );
}

function Credits({ shown: { snapshot, credits, left } }: { shown: ShownLink }) {
  const words = wordsOf(snapshot.language).document_links;
  const amount = (value: bigint) => `${formatAmount(snapshot, value)} ${snapshot.currency}`;
  return (
    <section class="card visit-credits" aria-labelledby="credits">
      <h2 id="credits">{words.credited}</h2>
      <dl>
        {credits.map(({ number, date, gross }) => (
          <>
            <dt>{words.credit_note(String(number), formatDay(date, snapshot.language))}</dt>
            <dd class="num">{amount(-gross)}</dd>
          </>
        ))}
        <dt class="strong">{words.left}</dt>
        <dd class="num strong">{amount(left)}</dd>
      </dl>
    </section>
  );
}

export function Message({ title, text }: { title: string; text: string }) {
  return (
    <section class="card visit-message">
      <h1>{title}</h1>
      <p>{text}</p>
    </section>
  );
}
