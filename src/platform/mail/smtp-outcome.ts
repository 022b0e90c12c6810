/**
 * Determines the consequence of an SMTP error for the message. Before its text is sent, the server cannot have it;
 * after that, only the server's own refusal is definite. The library's error code does not distinguish the two.
 */
import type { NodemailerError } from "nodemailer/lib/errors";
import type { MailErrorCode, MailFailure } from "./mail.ts";

/**
 * Classifies the error that ended an SMTP session. 4xx answers, DNS and connection errors are temporary; 5xx answers, addresses,
 * authentication and TLS errors are permanent.
 *
 * @param error the error of the mail library
 * @param contentStarted whether any of the message text was taken for sending
 */
export function classifySmtpError(error: NodemailerError, contentStarted: boolean): MailFailure {
  const number = error.responseCode ?? 0;
  const isRefusal = number >= 400 && number <= 599;
  if (contentStarted && !(error.code === "EMESSAGE" && isRefusal)) {
    return failure("unknown", "outcome_unknown", error);
  }
  const errorCode = codeOf(error, isRefusal);
  // A server answers 500 to STARTTLS and 535 to a password, but 454 when a later attempt may succeed. So the kind of error is
  // tested first; the number only says whether to try again.
  if (isRefusal)
    return failure(number < 500 ? "failed_temporary" : "failed_permanent", errorCode, error);
  return failure(
    PERMANENT.has(errorCode) ? "failed_permanent" : "failed_temporary",
    errorCode,
    error,
  );
}

/** Returns the failure of a message whose time ran out: `unknown` when sending its text had begun. */
export function outOfTime(contentStarted: boolean): MailFailure {
  return contentStarted
    ? failure("unknown", "outcome_unknown", undefined)
    : failure("failed_temporary", "no_answer_in_time", undefined);
}

/** Returns the failure of a message whose sender or recipient is not one address; no server was contacted. */
export function addressInvalid(): MailFailure {
  return failure("failed_permanent", "address_invalid", undefined);
}

/** Kinds of errors that a new attempt does not cure, unless the server answered 4xx. */
const PERMANENT: ReadonlySet<MailErrorCode> = new Set([
  "address_invalid",
  "recipient_refused",
  "sender_refused",
  "message_refused",
  "message_too_large",
  "authentication_failed",
  "secure_connection_failed",
]);

const SENTENCES: Readonly<Partial<Record<MailErrorCode, string>>> = {
  address_invalid: "The sender or the recipient is not one valid email address",
  recipient_refused: "The mail server refused the recipient's address",
  sender_refused: "The mail server refused the sender's address",
  message_refused: "The mail server refused the message",
  message_too_large: "The message is larger than the mail server allows",
  authentication_failed: "The mail server did not accept our user name and password",
  secure_connection_failed: "A secure connection to the mail server could not be set up",
  host_not_found: "The mail server's name could not be resolved",
  connection_failed: "The mail server could not be reached",
  connection_lost: "The connection to the mail server ended before the message was sent",
  no_answer_in_time: "The mail server did not answer in time, and nothing was sent",
  server_refused: "The mail server refused to take mail from us",
  outcome_unknown: "The mail server did not confirm the message, which may have been sent",
};

function codeOf(error: NodemailerError, isRefusal: boolean): MailErrorCode {
  if (isTlsError(error)) return "secure_connection_failed";
  switch (error.code) {
    case "EAUTH":
      return "authentication_failed";
    case "EENVELOPE":
      if (error.command === "API") return "address_invalid";
      if (error.command === "MAIL FROM") return "sender_refused";
      return error.command === "RCPT TO" ? "recipient_refused" : "message_refused";
    case "EMESSAGE":
      return isRefusal ? "message_refused" : "message_too_large";
    case "EDNS":
      return "host_not_found";
    case "ETIMEDOUT":
      return "no_answer_in_time";
    case "ESOCKET":
      return neverConnected(error) ? "connection_failed" : "connection_lost";
    default:
      return isRefusal ? "server_refused" : "connection_lost";
  }
}

/** Whether the error is a TLS error: on a port with implicit TLS, a bad certificate is a socket error with an OpenSSL code. */
function isTlsError(error: NodemailerError): boolean {
  const original = error.code === "ESOCKET" ? (error.originalCode ?? "") : "";
  return (
    error.code === "ETLS" || /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^EPROTO$|^HOSTNAME_/.test(original)
  );
}

function neverConnected(error: NodemailerError): boolean {
  const original = error.originalCode ?? "";
  return error.syscall === "connect" || /^(ECONNREFUSED|E(HOST|NET)UNREACH)$/.test(original);
}

function failure(
  state: MailFailure["state"],
  errorCode: MailErrorCode,
  cause: NodemailerError | undefined,
): MailFailure {
  const numbers = /^([45]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(cause?.response ?? "");
  const answer =
    numbers && state !== "unknown" ? ` (${numbers.slice(1).filter(Boolean).join(" ")})` : "";
  return {
    state,
    error_code: errorCode,
    error_text: `${SENTENCES[errorCode]}${answer}.`,
    ...(cause === undefined ? {} : { cause }),
  };
}
