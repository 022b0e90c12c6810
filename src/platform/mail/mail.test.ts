import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { MailFieldError, type MailMessage, renderMail } from "./mail.ts";

const message: MailMessage = {
  message_id: "0190f3a2-7c1e-7d3a-9b1c-1f2e3d4c5b6a@matchbook.example",
  from: "invoices@firm.example",
  from_name: "The Firm",
  to: "anna@customer.example",
  subject: "Invoice 1001",
  text: "Hello.\nYour invoice is attached.\n",
  attachments: [],
  date: "2026-03-10T09:30:00Z",
};

/** The header lines above the body, unfolded. */
function headerLines(raw: Buffer): string[] {
  const [head = ""] = raw.toString("utf8").split("\r\n\r\n");
  return head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
}

describe("header texts", () => {
  it.each([
    ["\u202Egpj.exe", "gpj.exe"],
    ["Acme\u200B\u200D ApS\uFEFF", "Acme ApS"],
    ["soft\u00ADhyphen \u2066isolate\u2069", "softhyphen isolate"],
    ["two\u2028lines\tand\u0007 a bell", "two lines and a bell"],
  ])("of %j lose invisible characters in subject and names", async (given, shown) => {
    const rendered = await renderMail({ ...message, subject: given, from_name: given });
    const mail = await PostalMime.parse(rendered.raw);
    expect([mail.subject, mail.from?.name]).toEqual([shown, shown]);
  });
});

