/** Mails all admins of an account that its events go to another host from now on. */
import { visibleLine } from "../../../domain/base/text.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type Note, sendNote } from "../../../platform/mail/note.ts";
import { findWriter } from "../../access/people/find-language.ts";

/** What a note about an endpoint says of it: of its URL the host alone. */
export interface NotedEndpoint {
  readonly host: string;
  readonly account: string;
}

/** Mails all active admins what `write` says in their account's language; never throws. Call outside of any transaction. */
export async function mailAdmins(
  cx: Context,
  url: string,
  write: (language: Note["language"], facts: NotedEndpoint) => Pick<Note, "subject" | "text">,
): Promise<void> {
  try {
    const { account_id } = cx.caller;
    const { language, account_name } = await findWriter(cx.db, account_id);
    const admins = await cx.rows<{ email: string }>(sql`select email from users
      where account_id = ${account_id} and role = 'admin' and active order by id`);
    const host = visibleLine(new URL(url).host);
    const note = write(language, { host, account: visibleLine(account_name ?? "") });
    for (const { email } of admins) await sendNote(cx, email, { language, button: null, ...note });
  } catch (error) {
    cx.log.warn({ err: error }, "the admins could not be notified of a webhook endpoint");
  }
}

/** Mails the admins that events go to a URL from now on; never throws. Call outside of any transaction. */
export function notifyOfUrl(cx: Context, url: string): Promise<void> {
  return mailAdmins(cx, url, (language, facts) => texts[language](facts));
}

const texts: Readonly<
  Record<"da" | "en", (facts: NotedEndpoint) => Pick<Note, "subject" | "text">>
> = {
  en: ({ host, account }) => ({
    subject: `Events of ${account} are sent to ${host}`,
    text: `A webhook of ${account} sends its events to ${host} from now on. They contain what has changed, such as customers and invoices.

If you did not expect this, delete the webhook in the settings for developers, and end the API key that made it.
`,
  }),
  da: ({ host, account }) => ({
    subject: `Hændelser fra ${account} sendes til ${host}`,
    text: `En webhook i ${account} sender fra nu af hændelser til ${host}. De indeholder det, der er ændret, for eksempel kunder og fakturaer.

Hvis du ikke ventede det, så slet webhooken i indstillingerne for udviklere, og luk den API-nøgle, der har oprettet den.
`,
  }),
};
