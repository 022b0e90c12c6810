/**
 * The answers of phoss-ap's directory sender to an envelope that it took from `out/`: it moves the file to `pending/`, then to
 * `success/` or `error/` with a JSON file beside it.
 */
import type { LookOutcome } from "../access-point.ts";
import { momentFrom, sentenceWith } from "../outcome-words.ts";
import type { FolderFiles } from "./folder-files.ts";

const OUT = "out";
const ANSWER_BYTES = 64 * 1024;
/** The directory sender adds `-1` where the name of a file is taken; the newer answer counts. */
const SUFFIXES = ["-1", ""];

type Answer = Readonly<Record<string, unknown>>;

/**
 * Returns what became of an envelope that is no longer in `out/` itself; null when no trace of it is in the folders of answers.
 * They are read in the order in which a file moves, so that a move between two reads hides nothing.
 */
export async function lookAtAnswers(
  files: FolderFiles,
  delivery_id: string,
): Promise<LookOutcome | null> {
  if (await hasFile(files, "pending", delivery_id)) return { state: "accepted", text: null };
  const sent = await readAnswer(files, "success", delivery_id);
  // A folder shows no Message Level Status: the receipt is the end.
  if (sent !== null)
    return { state: "delivered", at: momentFrom(sent.processedDT), is_final: true };
  const failed = await readAnswer(files, "error", delivery_id);
  if (failed !== null) return failureFrom(failed);
  // The file moves before its answer is written.
  const is_moved =
    (await hasFile(files, "success", delivery_id)) || (await hasFile(files, "error", delivery_id));
  return is_moved ? { state: "accepted", text: null } : null;
}

async function hasFile(files: FolderFiles, folder: string, id: string): Promise<boolean> {
  for (const suffix of SUFFIXES) {
    if (await files.has(`${OUT}/${folder}/${id}${suffix}.xml`)) return true;
  }
  return false;
}

/** The answer for this delivery; null where there is none yet, or one that is still being written. */
async function readAnswer(files: FolderFiles, folder: string, id: string): Promise<Answer | null> {
  for (const suffix of SUFFIXES) {
    for (const extension of [".xml.json", ".json"]) {
      const path = `${OUT}/${folder}/${id}${suffix}${extension}`;
      const answer = answerFrom(await files.read(path, ANSWER_BYTES), id);
      if (answer !== null) return answer;
    }
  }
  return null;
}

function answerFrom(bytes: Uint8Array | undefined, id: string): Answer | null {
  if (bytes === undefined) return null;
  try {
    const answer: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return null;
    const { sbdhInstanceID = null } = answer as Answer;
    return sbdhInstanceID === null || sbdhInstanceID === id ? (answer as Answer) : null;
  } catch {
    return null;
  }
}

function failureFrom({ status, errorDetails }: Answer): LookOutcome {
  return {
    state: "failed",
    code: status === "rejected" ? "einvoice_invalid" : "einvoice_undeliverable",
    text: sentenceWith("The access point could not send the document", errorDetails),
  };
}
