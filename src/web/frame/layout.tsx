/** A whole page: head, shell and content. Everything is loaded from our own origin, and nothing is inline. */
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Month } from "../../domain/base/calendar.ts";
import type { FirstStep } from "../../features/overview/today/change-steps.ts";
import { assetUrl, scriptsOf } from "./assets.ts";
import { areScriptsCached } from "./cached-scripts.ts";
import type { Notice } from "./notice.ts";
import { type PageReader, ReaderOf } from "./reader.ts";
import { Shell, type Signed } from "./shell.tsx";

const NAME = "Matchbook";

interface Frame {
  readonly title: string;
  /** A sentence about the page, below the title. */
  readonly lead: string | VNode | null;
  /** The actions next to the title. */
  readonly actions: VNode | null;
  readonly reader: PageReader;
  /** Path and query of the page to which a preference returns. */
  readonly here: string;
  /** The address of the request, whose entry of the navigation is marked. */
  readonly at: string;
  /** What the person has just done; null where there is nothing to report. */
  readonly notice: Notice | null;
  /** The month whose close the person has left to cure something; null for most pages. */
  readonly way_back: Month | null;
  /** The next of the first steps of the account, after one is done; null for most pages. */
  readonly next_step: FirstStep | null;
  /** The day of a page that people print; null for other pages. */
  readonly printed_on: string | null;
  /** The person who is signed in; null on pages for visitors. */
  readonly signed: Signed | null;
  /** Whether the page loads our script. */
  readonly is_alive: boolean;
  /** The Cookie header of the request. */
  readonly cookies: string | undefined;
}

/** Returns a whole page as text. The renderer escapes all foreign text in it. */
export function renderPage(frame: Frame, content: VNode): string {
  const page = (
    <ReaderOf value={frame.reader}>
      <Document {...frame}>{content}</Document>
    </ReaderOf>
  );
  const text = renderToString(page);
  return `<!doctype html>${frame.is_alive ? withScripts(text, frame) : text}`;
}

/**
 * Names in the head all scripts of the page, so that the browser loads them together. The main one is the last that runs: islands
 * and texts are there, so it makes the page work before the browser has to draw it.
 */
function withScripts(text: string, { reader, cookies }: Frame): string {
  const islands = [...text.matchAll(/ data-island="([a-z-]+)"/g)].map(([, name = ""]) => name);
  const has_texts = islands.length > 0 || text.includes(" data-list");
  const { run, imported } = scriptsOf(islands);
  const main = assetUrl("main.js");
  const in_order = [...(has_texts ? [assetUrl(`${reader.language}.js`)] : []), ...run, main];
  const waits = areScriptsCached(cookies, main) ? ' blocking="render"' : "";
  const links = imported.map((address) => `<link rel="modulepreload" href="${address}">`);
  const scripts = in_order.map(
    (address) => `<script type="module" src="${address}"${waits}></script>`,
  );
  const head = `${links.join("")}${scripts.join("")}</head>`;
  return withShortProps(text).replace("</head>", () => head);
}

/** Writes the props of islands in single quotes: their JSON is full of double ones, each of which would be six characters. */
function withShortProps(text: string): string {
  return text.replace(
    / data-props="([^"]*)"/g,
    (_, props: string) =>
      ` data-props='${props.replaceAll("'", "&#39;").replaceAll("&quot;", '"')}'`,
  );
}

function Document(props: Frame & { children: ComponentChildren }) {
  const { title, lead, actions, reader, signed, here, at, notice, way_back } = props;
  const { next_step, printed_on, is_alive } = props;
  const { language, theme, time_zone } = reader;
  return (
    <html
      lang={language}
      {...(theme === null ? {} : { "data-theme": theme })}
      {...(time_zone === null ? {} : { "data-zone": time_zone })}
      {...(is_alive ? { "data-words": assetUrl(`${language}.js`) } : {})}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? "light dark"} />
        <title>{title === NAME ? NAME : `${title} – ${NAME}`}</title>
        <link
          rel="preload"
          href={assetUrl("inter-variable.woff2")}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={assetUrl("matchbook.css")} />
        {is_alive && signed !== null && <meta name="csrf" content={signed.actions_csrf} />}
        <link rel="icon" type="image/svg+xml" href={assetUrl("matchbook.svg")} />
      </head>
      <body>
        <Shell
          title={title}
          lead={lead}
          actions={actions}
          signed={signed}
          here={here}
          at={at}
          notice={notice}
          way_back={way_back}
          next_step={next_step}
          printed_on={printed_on}
        >
          {props.children}
        </Shell>
      </body>
    </html>
  );
}
