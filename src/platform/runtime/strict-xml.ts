/**
 * Reads XML of others strictly: no document type, no entities but the five, in the encodings that its reader allows, and within
 * limits of depth and text. It is fed in slices, so that other requests run meanwhile. No element is kept that the reader has
 * taken.
 */
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import { Slices } from "./slices.ts";

/** An element with its namespace, its text, its attributes without a namespace by name, and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

interface XmlRules {
  /** Whether a file may declare ISO-8859-1 instead of UTF-8. */
  readonly takes_latin1: boolean;
  /** The longest text of one element or attribute, in characters. */
  readonly longest_text: number;
  /** Returns the error of a file that breaks a rule; `message` is a sentence about the file. */
  refusal(message: string): Error;
  /** Called at the start of each element; throws for one that must not be there. */
  open(name: string, namespace: string): void;
  /** Called at the end of each element; returns whether the element was taken and need not be kept. */
  take?(element: XmlElement, path: readonly XmlElement[]): boolean;
}

const SLICE_BYTES = 65_536;
const DEEPEST = 50;

/** Returns the root of a file; undefined if the reader has taken it. Throws refusals of the rules, and the signal's reason. */
export async function readStrictXml(
  bytes: Uint8Array,
  rules: XmlRules,
  signal: AbortSignal,
): Promise<XmlElement | undefined> {
  const decode = decoderOf(bytes, rules);
  const opened = openParser(rules);
  const slices = new Slices(signal);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const is_last = at + SLICE_BYTES >= bytes.length;
    opened.parser.write(decode(bytes.subarray(at, at + SLICE_BYTES), is_last));
    if (slices.isOver) await slices.next();
  }
  opened.parser.close();
  return opened.root();
}

/** Returns the decoder of the encoding that the file declares. */
function decoderOf(
  bytes: Uint8Array,
  { takes_latin1, refusal }: XmlRules,
): (slice: Uint8Array, is_last: boolean) => string {
  const encodings = takes_latin1 ? "UTF-8 or ISO-8859-1" : "UTF-8";
  const refused = () =>
    refusal(`The file is not in the encoding that it declares, or not in ${encodings}.`);
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (/^(\xff\xfe|\xfe\xff)|\0/.test(start)) throw refused();
  const [, declared = "utf-8"] =
    /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start) ?? [];
  const encoding = declared.toLowerCase();
  if (encoding === "iso-8859-1" && takes_latin1) {
    return (slice) => Buffer.from(slice).toString("latin1");
  }
  if (encoding !== "utf-8") throw refused();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (slice, is_last) => {
    try {
      return decoder.decode(slice, { stream: !is_last });
    } catch {
      throw refused();
    }
  };
}

interface OpenedParser {
  readonly parser: SaxesParser<{ xmlns: true }>;
  root(): XmlElement | undefined;
}

function openParser({ refusal, longest_text, open, take }: XmlRules): OpenedParser {
  const parser = new SaxesParser({ xmlns: true });
  const path: XmlElement[] = [];
  let root: XmlElement | undefined;
  const tooLong = () => refusal(`The file has a text of more than ${longest_text} characters.`);
  parser.on("error", () => {
    throw refusal(`The file is not well-formed XML, at line ${parser.line}.`);
  });
  parser.on("doctype", () => {
    throw refusal("The file has a document type, which is not read.");
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    open(local, uri);
    if (path.length === DEEPEST) throw refusal(`The file is deeper than ${DEEPEST} levels.`);
    const own = plain(attributes);
    if (Object.values(own).some((value) => value.length > longest_text)) throw tooLong();
    path.push({ name: local, namespace: uri, attributes: own, children: [], text: "" });
  });
  const addText = (text: string): void => {
    const element = path.at(-1);
    if (element === undefined) return;
    if (element.text.length + text.length > longest_text) throw tooLong();
    // Blanks between the elements of a long file are no text.
    if (element.text !== "" || text.trim() !== "") element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = path.pop();
    if (element === undefined || take?.(element, path) === true) return;
    const parent = path.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
  });
  return { parser, root: () => root };
}

function plain(attributes: Readonly<Record<string, SaxesAttributeNS>>): Record<string, string> {
  const own = Object.values(attributes).filter(({ uri }) => uri === "");
  return Object.fromEntries(own.map(({ local, value }) => [local, value]));
}

/** Returns the first element at a path of names; undefined where there is none. */
export function elementAt(
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>(
    (inner, name) => inner?.children.find((child) => child.name === name),
    element,
  );
}

/** Returns the elements with a name in another one. */
export function elementsOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the text at a path of names, on one line; null where there is none. */
export function textAt(
  element: XmlElement | undefined,
  ...names: readonly string[]
): string | null {
  const text = elementAt(element, ...names)?.text ?? "";
  return text.replaceAll(/\s+/g, " ").trim().toWellFormed() || null;
}
