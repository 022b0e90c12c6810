/**
 * The SMTP transport: one connection per message, driven step by step. The library asks for the text only after the
 * server accepts DATA. Any failure before that means that the message was not sent, whatever its error code.
 */
import { Readable } from "node:stream";
import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { isMailAddress, type MailOutcome, type MailTransport, type RenderedMail } from "./mail.ts";
import { addressInvalid, classifySmtpError, outOfTime } from "./smtp-outcome.ts";

export interface SmtpOptions {
  /**
   * The server: `smtp://user:password@host:587` (STARTTLS when the server offers it) or `smtps://user:password@host:465`
   * (implicit TLS). User and password are percent-encoded. With a password and a host other than this machine, `smtp:` requires
   * STARTTLS; `?tls=optional` lifts that, `?tls=required` always requires it.
   */
  readonly url: string;
  /** Time for DNS, connecting, greeting and STARTTLS together; milliseconds, default 5,000. */
  readonly connection_timeout_ms?: number;
  /** Time until the greeting; milliseconds, default 5,000. */
  readonly greeting_timeout_ms?: number;
  /** Longest silence of the server; milliseconds, default 10,000. */
  readonly socket_timeout_ms?: number;
  /** Time for one message from beginning to end; milliseconds, default 10,000. */
  readonly overall_limit_ms?: number;
}

/**
 * Opens the transport; the first send makes the first connection. `accepted` means that the server took the message, not that it
 * was delivered.
 *
 * @throws RangeError when the URL is not an SMTP URL; the error does not repeat the URL, which
 *   contains a password.
 */
export function openSmtp(options: SmtpOptions): MailTransport {
  const server = readSmtpUrl(options.url);
  const sending = new Set<Promise<MailOutcome>>();
  return {
    kind: "smtp",
    async send(rendered) {
      const outcome = deliver(server, options, rendered);
      sending.add(outcome);
      try {
        return await outcome;
      } finally {
        sending.delete(outcome);
      }
    },
    async close() {
      await Promise.all(sending);
    },
  };
}

interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | null;
}

function deliver(
  server: SmtpServer,
  options: SmtpOptions,
  rendered: RenderedMail,
): Promise<MailOutcome> {
  // The explicit envelope has one sender and one recipient: nothing splits a list here.
  if (!isMailAddress(rendered.from) || !isMailAddress(rendered.to)) {
    return Promise.resolve(addressInvalid());
  }
  return new Promise((resolve) => {
    let isSettled = false;
    let contentStarted = false;
    const connection = new SMTPConnection({
      host: server.host,
      port: server.port,
      secure: server.secure,
      requireTLS: server.requireTLS,
      connectionTimeout: options.connection_timeout_ms ?? 5_000,
      dnsTimeout: options.connection_timeout_ms ?? 5_000,
      greetingTimeout: options.greeting_timeout_ms ?? 5_000,
      socketTimeout: options.socket_timeout_ms ?? 10_000,
      socketCloseTimeout: 500,
    });
    const content = new Readable({
      read() {
        contentStarted = true;
        this.push(rendered.raw);
        this.push(null);
      },
    });
    const settle = (outcome: MailOutcome): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(limit);
      if (outcome.state === "accepted") quit(connection);
      else connection.close();
      content.destroy();
      resolve(outcome);
    };
    const fail = (error: NodemailerError): void => settle(classifySmtpError(error, contentStarted));
    const limit = setTimeout(
      () => settle(outOfTime(contentStarted)),
      options.overall_limit_ms ?? 10_000,
    );

    const sendContent = (): void => {
      const envelope = { from: rendered.from, to: [rendered.to], size: rendered.raw.length };
      connection.send(envelope, content, (error, info) => {
        // The library reports success as long as the server accepts one recipient.
        const refused = error ?? info.rejectedErrors?.[0];
        if (refused) fail(refused);
        else settle({ state: "accepted" });
      });
    };

    connection.on("error", fail);
    // The library may end a session without an error; an error that explains the end can follow within the tick.
    connection.once("end", () => setImmediate(() => fail(connectionEnded())));
    connection.connect((connectError) => {
      if (connectError) return fail(connectError);
      if (server.credentials === null || !connection.allowsAuth) return sendContent();
      connection.login({ ...server.credentials }, (loginError) =>
        loginError ? fail(loginError) : sendContent(),
      );
    });
  });
}

/** Sends QUIT, but neither the connection nor the process waits long for the response. */
function quit(connection: SMTPConnection): void {
  connection.quit();
  const close_timer = setTimeout(() => connection.close(), 500);
  connection.once("end", () => clearTimeout(close_timer));
}

function connectionEnded(): NodemailerError {
  return Object.assign(new Error("The SMTP session ended early."), { code: "ECONNECTION" });
}

function readSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || !url.hostname) {
    throw new RangeError("The SMTP address must look like smtp://user:password@host:587.");
  }
  const tls = url.searchParams.get("tls");
  if (tls !== null && tls !== "required" && tls !== "optional") {
    throw new RangeError("The SMTP address may end in ?tls=required or ?tls=optional only.");
  }
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const credentials = readCredentials(url);
  const sendsPasswordAway = credentials !== null && !/^(localhost|127\..*|::1)$/.test(host);
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && (tls === "required" || (tls === null && sendsPasswordAway)),
    credentials,
  };
}

function readCredentials(url: URL): SmtpServer["credentials"] {
  if (url.username === "" && url.password === "") return null;
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  } catch {
    throw new RangeError("User and password in the SMTP address must be percent-encoded.");
  }
}