describe("renderMail", () => {
  it("writes the given id, date, sender and recipient into the headers", async () => {
    const rendered = await renderMail({ ...message, reply_to: "ann@firm.example" });
    const mail = await PostalMime.parse(rendered.raw);

    expect(mail.messageId).toBe(`<${message.message_id}>`);
    expect(mail.date).toBe("2026-03-10T09:30:00.000Z");
    expect(mail.from).toEqual({ name: "The Firm", address: "invoices@firm.example" });
    expect(mail.to).toEqual([{ name: "", address: "anna@customer.example" }]);
    expect(mail.replyTo).toEqual([{ name: "", address: "ann@firm.example" }]);
    expect(rendered).toMatchObject({
      message_id: message.message_id,
      from: "invoices@firm.example",
      to: "anna@customer.example",
    });
  });

  it("omits the header of a missing reply address", async () => {
    const { raw } = await renderMail({ ...message, reply_to: null });
    expect(headerLines(raw).some((line) => /^reply-to/i.test(line))).toBe(false);
  });

  it("preserves letters of any script in subject, names, file name and text", async () => {
    const subject = "Faktura 1001 – Ærø Smørrebrød 請求書 🧾";
    const text = "Kære Åse,\n\nBeløb: 1.250,50 €\n.\n.. en linje med punktum\n";
    const filename = "Faktura Ærø 請求書 “1001”.pdf";
    const { raw } = await renderMail({
      ...message,
      from_name: "Børge & Søn, ApS",
      subject,
      text,
      attachments: [{ filename, content_type: "application/pdf", content: Buffer.from("%PDF") }],
    });
    const mail = await PostalMime.parse(raw);

    expect(raw.every((byte) => byte < 128)).toBe(true);
    expect(mail.subject).toBe(subject);
    expect(mail.text?.trimEnd()).toBe(text.trimEnd());
    expect(mail.from?.name).toBe("Børge & Søn, ApS");
    expect(mail.attachments[0]?.filename).toBe(filename);
  });

  it.each([
    ["long lines", `${"word ".repeat(300)}end\nnext`],
    ["a line without a space", `${"x".repeat(3_000)}\nnext`],
    ["spaces at the ends of lines", "  a  \n -- \n\tb\n"],
    ["lines that resemble mbox and SMTP", "From here\n.\n..\n> quoted\n"],
  ])("preserves %s in the text", async (_, text) => {
    const mail = await PostalMime.parse((await renderMail({ ...message, text })).raw);
    expect(mail.text?.trimEnd()).toBe(text.trimEnd());
  });

  it.each([
    ["application/pdf", Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))],
    ["application/xml", Buffer.from("<?xml version='1.0'?>\r\n<a>Æ\n</a>\n.\n")],
    ["text/csv", Buffer.from("a;b\r\n1;2\n3;4\r5;6   \n")],
    ["text/plain", Buffer.alloc(0)],
  ])("attaches %s byte for byte", async (content_type, content) => {
    const { raw } = await renderMail({
      ...message,
      attachments: [{ filename: "a.bin", content_type, content: new Uint8Array(content) }],
    });
    const mail = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });

    expect(mail.attachments).toHaveLength(1);
    expect(mail.attachments[0]?.mimeType).toBe(content_type);
    const parsed = Buffer.from(mail.attachments[0]?.content as ArrayBuffer);
    expect(parsed.equals(content)).toBe(true);
  });

  it("ends every line with CRLF, so that the bytes survive SMTP unchanged", async () => {
    const { raw } = await renderMail({ ...message, text: "a\nb\r\nc\n" });
    expect(raw.toString("latin1").replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("writes an internationalised domain in its ASCII form in header and envelope", async () => {
    const rendered = await renderMail({ ...message, to: "info@søborg.dk" });
    expect(rendered.to).toBe("info@xn--sborg-vua.dk");
    expect(headerLines(rendered.raw)).toContain("To: info@xn--sborg-vua.dk");
  });

  it.each([
    ["subject", { subject: "Hi\r\nBcc: evil@example.com\r\n\r\nbody" }],
    ["subject with a bare CR", { subject: "Hi\rBcc: evil@example.com" }],
    ["sender's name", { from_name: 'A" <x@y.example>\r\nBcc: evil@example.com' }],
    ["sender's name as a list", { from_name: "A <evil@example.com>, B" }],
    [
      "file name",
      {
        attachments: [
          {
            filename: 'a.pdf"\r\nBcc: evil@example.com\r\nX: "',
            content_type: "application/pdf",
            content: Buffer.from("x"),
          },
        ],
      },
    ],
  ])("adds no header and no recipient from a hostile %s", async (_, hostile) => {
    const rendered = await renderMail({ ...message, ...hostile });
    const mail = await PostalMime.parse(rendered.raw);
    const names = mail.headers.map((header) => header.key).sort();

    expect(names.filter((name) => name !== "content-transfer-encoding")).toEqual([
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ]);
    expect(rendered.raw.toString("latin1")).not.toMatch(/^bcc:/im);
    expect(mail.from?.address).toBe("invoices@firm.example");
    expect(mail.to).toHaveLength(1);
    expect(mail.text?.trimEnd()).toBe(message.text.trimEnd());
    expect(rendered.to).toBe("anna@customer.example");
  });

  it.each([
    ["to", { to: "b@example.com\r\nBcc: evil@example.com" }],
    ["to", { to: "a@example.com, c@evil.example" }],
    ["to", { to: "" }],
    ["from", { from: "Firm <a@example.com>" }],
    ["reply_to", { reply_to: "a@example.com\r\nBcc: evil@example.com" }],
    ["message_id", { message_id: "a@b>\r\nBcc: evil@example.com" }],
    ["message_id", { message_id: "../../etc/a@b" }],
    ["message_id", { message_id: "without-a-domain" }],
    ["date", { date: "tomorrow" }],
    [
      "content_type",
      {
        attachments: [
          { filename: "a", content_type: "a/b\r\nBcc: e@e.example", content: Buffer.from("x") },
        ],
      },
    ],
  ])("refuses a malformed %s: %o", async (field, hostile) => {
    const error = await renderMail({ ...message, ...hostile }).catch((reason) => reason);
    expect(error).toBeInstanceOf(MailFieldError);
    expect(error.field).toBe(field);
  });

  it("renders different bytes each time, so the bytes must be stored", async () => {
    const attachments = [
      { filename: "a.pdf", content_type: "application/pdf", content: Buffer.from("x") },
    ];
    const first = await renderMail({ ...message, attachments });
    const second = await renderMail({ ...message, attachments });
    expect(first.raw.equals(second.raw)).toBe(false);
  });
});
