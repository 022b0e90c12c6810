import type { SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";
import {
  afterData,
  closedPort,
  closeServers,
  refusal,
  startScripted,
  startServer,
} from "../../../test/support/mail/smtp-servers.ts";
import type { MailErrorCode, MailOutcome, RenderedMail } from "./mail.ts";
import { openSmtp, type SmtpOptions } from "./smtp.ts";

afterEach(closeServers);

const mail: RenderedMail = {
  message_id: "0190f3a2@matchbook.example",
  from: "invoices@firm.example",
  to: "anna@customer.example",
  raw: Buffer.from(`Subject: Invoice\r\n\r\n${"Hello.\r\n".repeat(200)}`),
};

const serverText = "message of the server";

type Attempt = () => Promise<MailOutcome>;
type Row = readonly [situation: string, MailOutcome["state"], MailErrorCode | null, Attempt];

async function sendTo(port: number, options: Partial<SmtpOptions> = {}): Promise<MailOutcome> {
  const transport = openSmtp({
    url: `smtp://127.0.0.1:${port}`,
    ...options,
  });
  const outcome = await transport.send(mail);
  await transport.close();
  return outcome;
}

/** One attempt at a real server; `url` receives the port. */
function real(
  options: SMTPServerOptions,
  url = (port: number) => `smtp://127.0.0.1:${port}`,
): Attempt {
  return async () => {
    const { port } = await startServer({ hideENHANCEDSTATUSCODES: true, ...options });
    return sendTo(port, { url: url(port) });
  };
}

function scripted(
  greeting: string | null,
  answer?: (line: string) => string | null,
  options: Partial<SmtpOptions> = {},
): Attempt {
  return async () => sendTo((await startScripted(greeting, answer)).port, options);
}

function recipientRefused(number: number, text = serverText): Attempt {
  return real({ onRcptTo: (_, __, done) => done(refusal(number, text)) });
}

function senderRefused(number: number): Attempt {
  return real({ onMailFrom: (_, __, done) => done(refusal(number, serverText)) });
}

function messageRefused(number: number): Attempt {
  return real({
    onData(stream, _, done) {
      stream.resume();
      stream.on("end", () => done(refusal(number, serverText)));
    },
  });
}

function passwordRefused(number: number): Attempt {
  return real(
    {
      authOptional: false,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(refusal(number, serverText)),
    },
    (port) => `smtp://ann:secret@127.0.0.1:${port}`,
  );
}

/** The replies of a server that accepts all commands except one, to which it sends the given reply. */
function at(command: string, reply: string | null): (line: string) => string | null {
  return (line) => (line.startsWith(command) ? reply : "250 ok");
}

/** The replies of a server that accepts DATA and answers the final dot with the given reply. */
function atEnd(reply: string | null): (line: string) => string | null {
  return afterData((line) => (line === "." ? reply : ""));
}

function pipelinedRefusal(line: string): string {
  if (line.startsWith("EHLO")) return "250-hi\r\n250 PIPELINING";
  if (line.startsWith("RCPT")) return `550 ${serverText}`;
  return line === "DATA" ? "354 continue" : "250 ok";
}

const smtps = (port: number) => `smtps://127.0.0.1:${port}`;
const tlsRequired = (port: number) => `smtp://127.0.0.1:${port}?tls=required`;
/** Long enough for a busy machine to reach the silent phase, which ends the attempt. */
const shortSilence = { socket_timeout_ms: 400 };

const rows: readonly Row[] = [
  ["250 after DATA", "accepted", null, real({})],

  ["RCPT 550", "failed_permanent", "recipient_refused", recipientRefused(550)],
  ["RCPT 451", "failed_temporary", "recipient_refused", recipientRefused(451)],
  ["RCPT 452", "failed_temporary", "recipient_refused", recipientRefused(452)],
  [
    "RCPT 550, pipelined",
    "failed_permanent",
    "recipient_refused",
    scripted("220", pipelinedRefusal),
  ],
  ["MAIL FROM 550", "failed_permanent", "sender_refused", senderRefused(550)],
  ["MAIL FROM 421", "failed_temporary", "sender_refused", scripted("220", at("MAIL", "421 no"))],
  [
    "command DATA 554",
    "failed_permanent",
    "message_refused",
    scripted("220", at("DATA", "554 no")),
  ],
  ["DATA 552", "failed_permanent", "message_refused", messageRefused(552)],
  ["DATA 554", "failed_permanent", "message_refused", messageRefused(554)],
  ["DATA 451", "failed_temporary", "message_refused", messageRefused(451)],
  ["over the announced SIZE", "failed_permanent", "message_too_large", real({ size: 1_000 })],

  ["connection lost after DATA", "unknown", "outcome_unknown", scripted("220", atEnd(null))],
  [
    "connection lost in the text",
    "unknown",
    "outcome_unknown",
    scripted(
      "220",
      afterData(() => null),
    ),
  ],
  [
    "half an answer after DATA",
    "unknown",
    "outcome_unknown",
    scripted("220", atEnd("451-more"), shortSilence),
  ],
  [
    "neither acceptance nor refusal after DATA",
    "unknown",
    "outcome_unknown",
    scripted("220", atEnd("354 what")),
  ],
  ["silence after DATA", "unknown", "outcome_unknown", scripted("220", atEnd(""), shortSilence)],
  [
    "silence after DATA until the overall limit",
    "unknown",
    "outcome_unknown",
    scripted("220", atEnd(""), { overall_limit_ms: 400 }),
  ],

  [
    "connection lost at DATA",
    "failed_temporary",
    "connection_lost",
    scripted("220", at("DATA", null)),
  ],
  [
    "silence at DATA",
    "failed_temporary",
    "no_answer_in_time",
    scripted("220", at("DATA", ""), shortSilence),
  ],
  [
    "no greeting",
    "failed_temporary",
    "no_answer_in_time",
    scripted("", undefined, { greeting_timeout_ms: 100 }),
  ],
  [
    "no greeting until the overall limit",
    "failed_temporary",
    "no_answer_in_time",
    scripted("", undefined, { overall_limit_ms: 100 }),
  ],
  ["connection closed before the greeting", "failed_temporary", "connection_lost", scripted(null)],
  ["greeting 421", "failed_temporary", "server_refused", scripted(`421 ${serverText}`)],
  ["greeting 554", "failed_permanent", "server_refused", scripted(`554 ${serverText}`)],
  ["not an SMTP server", "failed_temporary", "connection_lost", scripted("HTTP/1.1 400 Bad")],
  ["refused", "failed_temporary", "connection_failed", async () => sendTo(await closedPort())],
  [
    // The resolver itself refuses a label of 64 characters, without a network.
    "DNS",
    "failed_temporary",
    "host_not_found",
    () => sendTo(0, { url: `smtp://${"a".repeat(64)}.invalid:25` }),
  ],

  ["bad password 535", "failed_permanent", "authentication_failed", passwordRefused(535)],
  ["password unchecked 454", "failed_temporary", "authentication_failed", passwordRefused(454)],
  ["TLS missing", "failed_permanent", "secure_connection_failed", real({}, tlsRequired)],
  [
    "TLS not available now 454",
    "failed_temporary",
    "secure_connection_failed",
    scripted("220", (line) => (line === "STARTTLS" ? "454 later" : "250-hi\r\n250 STARTTLS")),
  ],
  [
    "STARTTLS, certificate of an unknown authority",
    "failed_permanent",
    "secure_connection_failed",
    real({ disabledCommands: ["AUTH"] }),
  ],
  [
    "smtps, certificate of an unknown authority",
    "failed_permanent",
    "secure_connection_failed",
    real({ secure: true }, smtps),
  ],
  ["smtps to a plain server", "failed_permanent", "secure_connection_failed", real({}, smtps)],
];

describe("the outcome of a message by the behaviour of the server", () => {
  it.each(rows)("%s: %s, %s", async (_, state, code, attempt) => {
    const outcome = await attempt();
    expect(outcome.state).toBe(state);
    if (!("error_text" in outcome)) return;
    expect(outcome.error_code).toBe(code);
    expect(outcome.error_text).toMatch(/^[A-Z][^()]*( \(\d{3}\))?\.$/);
    expect(outcome.error_text).not.toMatch(/message of the server|undefined/);
  });

  it.each([
    "",
    "anna",
    "a@example.com\r\nRCPT TO:<evil@example.com>",
    "a@b.example,c@evil.example",
  ])("is a refusal of the address %j without a request to the server", async (to) => {
    const { port, lines } = await startScripted("220 hi");
    const outcome = await openSmtp({ url: `smtp://127.0.0.1:${port}` }).send({ ...mail, to });

    expect(outcome).toMatchObject({ state: "failed_permanent", error_code: "address_invalid" });
    expect(lines).toEqual([]);
  });

  it("contains the codes of a refusal, not its text", async () => {
    expect(await recipientRefused(550, `5.1.1 ${serverText}`)()).toMatchObject({
      error_text: "The mail server refused the recipient's address (550 5.1.1).",
      cause: { responseCode: 550 },
    });
  });
});
