/** Sends a mail to the person who asks for it, to show whether mail leaves this installation. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { type Note, sendNoteNow } from "../../../platform/mail/note.ts";

/** `written`: to the outbox folder, because no mail server is set up or the account is a sandbox. */
export type TestMailOutcome = "sent" | "written" | "failed" | "held";

/** Sends the test to the caller's own address. Throws RATE_LIMITED. */
export const sendTestMail = defineCommand({
  name: "send_test_mail",
  access: "write",
  input: z.object({ subject: z.string(), text: z.string(), language: z.enum(["en", "da"]) }),

  async plan(tx, { subject, text, language }) {
    const to = tx.caller.person?.email ?? "";
    return { to, note: { subject, text, language, button: null } };
  },

  async commit(tx, plan): Promise<{ readonly to: string; readonly note: Note }> {
    await countMail(tx, "people");
    return plan;
  },

  async after(cx: Context, { to, note }): Promise<TestMailOutcome> {
    if (await cx.mail.hold.isHeld()) return "held";
    const { sandbox } = cx.caller;
    const outcome = await sendNoteNow(cx.mail, sandbox, to, note);
    if ("error_code" in outcome) {
      cx.log.warn(
        { error_code: outcome.error_code, err: outcome.cause },
        "a test mail was not sent",
      );
      return "failed";
    }
    return cx.mail.transportFor({ sandbox }).kind === "smtp" ? "sent" : "written";
  },
});
