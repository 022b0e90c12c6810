/** Several files as one, in a zip. */
import { buffer } from "node:stream/consumers";
import yazl from "yazl";

interface Zipped {
  readonly filename: string;
  readonly content: Uint8Array;
}

/** The bytes of a zip with the files as they are: what is compressed already, as a PDF, gets no smaller. `at` is when they were put in. */
export function zipOf(files: readonly Zipped[], at: Date): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const { filename, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    zip.addBuffer(bytes, filename, { compress: false, mtime: at });
  }
  zip.end();
  return buffer(zip.outputStream);
}
