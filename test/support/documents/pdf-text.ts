/** The text of a PDF, by pdftotext; tests that use it are skipped when the program is missing. */
import { spawnSync } from "node:child_process";

/** The text of a PDF in the layout of its pages. Throws when pdftotext is missing. */
export function textOfPdf(input: Uint8Array): string {
  const { error, stdout } = spawnSync("pdftotext", ["-layout", "-", "-"], { input });
  if (error !== undefined) throw error;
  return stdout.toString();
}
