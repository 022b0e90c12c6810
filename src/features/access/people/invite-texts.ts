/** The texts of mails with a link for a sign-in, in Danish and English: an invitation, and a new password. */
import { visibleLine } from "../../../domain/base/text.ts";
import type { Note } from "../../../platform/mail/note.ts";

interface InvitationFacts {
  readonly account: string;
  readonly link: string;
  readonly days: number;
  /** Whether the address has a login: its owner only accepts. */
  readonly has_login: boolean;
}

/** Returns the mail of an invitation. The link is a line of its own. */
export function invitationNote(language: Note["language"], facts: InvitationFacts): Note {
  const { link, days, has_login } = facts;
  const account = visibleLine(facts.account);
  if (language === "da") {
    const asks = has_login
      ? "Åbn denne adresse for at acceptere, og log ind med din adgangskode til Matchbook:"
      : "Åbn denne adresse for at vælge en adgangskode og logge ind:";
    return {
      language,
      button: has_login ? "Accepter" : "Vælg en adgangskode",
      subject: `Invitation til ${account} på Matchbook`,
      text: `Du er inviteret til at arbejde med ${account} på Matchbook.

${asks}

${link}

Den kan bruges én gang, inden for ${days} dage. Hvis du ikke har ventet den, så gør ingenting.
`,
    };
  }
  const asks = has_login
    ? "Open this address to accept, and sign in with your existing Matchbook password:"
    : "Open this address to set a password and sign in:";
  return {
    language,
    button: has_login ? "Accept" : "Set a password",
    subject: `Invitation to ${account} on Matchbook`,
    text: `You are invited to work with ${account} on Matchbook.

${asks}

${link}

It can be used once, within ${days} days. If you did not expect this, do nothing.
`,
  };
}

/** Returns the mail with a link for a new password, which is valid for an hour. */
export function resetNote(language: Note["language"], link: string): Note {
  if (language === "da") {
    return {
      language,
      button: "Vælg en ny adgangskode",
      subject: "En ny adgangskode til Matchbook",
      text: `Der er bedt om en ny adgangskode til denne adresse, sandsynligvis af dig.

Åbn denne adresse for at vælge en:

${link}

Den kan bruges én gang, inden for en time. Hvis du ikke har bedt om den, så gør ingenting: din adgangskode er uændret.
`,
    };
  }
  return {
    language,
    button: "Choose a new password",
    subject: "A new password for Matchbook",
    text: `A new password was requested for this address, probably by you.

Open this address to choose one:

${link}

It can be used once, within an hour. If you did not ask for it, do nothing: your password stays as it is.
`,
  };
}
