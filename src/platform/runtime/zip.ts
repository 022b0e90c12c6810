/** Puts several files into one zip. */
import { buffer } from "node:stream/consumers";
import yazl from "yazl";

interface Zipped {
  readonly filename: string;
  readonly content: Uint8Array;
}

/** Returns the bytes of a zip, uncompressed because PDF is compressed already. `at` is the files' modification time. */
export function zipOf(files: readonly Zipped[], at: Date): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const { filename, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    zip.addBuffer(bytes, filename, { compress: false, mtime: at });
  }
  zip.end();
  return buffer(zip.outputStream);
}
