import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { renderMail } from "./mail.ts";
import { mailHtml, partsOfText } from "./mail-html.ts";

const ATTACK = `"><img src=x onerror="alert(1)"><script>hit</script>'\`{{7*7}}\u0007`;

describe("mailHtml", () => {
  it("escapes every text and address, and stays ASCII", () => {
    const html = mailHtml({
      language: "en",
      title: ATTACK,
      parts: [
        { kind: "text", text: `${ATTACK}\nsecond line` },
        { kind: "amount", text: ATTACK, note: ATTACK },
        { kind: "button", label: ATTACK, href: ATTACK },
        { kind: "link", href: ATTACK },
      ],
    });
    expect(html).toMatch(/^[\n\x20-\x7e]*$/);
    expect(html.match(/<(img|script|link|iframe|style|base|form)\b/gi)).toBeNull();
    expect(html).not.toContain(`"><`.concat("img"));
    expect(html.match(/href="/g)).toHaveLength(2);
  });

  it("loads nothing from anywhere", () => {
    const html = mailHtml({ language: "da", title: "Æ", parts: [] });
    expect(html).not.toMatch(/\bsrc=|url\(|@import|@font-face|<link|background=/i);
    expect(html).toContain("&#198;");
  });

  it("keeps lines below the limit of mail, also for a long name without spaces", async () => {
    const name = "請".repeat(2000);
    const html = mailHtml({ language: "da", title: name, parts: [{ kind: "text", text: name }] });
    expect(Math.max(...html.split("\n").map((line) => line.length))).toBeLessThan(998);
    const { raw } = await renderMail({
      message_id: "1@matchbook.example",
      from: "a@firm.example",
      from_name: null,
      to: "b@customer.example",
      subject: "Æ",
      text: "Æ\n",
      html,
      attachments: [],
      date: "2026-03-10T09:30:00Z",
    });
    const mail = await PostalMime.parse(raw);
    expect([mail.text, mail.html]).toEqual(["Æ\n", expect.stringContaining("&#35531;")]);
    expect(raw.toString("latin1")).toMatch(/^Content-Type: multipart\/alternative/m);
  });
});

describe("renderMail", () => {
  it("refuses HTML that is not ASCII", async () => {
    const message = {
      message_id: "1@matchbook.example",
      from: "a@firm.example",
      from_name: null,
      to: "b@customer.example",
      subject: "x",
      text: "x",
      html: "Æ",
      attachments: [],
      date: "2026-03-10T09:30:00Z",
    };
    await expect(renderMail(message)).rejects.toThrow("not ASCII");
  });
});

describe("partsOfText", () => {
  const origin = "https://books.example";
  it.each([
    ["a paragraph", "Hello\nthere", null, [{ kind: "text", text: "Hello\nthere" }]],
    [
      "the first address as a button, the next as a link",
      `One\n\n${origin}/a\n${origin}/b`,
      "Open",
      [
        { kind: "text", text: "One" },
        { kind: "button", label: "Open", href: `${origin}/a` },
        { kind: "link", href: `${origin}/b` },
      ],
    ],
    ["an address without a label", `${origin}/a`, null, [{ kind: "link", href: `${origin}/a` }]],
    [
      "an address elsewhere as text",
      "https://evil.example/a",
      "Open",
      [{ kind: "text", text: "https://evil.example/a" }],
    ],
    [
      "an address with other text as text",
      `${origin}/a and more`,
      "Open",
      [{ kind: "text", text: `${origin}/a and more` }],
    ],
  ])("shows %s", (_case, text, button, parts) => {
    expect(partsOfText(text, origin, button)).toEqual(parts);
  });
});
