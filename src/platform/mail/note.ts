/**
 * Sends short messages to people about their sign-in. They are sent once and not stored, because they carry secrets; a person who
 * misses one requests another. They wait in the database only while all mail is held back.
 */
import { randomUUID } from "node:crypto";
import type { Context } from "../commands/context.ts";
import type { Reads } from "../database/database.ts";
import { timestampOf } from "../runtime/clock.ts";
import { type HeldNote, takeHeldNote } from "./hold.ts";
import { isMailAddress, renderMail } from "./mail.ts";
import { mailHtml, partsOfText } from "./mail-html.ts";
import type { MailTransports } from "./transports.ts";

export interface Note {
  readonly language: "da" | "en";
  readonly subject: string;
  readonly text: string;
  /** The label of the first address in the text, which the HTML part shows as a button; null without an address. */
  readonly button: string | null;
}

/** Sends a note; never throws. To be called outside of any transaction. */
export async function sendNote(
  cx: Pick<Context, "log" | "mail"> & { readonly caller: { readonly sandbox: boolean } },
  to: string,
  note: Note,
): Promise<void> {
  const { sandbox } = cx.caller;
  try {
    if (await cx.mail.hold.isHeld()) {
      if (!isMailAddress(to)) throw new Error("the recipient is not one e-mail address");
      return await cx.mail.hold.keep({ sandbox, recipient: to, ...note });
    }
    const outcome = await sendNoteNow(cx.mail, sandbox, to, note);
    if (!("error_code" in outcome)) return;
    cx.log.warn(
      { error_code: outcome.error_code, err: outcome.cause },
      "a note about a sign-in was not sent",
    );
  } catch (error) {
    cx.log.warn({ err: error }, "a note about a sign-in could not be written");
  }
}

/** Sends one message that was held back; returns whether there was one. */
export async function sendHeldNote(services: {
  readonly db: Reads;
  readonly log: Context["log"];
  readonly mail: MailTransports;
}): Promise<boolean> {
  const held: HeldNote | undefined = await takeHeldNote(services.db);
  if (held === undefined) return false;
  const { sandbox, recipient, ...note } = held;
  await sendNote({ ...services, caller: { sandbox } }, recipient, note);
  return true;
}

/** Sends a note at once, whether or not mail is held back. Throws for an address that is not one e-mail address. */
export async function sendNoteNow(mail: MailTransports, sandbox: boolean, to: string, note: Note) {
  const domain = mail.from.split("@").at(-1) ?? "localhost.localdomain";
  if (!isMailAddress(to)) throw new Error("the recipient is not one e-mail address");
  const rendered = await renderMail({
    message_id: `${randomUUID()}@${domain}`,
    from: mail.from,
    from_name: "Matchbook",
    to,
    subject: note.subject,
    text: note.text,
    html: mailHtml({
      language: note.language,
      title: note.subject,
      parts: partsOfText(note.text, mail.base_url, note.button),
    }),
    attachments: [],
    date: timestampOf(Date.now()),
  });
  return mail.transportFor({ sandbox }).send(rendered);
}
