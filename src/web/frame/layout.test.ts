/** The scripts that a page names: which, in which order, and whether the page waits for them before it is drawn. */
import { h, type VNode } from "preact";
import { expect, it } from "vitest";
import { en } from "../words/en.ts";
import { assetUrl } from "./assets.ts";
import { cachedScripts } from "./cached-scripts.ts";
import { renderPage } from "./layout.tsx";

const MAIN = assetUrl("main.js");
const NONE = { lead: null, actions: null, notice: null, way_back: null, next_step: null } as const;

function pageOf(content: VNode, cookies?: string, is_alive = true) {
  const reader = { language: "en", words: en, theme: null, time_zone: null } as const;
  const where = { here: "/", at: "/", printed_on: null, signed: null } as const;
  return renderPage({ title: "Page", reader, ...NONE, ...where, is_alive, cookies }, content);
}

function headOf(...page: Parameters<typeof pageOf>): string {
  const html = pageOf(...page);
  return html.slice(0, html.indexOf("</head>"));
}

const scriptsIn = (head: string) =>
  [...head.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, address]) => address);
const marked = (mark: object): VNode => h("div", mark);
const island = marked({ "data-island": "draft-editor" });

it("runs the texts, then the islands of the page, and the main script at the end", () => {
  const [texts, editor, main, ...more] = scriptsIn(headOf(island));
  expect(texts).toBe(assetUrl("en.js"));
  expect(editor).toMatch(/^\/assets\/draft-editor\./);
  expect(main).toBe(MAIN);
  expect(more).toEqual([]);
});

it("names each script once, also where an island is there twice", () => {
  const head = headOf(h("div", null, island, island));
  const named = [...head.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, address]) => address);
  expect(named.length).toBeGreaterThan(3);
  expect(new Set(named).size).toBe(named.length);
});

it("loads texts only for a list or an island, and no script where none may run", () => {
  expect(scriptsIn(headOf(h("p", null)))).toEqual([MAIN]);
  expect(scriptsIn(headOf(marked({ "data-list": true })))).toEqual([assetUrl("en.js"), MAIN]);
  expect(headOf(island, undefined, false)).not.toContain("<script");
});

it("waits for the scripts where the browser has cached them, and draws a first visit at once", () => {
  const { name, value } = cachedScripts(MAIN, 0);
  const waiting = /<script type="module" src="[^"]+" blocking="render">/g;
  expect(headOf(island, `a=b; ${name}=${value}`).match(waiting)).toHaveLength(3);
  expect(headOf(island)).not.toContain("blocking");
  expect(headOf(island, `${name}=/assets/main.old.js`)).not.toContain("blocking");
});

it("passes any props on to the island, in quotes that cannot end within them", () => {
  const props = JSON.stringify({ text: `"a" 'b' <c> & &quot; &#39; data-props="x"` });
  const content = marked({ "data-island": "copy-text", "data-props": props });
  const [, written = ""] = / data-props='([^']*)'>/.exec(pageOf(content)) ?? [];
  const marks = { "&#39;": "'", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
  const read = written.replace(/&(?:#39|lt|gt|quot|amp);/g, (mark) => marks[mark as "&amp;"]);
  expect(read).toBe(props);
});
