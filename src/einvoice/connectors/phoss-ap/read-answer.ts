/**
 * Reads the answers of phoss-ap as outcomes of the port. Whatever it does not describe is in doubt: after a submit that is
 * `unknown`, and after a look `not_answered`, so that nothing is sent twice because of an answer that was misread.
 */
import type { LedgerAnswer } from "../../../ledger/connector.ts";
import type { ConnectionFault, LookOutcome, SubmitOutcome } from "../../access-point.ts";
import { momentFrom, sentenceWith } from "../../outcome-words.ts";

type Answered = Extract<LedgerAnswer, { state: "answered" }>;
type Fields = Readonly<Record<string, unknown>>;

/** The text with which verification refuses a document; a report in its place means that the submission is stored. */
const NOT_STORED = "Failed to submit outbound transaction";

/** Returns the outcome of a submit. */
export function submitOutcomeFrom(answer: LedgerAnswer): SubmitOutcome {
  if (answer.state === "not_sent") return notTaken("unavailable", notSentText(answer));
  if (answer.state === "lost") return unconfirmed("no answer arrived");
  const content = jsonFrom(answer);
  switch (answer.status) {
    case 200:
      return isFields(content)
        ? { state: "delivered", at: momentFrom(content.completedDT), is_final: false }
        : unconfirmed("it answered 200 without a report");
    case 400:
      return {
        state: "refused",
        code: "einvoice_identifier",
        text: sentenceWith("The access point refuses an identifier", detailFrom(content)),
      };
    case 401:
      return notTaken("unauthorized", "The access point refuses the token.");
    case 404:
      return notTaken("unavailable", "Sending is switched off at the access point.");
    case 422:
      return typeof content === "string" && content.startsWith(NOT_STORED)
        ? {
            state: "not_taken",
            code: "einvoice_not_taken",
            text: sentenceWith("The access point did not take the document", content),
            connection: null,
          }
        : unconfirmed("it answered 422 with a report");
    default:
      return unconfirmed(`it answered ${answer.status}`);
  }
}

/** Returns what a look found; null for a 404, which only the engine itself may give. */
export function lookOutcomeFrom(answer: LedgerAnswer, instance_id: string): LookOutcome | null {
  if (answer.state === "not_sent") return { state: "not_answered", connection: "unavailable" };
  if (answer.state === "lost") return { state: "not_answered", connection: null };
  if (answer.status === 404) return null;
  if (answer.status === 401) return { state: "not_answered", connection: "unauthorized" };
  const content = answer.status === 200 ? jsonFrom(answer) : undefined;
  // An answer about another submission says nothing about this one.
  if (!isFields(content) || content.sbdhInstanceID !== instance_id) {
    return { state: "not_answered", connection: null };
  }
  return stateFrom(content);
}

function stateFrom(fields: Fields): LookOutcome {
  const detail = typeof fields.errorDetails === "string" ? fields.errorDetails : "";
  switch (fields.status) {
    case "pending":
    case "sending":
    // It tries again by itself: a second submit would be a second invoice.
    case "failed":
      return { state: "accepted", text: detail === "" ? null : sentenceWith("It waits", detail) };
    case "sent":
      return fields.mlsStatus === "received_re"
        ? {
            state: "rejected",
            text: sentenceWith("The receiver's side refused the document", detail),
          }
        : {
            state: "delivered",
            at: momentFrom(fields.completedDT),
            is_final: ["received_ap", "received_ab", "not_applicable"].includes(
              String(fields.mlsStatus),
            ),
          };
    case "rejected":
      return {
        state: "failed",
        code: "einvoice_invalid",
        text: sentenceWith("The access point refuses the document", detail),
      };
    case "permanently_failed":
      return {
        state: "failed",
        code: "einvoice_undeliverable",
        text: sentenceWith("The access point could not deliver the document", detail),
      };
    default:
      return { state: "not_answered", connection: null };
  }
}

/** Whether the answer to a request without a token is that of the engine, and not of a machine in front of it. */
export function isRefusedByEngine(answer: LedgerAnswer): boolean {
  if (answer.state !== "answered" || answer.status !== 401) return false;
  const content = jsonFrom(answer);
  return isFields(content) && "error" in content;
}

/** Why no byte of a request was sent, in words for a person. */
export function notSentText(answer: Extract<LedgerAnswer, { state: "not_sent" }>): string {
  return answer.reason === "not_allowed"
    ? "The address of the access point is not in MATCHBOOK_EINVOICE_HOSTS, or is not allowed."
    : "The access point cannot be reached.";
}

function notTaken(connection: ConnectionFault, text: string): SubmitOutcome {
  return { state: "not_taken", code: `einvoice_${connection}`, text, connection };
}

function unconfirmed(reason: string): SubmitOutcome {
  return {
    state: "unknown",
    code: "einvoice_unconfirmed",
    text: `The access point did not confirm the sending: ${reason}.`,
  };
}

function jsonFrom({ body }: Answered): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isFields(content: unknown): content is Fields {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function detailFrom(content: unknown): string {
  if (typeof content === "string") return content;
  return isFields(content) && typeof content.error === "string" ? content.error : "";
}
