/** Mails the admins of an account about an endpoint that has been failing for a day, or that gets nothing any more. */
import type { Context } from "../../../platform/commands/context.ts";
import type { Note } from "../../../platform/mail/note.ts";
import { mailAdmins, type NotedEndpoint } from "../webhooks/notify-admins.ts";

type News = "still_failing" | "disabled";

interface EndpointFacts {
  readonly url: string;
  readonly reason: "gone" | "failing" | null;
}

/** Mails the admins the news of an endpoint; never throws. Call outside of any transaction. */
export function notifyOfEndpoint(
  cx: Context,
  news: News,
  { url, reason }: EndpointFacts,
): Promise<void> {
  return mailAdmins(cx, url, (language, facts) => texts[language](news, { ...facts, reason }));
}

interface NoteFacts extends NotedEndpoint {
  readonly reason: EndpointFacts["reason"];
}

type Texts = (news: News, facts: NoteFacts) => Pick<Note, "subject" | "text">;

const texts: Readonly<Record<"da" | "en", Texts>> = {
  en: (news, { host, account, reason }) =>
    news === "still_failing"
      ? {
          subject: `Webhooks to ${host} have been failing for a day`,
          text: `Matchbook has sent no event of ${account} to ${host} for 24 hours: every attempt failed. The events wait and follow in order when ${host} answers again. After five days Matchbook stops trying.\n`,
        }
      : {
          subject: `Webhooks to ${host} have been disabled`,
          text: `Matchbook sends no more events of ${account} to ${host}: ${reason === "gone" ? "it answered that the address is gone (410)" : "every attempt of five days failed"}. The events wait for 30 days. An admin can enable the endpoint again.\n`,
        },
  da: (news, { host, account, reason }) =>
    news === "still_failing"
      ? {
          subject: `Webhooks til ${host} har fejlet i et døgn`,
          text: `Matchbook har ikke kunnet sende en eneste hændelse fra ${account} til ${host} i 24 timer: alle forsøg mislykkedes. Hændelserne venter og følger i rækkefølge, når ${host} svarer igen. Efter fem døgn stopper forsøgene.\n`,
        }
      : {
          subject: `Webhooks til ${host} er slået fra`,
          text: `Matchbook sender ikke flere hændelser fra ${account} til ${host}: ${reason === "gone" ? "svaret var, at adressen er nedlagt (410)" : "alle forsøg i fem døgn mislykkedes"}. Hændelserne venter i 30 døgn. En administrator kan slå adressen til igen.\n`,
        },
};
