import PostalMime from "postal-mime";
import { afterEach, describe, expect, it } from "vitest";
import {
  closeServers,
  startScripted,
  startServer,
} from "../../../test/support/mail/smtp-servers.ts";
import { type MailOutcome, type RenderedMail, renderMail } from "./mail.ts";
import { openSmtp, type SmtpOptions } from "./smtp.ts";

afterEach(closeServers);

const mail: RenderedMail = await renderMail({
  message_id: "0190f3a2@matchbook.example",
  from: "invoices@firm.example",
  from_name: "The Firm",
  to: "anna@customer.example",
  subject: "Faktura 1001 – Ærø",
  text: "Hello.\n.\n..two dots\nBye.",
  attachments: [
    {
      filename: "Faktura Æ.pdf",
      content_type: "application/pdf",
      content: Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7) % 256)),
    },
  ],
  date: "2026-03-10T09:30:00Z",
});

async function sendTo(
  port: number,
  rendered: RenderedMail = mail,
  options: Partial<SmtpOptions> = {},
): Promise<MailOutcome> {
  const transport = openSmtp({
    url: `smtp://127.0.0.1:${port}`,
    overall_limit_ms: 2_000,
    ...options,
  });
  const outcome = await transport.send(rendered);
  await transport.close();
  return outcome;
}

describe("openSmtp", () => {
  it("sends the rendered bytes unchanged to one recipient", async () => {
    const { port, received } = await startServer();
    expect(await sendTo(port)).toEqual({ state: "accepted" });

    expect(received).toHaveLength(1);
    expect(received[0]?.from).toBe("invoices@firm.example");
    expect(received[0]?.to).toEqual(["anna@customer.example"]);
    expect(received[0]?.raw.equals(mail.raw)).toBe(true);
    const parsed = await PostalMime.parse(received[0]?.raw ?? "");
    expect(parsed.subject).toBe("Faktura 1001 – Ærø");
    expect(parsed.text?.trimEnd()).toBe("Hello.\n.\n..two dots\nBye.");
    expect(parsed.messageId).toBe("<0190f3a2@matchbook.example>");
  });

  it("sends the same bytes on a resend", async () => {
    const { port, received } = await startServer();
    await sendTo(port);
    await sendTo(port);

    expect(received).toHaveLength(2);
    expect(received[1]?.raw.equals(received[0]?.raw ?? Buffer.alloc(0))).toBe(true);
  });

  it("sends user and password, percent-decoded", async () => {
    const seen: unknown[] = [];
    const { port, received } = await startServer({
      authOptional: false,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        seen.push([username, password]);
        done(null, { user: "1" });
      },
    });
    const url = `smtp://ann%40firm.example:p%2Fw%3A%C3%A6@127.0.0.1:${port}`;

    expect(await sendTo(port, mail, { url })).toEqual({ state: "accepted" });
    expect(seen).toEqual([["ann@firm.example", "p/w:æ"]]);
    expect(received).toHaveLength(1);
  });

  it("requires TLS before it sends a password to another machine", async () => {
    const { port, lines } = await startScripted("220 hi", (line) =>
      line.startsWith("EHLO") ? "250-hi\r\n250 AUTH PLAIN" : "502 no",
    );
    // This address reaches this machine, but the transport does not treat it as a loopback address.
    const outcome = await sendTo(port, mail, { url: `smtp://ann:secret@0.0.0.0:${port}` });

    expect(outcome).toMatchObject({ state: "failed_permanent" });
    expect(lines.some((line) => line.startsWith("AUTH"))).toBe(false);
  });

  it("reports an accepted message as accepted if the server closes without an answer to QUIT", async () => {
    const { port } = await startScripted("220 hi", (line) => {
      if (line === "QUIT") return null;
      return line === "DATA" ? "354 continue" : /^(EHLO|MAIL|RCPT|\.$)/.test(line) ? "250 ok" : "";
    });
    expect(await sendTo(port)).toEqual({ state: "accepted" });
  });

  it("sends simultaneous messages once each", async () => {
    const { port, received } = await startServer();
    const transport = openSmtp({ url: `smtp://127.0.0.1:${port}` });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transport.send({ ...mail, to: `customer-${index}@example.com` }),
      ),
    );
    await transport.close();

    expect(outcomes.every((outcome) => outcome.state === "accepted")).toBe(true);
    expect(new Set(received.map(({ to }) => to.join())).size).toBe(20);
  });

  it("waits for a message in progress when it closes", async () => {
    const { port, received } = await startServer();
    const transport = openSmtp({ url: `smtp://127.0.0.1:${port}` });
    void transport.send(mail);
    await transport.close();
    expect(received).toHaveLength(1);
  });

  it.each([
    "",
    "127.0.0.1:25",
    "http://127.0.0.1:25",
    "smtp://",
    "smtp://ann:top%secret@127.0.0.1:25",
    "smtp://ann:topsecret@127.0.0.1:25?tls=none",
    "smtp://ann:topsecret@127.0.0.1:99999",
  ])("refuses the address %j without repeating its password", (url) => {
    expect(() => openSmtp({ url })).toThrow(RangeError);
    expect(() => openSmtp({ url })).not.toThrow(/secret/);
  });
});
