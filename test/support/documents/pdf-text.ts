/** What can be read in a PDF, by pdftotext; tests that use it are skipped where the program is missing. */
import { spawnSync } from "node:child_process";

/** The text of a PDF, laid out as on its pages. Throws where pdftotext is missing. */
export function textOfPdf(input: Uint8Array): string {
  const { error, stdout } = spawnSync("pdftotext", ["-layout", "-", "-"], { input });
  if (error !== undefined) throw error;
  return stdout.toString();
}
