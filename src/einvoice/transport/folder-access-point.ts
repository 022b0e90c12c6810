/**
 * Hands e-invoices over as files: `out/<delivery id>.xml`, which another program takes. The file is prepared as `.xml.part`, and
 * handing over is one rename, so that a look tells after any crash whether it happened. Answers of buyers are read from `in`.
 */
import type {
  AccessPoint,
  Call,
  CheckOutcome,
  EinvoiceCapabilities,
  LookOutcome,
  Submission,
  SubmitOutcome,
  WaitingAnswer,
} from "../access-point.ts";
import { envelopeOf } from "./envelope-of.ts";
import type { FolderFault, FolderFiles } from "./folder-files.ts";
import { lookAtAnswers } from "./look-at-answers.ts";

interface FolderFacts {
  readonly kind: "folder" | "sftp";
  readonly files: FolderFiles;
  readonly capabilities: EinvoiceCapabilities;
  /** Says what an error of the files means. */
  readonly faultOf: (error: unknown) => FolderFault;
}

const FOLDERS = ["out", "in", "in/done", "in/refused"] as const;
const MOST_ANSWERS = 10;
const MOST_ANSWER_BYTES = 1024 * 1024 + 1;
/** How many names are tried for an answer that was read before under the same name. */
const MOST_NAMES = 1_000;

const fileOf = (delivery_id: string): string => `out/${delivery_id}.xml`;
const partOf = (delivery_id: string): string => `${fileOf(delivery_id)}.part`;

export function folderAccessPoint(facts: FolderFacts): AccessPoint {
  return {
    kind: facts.kind,
    ...facts.capabilities,
    check: (call) => check(facts, call),
    prepare: (submission, call) => prepare(facts, submission, call),
    submit: (submission, call) => submit(facts, submission, call),
    look: (delivery_id, call) => look(facts, delivery_id, call),
    answers: (call) => answers(facts, call),
    settleAnswer: (name, outcome, call) => settleAnswer(facts, name, outcome, call),
  };
}

/** Writes and removes a file, because permissions alone do not tell whether a file can be written. */
async function check(
  { files, faultOf }: FolderFacts,
  call: Parameters<AccessPoint["check"]>[0],
): Promise<CheckOutcome> {
  const probe = "out/.matchbook-check";
  const work = async (): Promise<CheckOutcome> => {
    if (call.is_connecting) await files.makeFolders(FOLDERS);
    for (const folder of FOLDERS) {
      if (await files.has(folder)) continue;
      return { state: "unavailable", text: `The folder ${folder} is missing.` };
    }
    await files.write(
      probe,
      new TextEncoder().encode("Matchbook checks that it can write here.\n"),
    );
    await files.remove(probe);
    return { state: "connected" };
  };
  return within(call, work).catch((error: unknown) => {
    const { connection, text } = faultOf(error);
    return { state: connection ?? "unavailable", text };
  });
}

async function prepare(
  { files, faultOf, capabilities }: FolderFacts,
  submission: Submission,
  call: Call,
): Promise<SubmitOutcome | null> {
  const work = async (): Promise<SubmitOutcome | null> => {
    const { delivery_id, xml } = submission;
    if (await files.has(fileOf(delivery_id))) return { state: "written" };
    const bytes = capabilities.envelope === "sbd" ? envelopeOf(submission) : xml;
    await files.write(partOf(delivery_id), bytes);
    return null;
  };
  return within(call, work).catch((error: unknown) => ({
    state: "not_taken",
    ...faultOf(error),
  }));
}

async function submit(facts: FolderFacts, { delivery_id }: Submission, call: Call) {
  const { files, faultOf } = facts;
  try {
    const rename = () => files.rename(partOf(delivery_id), fileOf(delivery_id));
    if (await within(call, rename)) return { state: "written" } as const;
    const text = "The prepared file is gone from the folder.";
    return { state: "unknown", code: "part_gone", text } as const;
  } catch (error) {
    const fault = faultOf(error);
    // The rename may have happened in spite of the error, unless the part is still there.
    const found = await look(facts, delivery_id, call);
    // A rename that was given up may happen later, so it is not followed by another `prepare`.
    if (found.state === "prepared" && !call.signal.aborted)
      return { state: "not_taken", ...fault } as const;
    if (found.state === "written") return { state: "written" } as const;
    return { state: "unknown", code: fault.code, text: fault.text } as const;
  }
}

/** Looks at the names in the order in which a file moves through them, so that a file that moves in between is found. */
async function look(
  { files, faultOf, capabilities }: FolderFacts,
  delivery_id: string,
  call: Call,
): Promise<LookOutcome> {
  const work = async (): Promise<LookOutcome> => {
    if (await files.has(partOf(delivery_id))) return { state: "prepared" };
    if (await files.has(fileOf(delivery_id))) return { state: "written" };
    const answered = capabilities.reports ? await lookAtAnswers(files, delivery_id) : null;
    if (answered !== null) return answered;
    // A disk may have been away for a moment: a file is only gone from a folder that exists, at one moment.
    const names = await files.list("out");
    if (names === undefined) return { state: "not_answered", connection: "unavailable" };
    if (names.includes(`${delivery_id}.xml.part`)) return { state: "prepared" };
    return { state: names.includes(`${delivery_id}.xml`) ? "written" : "gone" };
  };
  return within(call, work).catch((error: unknown) => ({
    state: "not_answered",
    connection: faultOf(error).connection,
  }));
}

/** Programs write answers under another name first: a hidden file, or one with another ending, is not an answer yet. */
async function answers(
  { files }: FolderFacts,
  call: Call,
): Promise<readonly WaitingAnswer[] | null> {
  const work = async (): Promise<WaitingAnswer[]> => {
    const waiting: WaitingAnswer[] = [];
    const names = ((await files.list("in")) ?? []).filter(isAnswer).slice(0, MOST_ANSWERS);
    for (const name of names) {
      const bytes = await files.read(`in/${name}`, MOST_ANSWER_BYTES);
      if (bytes !== undefined) waiting.push({ name, bytes });
    }
    return waiting;
  };
  return within(call, work).catch(() => null);
}

async function settleAnswer(
  { files }: FolderFacts,
  name: string,
  outcome: "done" | "refused",
  call: Call,
): Promise<boolean> {
  const work = async (): Promise<boolean> => {
    if (!isAnswer(name)) return false;
    for (let number = 0; number < MOST_NAMES; number += 1) {
      const to = `in/${outcome}/${numbered(name, number)}`;
      if (!(await files.has(to))) return files.rename(`in/${name}`, to);
    }
    return false;
  };
  return within(call, work).catch(() => false);
}

function isAnswer(name: string): boolean {
  return /^[^./\\][^/\\\p{Cc}]*\.xml$/iu.test(name);
}

function numbered(name: string, number: number): string {
  return number === 0 ? name : name.replace(/(\.xml)$/i, `-${number}$1`);
}

/** Ends with the call: a file system of another machine may not answer for minutes. */
function within<Result>({ signal }: Call, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const end = (): void => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", end));
  });
}
