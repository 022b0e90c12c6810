/**
 * Short messages to people about their sign-in. They are sent once and stored nowhere, because they carry
 * secrets; whoever misses one asks for another.
 */
import { randomUUID } from "node:crypto";
import { timestampOf } from "../clock.ts";
import type { Context } from "../context.ts";
import { isMailAddress, renderMail } from "./mail.ts";
import type { Mailroom } from "./mailroom.ts";

export interface Note {
  readonly subject: string;
  readonly text: string;
}

/** Sends a note; never throws. To be called outside of any transaction. */
export async function sendNote(
  cx: Pick<Context, "log" | "mail"> & { readonly caller: { readonly sandbox: boolean } },
  to: string,
  note: Note,
): Promise<void> {
  try {
    const outcome = await sendBy(cx.mail, cx.caller.sandbox, to, note);
    if (!("error_code" in outcome)) return;
    cx.log.warn(
      { error_code: outcome.error_code, err: outcome.cause },
      "a note about a sign-in was not sent",
    );
  } catch (error) {
    cx.log.warn({ err: error }, "a note about a sign-in could not be written");
  }
}

async function sendBy(mail: Mailroom, sandbox: boolean, to: string, note: Note) {
  const domain = mail.from.split("@").at(-1) ?? "localhost.localdomain";
  if (!isMailAddress(to)) throw new Error("the recipient is not one e-mail address");
  const rendered = await renderMail({
    message_id: `${randomUUID()}@${domain}`,
    from: mail.from,
    from_name: "Matchbook",
    to,
    subject: note.subject,
    text: note.text,
    attachments: [],
    date: timestampOf(Date.now()),
  });
  return mail.transportFor({ sandbox }).send(rendered);
}
