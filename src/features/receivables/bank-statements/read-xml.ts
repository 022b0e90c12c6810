/**
 * Reads XML of a bank strictly: one namespace, no document type, no entities but the five, in UTF-8 or ISO-8859-1, and within
 * limits of depth, elements and text. It is fed in slices, so that other requests run meanwhile. No element is kept that the
 * receiver has taken.
 */
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import { invalidField, type Problem } from "../../../domain/base/problem.ts";
import { Slices } from "../../../platform/runtime/slices.ts";

/** An element with its text, its attributes by name, and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

interface Receiver {
  /** The root, and the namespaces of which it has one. */
  readonly root: string;
  readonly namespaces: ReadonlySet<string>;
  /** Called at the end of each element; returns whether the element was taken and need not be kept. */
  take(element: XmlElement, path: readonly XmlElement[], namespace: string): boolean;
}

const SLICE_BYTES = 65_536;
const DEEPEST = 50;
const LONGEST_TEXT = 10_000;

/** Elements that a file may have besides those of its entries, and for each entry. */
const MOST_ELEMENTS = 2_000;
const MOST_OF_ENTRY = 200;
const ENTRIES: ReadonlySet<string> = new Set(["Ntry", "TxDtls"]);

/** Reads a file. Throws VALIDATION_FAILED (`invalid_format`), what the receiver throws, and the signal's reason. */
export async function readXml(
  bytes: Uint8Array,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<void> {
  const decode = decoderOf(bytes);
  const parser = openParser(receiver);
  const slices = new Slices(signal);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const is_last = at + SLICE_BYTES >= bytes.length;
    feed(parser, decode(bytes.subarray(at, at + SLICE_BYTES), is_last));
    if (slices.isOver) await slices.next();
  }
  feed(parser, null);
}

/** Returns the refusal of a file that is no statement of a known form. */
export function unreadableFile(message: string): Problem {
  return invalidField("file", "invalid_format", message);
}

function feed(parser: SaxesParser<{ xmlns: true }>, text: string | null): void {
  if (text === null) parser.close();
  else parser.write(text);
}

/** Returns the decoder of the encoding that the file declares. */
function decoderOf(bytes: Uint8Array): (slice: Uint8Array, is_last: boolean) => string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (/^(\xff\xfe|\xfe\xff)|\0/.test(start)) throw unreadableFile(ENCODING);
  const [, declared = "utf-8"] =
    /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start) ?? [];
  const encoding = declared.toLowerCase();
  if (encoding === "iso-8859-1") return (slice) => Buffer.from(slice).toString("latin1");
  if (encoding !== "utf-8") throw unreadableFile(ENCODING);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (slice, is_last) => {
    try {
      return decoder.decode(slice, { stream: !is_last });
    } catch {
      throw unreadableFile(ENCODING);
    }
  };
}

const ENCODING = "The file is not in the encoding that it declares: UTF-8 or ISO-8859-1.";

function openParser({ root, namespaces, take }: Receiver): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  const path: XmlElement[] = [];
  let namespace: string | undefined;
  let elements = 0;
  let most_elements = MOST_ELEMENTS;
  parser.on("error", () => {
    throw unreadableFile(`The file is not well-formed XML, at line ${parser.line}.`);
  });
  parser.on("doctype", () => {
    throw unreadableFile("The file has a document type, which is not read.");
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    if (namespace === undefined) {
      if (local !== root || !namespaces.has(uri)) {
        throw unreadableFile(
          "The file is no statement of a known form: camt.053.001.02 or camt.053.001.08.",
        );
      }
      namespace = uri;
    }
    if (uri !== namespace) throw unreadableFile("The file has elements of another namespace.");
    elements += 1;
    if (ENTRIES.has(local)) most_elements += MOST_OF_ENTRY;
    if (elements > most_elements) throw unreadableFile("The file has too many elements.");
    if (path.length === DEEPEST) throw unreadableFile(`The file is deeper than ${DEEPEST} levels.`);
    path.push({ name: local, attributes: plain(attributes), children: [], text: "" });
  });
  const addText = (text: string): void => {
    const element = path.at(-1);
    if (element === undefined) return;
    if (element.text.length + text.length > LONGEST_TEXT) {
      throw tooLong();
    }
    // Blanks between the elements of a long file are no text.
    if (element.text !== "" || text.trim() !== "") element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = path.pop();
    if (element === undefined || namespace === undefined) return;
    if (!take(element, path, namespace)) path.at(-1)?.children.push(element);
  });
  return parser;
}

function tooLong(): Problem {
  return unreadableFile(`The file has a text of more than ${LONGEST_TEXT} characters.`);
}

function plain(attributes: Readonly<Record<string, SaxesAttributeNS>>): Record<string, string> {
  const own = Object.values(attributes).filter(({ uri }) => uri === "");
  if (own.some(({ value }) => value.length > LONGEST_TEXT)) throw tooLong();
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
