/** The texts of the notices to the owner of an address, in Danish and English. */
import { visibleLine } from "../../../domain/base/text.ts";
import type { Note } from "../../../platform/mail/note.ts";

export type News =
  | { readonly kind: "password" }
  | { readonly kind: "address" }
  /** The name is the one that the client claims. */
  | { readonly kind: "grant"; readonly client_name: string; readonly scopes: readonly string[] }
  | { readonly kind: "admin"; readonly admin_name: string; readonly admin_email: string }
  | { readonly kind: "locked_out"; readonly minutes: number };

interface OwnerFacts {
  readonly email: string;
  readonly account: string;
  readonly base_url: string;
}

type Texts = (news: News, facts: OwnerFacts) => Note;

export const ownerTexts: Readonly<Record<"da" | "en", Texts>> = { da: danish, en: english };

function english(news: News, { email, base_url, ...facts }: OwnerFacts): Note {
  const account = visibleLine(facts.account);
  switch (news.kind) {
    case "password":
      return {
        subject: "Your password for Matchbook was changed",
        text: `The password of ${email} was changed a moment ago. Whoever was signed in with the old one is signed out, and assistants have to be connected anew.

If that was not you, choose another password at once, and tell an admin of ${account}:

${base_url}/forgot-password
`,
      };
    case "address":
      return {
        subject: `Your address at ${account} was changed`,
        text: `In ${account} your user has another address now. ${email} no longer signs in there, and what was signed in or connected with it has ended.

If you did not expect that, ask an admin of ${account}.
`,
      };
    case "grant":
      return {
        subject: `An assistant was connected to ${account}`,
        text: `A program that calls itself "${visibleLine(news.client_name)}" may work with ${account} in your name from now on, for 30 days at most. It may: ${news.scopes.join(", ")}.

If that was not you, revoke it under My assistants, and choose another password:

${base_url}/settings/assistants
${base_url}/forgot-password
`,
      };
    case "admin": {
      const admin = visibleLine(news.admin_name);
      return {
        subject: `${admin} is now an admin of ${account}`,
        text: `${admin} (${news.admin_email}) was made an admin of ${account} a moment ago. An admin sees and changes everything in the account, and makes API keys.

If you did not expect that, ask the other admins at once, or those who run Matchbook for you.
`,
      };
    }
    case "locked_out":
      return {
        subject: "Too many wrong passwords for your address",
        text: `Somebody has given too many wrong passwords for ${email}. From where they came, or from anywhere, nobody can sign in with it for up to ${news.minutes} minutes.

If that was you, wait, or choose another password, which lets you in at once. If it was not, your password has not been found, and there is nothing that you have to do.

${base_url}/forgot-password
`,
      };
  }
}

function danish(news: News, { email, base_url, ...facts }: OwnerFacts): Note {
  const account = visibleLine(facts.account);
  switch (news.kind) {
    case "password":
      return {
        subject: "Din adgangskode til Matchbook er ændret",
        text: `Adgangskoden for ${email} er netop blevet ændret. Alle, der var logget ind med den gamle, er logget ud, og assistenter skal forbindes igen.

Hvis det ikke var dig, så vælg straks en ny adgangskode, og sig det til en administrator hos ${account}:

${base_url}/forgot-password
`,
      };
    case "address":
      return {
        subject: `Din adresse hos ${account} er ændret`,
        text: `Din bruger hos ${account} har nu en anden adresse. ${email} kan ikke længere logge ind dér, og det, der var logget ind eller forbundet med den, er afsluttet.

Hvis du ikke ventede det, så spørg en administrator hos ${account}.
`,
      };
    case "grant":
      return {
        subject: `En assistent er forbundet til ${account}`,
        text: `Et program, der kalder sig "${visibleLine(news.client_name)}", må fra nu af arbejde med ${account} i dit navn, i højst 30 dage. Det må: ${news.scopes.join(", ")}.

Hvis det ikke var dig, så træk det tilbage under My assistants, og vælg en ny adgangskode:

${base_url}/settings/assistants
${base_url}/forgot-password
`,
      };
    case "admin": {
      const admin = visibleLine(news.admin_name);
      return {
        subject: `${admin} er nu administrator hos ${account}`,
        text: `${admin} (${news.admin_email}) er netop blevet gjort til administrator hos ${account}. En administrator kan se og ændre alt i kontoen og oprette API-nøgler.

Hvis du ikke ventede det, så spørg straks de andre administratorer eller dem, der driver Matchbook for jer.
`,
      };
    }
    case "locked_out":
      return {
        subject: "For mange forkerte adgangskoder for din adresse",
        text: `Nogen har angivet for mange forkerte adgangskoder for ${email}. Derfra, eller fra alle steder, kan ingen logge ind med den i op til ${news.minutes} minutter.

Hvis det var dig, så vent, eller vælg en ny adgangskode, som lukker dig ind med det samme. Hvis det ikke var, er din adgangskode ikke fundet, og du behøver ikke gøre noget.

${base_url}/forgot-password
`,
      };
  }
}
