/** Reads forms with one file (multipart/form-data, RFC 7578): names and texts, each name once. Any other content is MALFORMED_REQUEST. */
import { Problem } from "../../domain/base/problem.ts";
import { isStorable } from "../../domain/base/text.ts";
import { type Fields, MOST_FORM_BYTES } from "./form.ts";

export const MULTIPART = "multipart/form-data";

/** The fields of a form, and the file that it carries; null where none was chosen. */
export class FileForm {
  readonly fields: Fields;
  readonly file: Uint8Array | null;

  constructor(fields: Fields, file: Uint8Array | null) {
    this.fields = fields;
    this.file = file;
  }
}

const MOST_PARTS = 20;
const MOST_HEAD_BYTES = 2_000;
const HEAD_END = Buffer.from("\r\n\r\n");

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns the form in a body. `content_type` is the header of the request. Throws MALFORMED_REQUEST. */
export function fileFormFrom(content_type: string, body: Buffer): FileForm {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(content_type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable("The form has no boundary.");
  const fields: Record<string, string> = Object.create(null);
  let file: Uint8Array | null = null;
  let has_file = false;
  for (const { name, is_file, content } of partsOf(body, boundary)) {
    if (is_file) {
      if (has_file) throw unreadable("The form has more than one file.");
      has_file = true;
      file = content.length === 0 ? null : content;
      continue;
    }
    if (fields[name] !== undefined) throw unreadable("A field occurs twice.");
    fields[name] = textOf(content);
  }
  return new FileForm(fields, file);
}

interface Part {
  readonly name: string;
  readonly is_file: boolean;
  readonly content: Buffer;
}

function partsOf(body: Buffer, boundary: string): Part[] {
  const first = Buffer.from(`--${boundary}`);
  const next = Buffer.from(`\r\n--${boundary}`);
  if (!body.subarray(0, first.length).equals(first)) throw unreadable("The form has no parts.");
  const parts: Part[] = [];
  let at = first.length;
  for (;;) {
    const sign = body.toString("latin1", at, at + 2);
    if (sign === "--") return parts;
    if (sign !== "\r\n" || parts.length === MOST_PARTS) throw unreadable("The form has no end.");
    const end = body.indexOf(next, at);
    if (end < 0) throw unreadable("The form has no end.");
    parts.push(partFrom(body.subarray(at + 2, end)));
    at = end + next.length;
  }
}

function partFrom(part: Buffer): Part {
  const head_end = part.subarray(0, MOST_HEAD_BYTES).indexOf(HEAD_END);
  if (head_end < 0) throw unreadable("A part of the form has no head.");
  const head = part.toString("latin1", 0, head_end);
  const [, name] =
    /^content-disposition:\s*form-data;[^\r\n]*\bname="([\w.-]{1,100})"/im.exec(head) ?? [];
  if (name === undefined) throw unreadable("A part of the form has no name.");
  return {
    name,
    is_file: /^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(head),
    content: part.subarray(head_end + HEAD_END.length),
  };
}

function textOf(content: Buffer): string {
  if (content.length > MOST_FORM_BYTES) throw unreadable("A field is too long.");
  let text: string;
  try {
    text = decoder.decode(content);
  } catch {
    throw unreadable("A field is no text in UTF-8.");
  }
  if (!isStorable(text)) throw unreadable("A field contains characters that are not allowed.");
  return text;
}

function unreadable(message: string): Problem {
  return new Problem("MALFORMED_REQUEST", { message });
}
