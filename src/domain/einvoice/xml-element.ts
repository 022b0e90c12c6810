/** Elements of XML as text. An element without content is left out, because the rules of e-invoices refuse empty ones. */

type Attributes = Readonly<Record<string, string>>;

/** What XML 1.0 has no characters for: controls, halves of surrogate pairs, and two non-characters. */
const NOT_IN_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Returns a text as XML can have it, with line breaks as \n; null when nothing is left. */
export function xmlText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const left = text.replace(/\r\n?/g, "\n").replace(NOT_IN_XML, "").trim();
  return left === "" ? null : left;
}

/** Returns an element with a text; nothing for null and for a text of which XML has no character. */
export function element(name: string, text: string | null, attributes: Attributes = {}): string {
  const content = xmlText(text);
  if (content === null) return "";
  return `<${name}${written(attributes)}>${escaped(content)}</${name}>\n`;
}

/** Returns an element with elements; nothing when all of them are left out. */
export function aggregate(name: string, ...children: readonly string[]): string {
  const content = children.join("");
  return content === "" ? "" : `<${name}>\n${content}</${name}>\n`;
}

/** Returns a document, to be encoded as UTF-8. */
export function xmlDocument(
  name: string,
  attributes: Attributes,
  ...children: readonly string[]
): string {
  const content = children.join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${written(attributes)}>\n${content}</${name}>\n`;
}

function written(attributes: Attributes): string {
  let text = "";
  for (const name in attributes) text += ` ${name}="${escaped(xmlText(attributes[name]) ?? "")}"`;
  return text;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}
