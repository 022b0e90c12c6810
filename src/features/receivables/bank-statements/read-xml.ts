/** Reads XML of a bank: one namespace, in UTF-8 or ISO-8859-1, within limits of elements and text. */

import { invalidField, type Problem } from "../../../domain/base/problem.ts";
import { readStrictXml, type XmlElement } from "../../../platform/runtime/strict-xml.ts";

interface Receiver {
  /** The root, and the namespaces of which it has one. */
  readonly root: string;
  readonly namespaces: ReadonlySet<string>;
  /** Called at the end of each element; returns whether the element was taken and need not be kept. */
  take(element: XmlElement, path: readonly XmlElement[]): boolean;
}

const LONGEST_TEXT = 10_000;

/** Elements that a file may have besides those of its entries, and for each entry. */
const MOST_ELEMENTS = 2_000;
const MOST_OF_ENTRY = 200;
const ENTRIES: ReadonlySet<string> = new Set(["Ntry", "TxDtls"]);

/** Reads a file. Throws VALIDATION_FAILED (`invalid_format`), what the receiver throws, and the signal's reason. */
export async function readXml(
  bytes: Uint8Array,
  { root, namespaces, take }: Receiver,
  signal: AbortSignal,
): Promise<void> {
  let namespace: string | undefined;
  let elements = 0;
  let most_elements = MOST_ELEMENTS;
  const open = (name: string, uri: string): void => {
    if (namespace === undefined) {
      if (name !== root || !namespaces.has(uri)) {
        throw unreadableFile(
          "The file is no statement of a known form: camt.053.001.02 or camt.053.001.08.",
        );
      }
      namespace = uri;
    }
    if (uri !== namespace) throw unreadableFile("The file has elements of another namespace.");
    elements += 1;
    if (ENTRIES.has(name)) most_elements += MOST_OF_ENTRY;
    if (elements > most_elements) throw unreadableFile("The file has too many elements.");
  };
  const rules = { takes_latin1: true, longest_text: LONGEST_TEXT, refusal: unreadableFile };
  await readStrictXml(bytes, { ...rules, open, take }, signal);
}

/** Returns the refusal of a file that is no statement of a known form. */
export function unreadableFile(message: string): Problem {
  return invalidField("file", "invalid_format", message);
}
