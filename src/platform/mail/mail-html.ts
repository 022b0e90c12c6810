/**
 * Writes the HTML part of a mail: one look for documents, invitations and notices. The part is plain ASCII with numeric
 * character references, and loads nothing: no picture, no font, no style sheet.
 */

/** A paragraph, named values, a button with its address, or a plain link. All texts are foreign and get escaped. */
type MailPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "amount"; readonly text: string; readonly note: string | null }
  | { readonly kind: "button"; readonly label: string; readonly href: string }
  | { readonly kind: "link"; readonly href: string };

interface MailPage {
  readonly language: "da" | "en";
  readonly title: string;
  readonly parts: readonly MailPart[];
}

/** The colours of the pages in the light theme; mail programs know no custom properties. */
const COLORS = {
  paper: "#f5f4ef",
  sheet: "#fffefc",
  ink: "#1a1d19",
  quiet: "#50554d",
  line: "#e4e1d7",
  accent: "#0b5b49",
} as const;

const FONT = "font-family:Inter,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";

/** Returns the page as ASCII text whose lines end with a line feed. Each part begins a line. */
export function mailHtml({ language, title, parts }: MailPage): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escaped([...title].slice(0, 80).join(""))}</title>
</head>
<body style="margin:0;background:${COLORS.paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="${COLORS.paper}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="${COLORS.sheet}"
 style="max-width:560px;border:1px solid ${COLORS.line};border-radius:11px">
<tr><td style="padding:28px;${FONT};font-size:15px;line-height:1.5;color:${COLORS.ink}">
<h1 style="margin:0 0 16px;font-size:19px;line-height:1.3">${escapedText(title)}</h1>
${parts.map(written).join("\n")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function written(part: MailPart): string {
  switch (part.kind) {
    case "text":
      return `<p style="margin:0 0 16px">${escapedText(part.text).replaceAll("\n", "<br>\n")}</p>`;
    case "amount":
      return `<p style="margin:0 0 16px"><strong style="font-size:24px;line-height:1.3">${escapedText(part.text)}</strong>${
        part.note === null
          ? ""
          : `<br>\n<span style="color:${COLORS.quiet}">${escapedText(part.note)}</span>`
      }</p>`;
    case "button":
      return `<p style="margin:24px 0">
<a href="${escaped(part.href)}"
 style="display:inline-block;padding:11px 20px;border-radius:7px;background:${COLORS.accent};color:#ffffff;font-weight:600;text-decoration:none">${escapedText(part.label)}</a></p>`;
    case "link":
      return `<p style="margin:0 0 16px"><a href="${escaped(part.href)}" style="color:${COLORS.accent}">${escaped(part.href)}</a></p>`;
  }
}

/** Returns the parts of a plain text: its paragraphs, with lines that are addresses below `origin` as links. The first is the button. */
export function partsOfText(text: string, origin: string, button: string | null): MailPart[] {
  let label = button;
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((paragraph): MailPart[] => {
      const lines = paragraph.split("\n");
      const are_links = lines.every((line) => line.startsWith(`${origin}/`) && !/\s/.test(line));
      if (!are_links) return [{ kind: "text", text: paragraph }];
      return lines.map((href) => {
        const own = label;
        label = null;
        return own === null ? { kind: "link", href } : { kind: "button", label: own, href };
      });
    });
}

/** The most characters of a line; RFC 5322 allows 998. */
const LONGEST_LINE = 900;

/** Escapes text for elements. A long line is divided inside of a tag, so that no space appears in the text. */
function escapedText(text: string): string {
  let length = 0;
  return [...text]
    .map((character) => {
      const written = escaped(character);
      length = character === "\n" ? 0 : length + written.length;
      if (length < LONGEST_LINE / 2) return written;
      length = 0;
      return `${written}<wbr\n>`;
    })
    .join("");
}

/** Escapes text for elements and quoted attributes: letters beyond ASCII become references, invisible characters go. */
function escaped(text: string): string {
  return text
    .replace(/\p{Cf}|(?!\n)\p{Cc}/gu, "")
    .replace(/[&<>"'`]|[^\n\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
}
