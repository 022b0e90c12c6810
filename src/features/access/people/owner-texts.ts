/** The texts of the notices to the owner of an address, in Danish and English. */
import { visibleLine } from "../../../domain/base/text.ts";
import type { Note } from "../../../platform/mail/note.ts";
import { type FactorNews, factorTexts, isAboutFactor } from "./factor-texts.ts";

export type News =
  | FactorNews
  | { readonly kind: "password" }
  | { readonly kind: "address" }
  /** The name is the one that the client claims. */
  | { readonly kind: "grant"; readonly client_name: string; readonly scopes: readonly string[] }
  | { readonly kind: "admin"; readonly admin_name: string; readonly admin_email: string }
  | { readonly kind: "locked_out"; readonly minutes: number }
  | { readonly kind: "sign_in_link"; readonly minutes: number };

interface OwnerFacts {
  readonly email: string;
  readonly account: string;
  readonly base_url: string;
}

type Texts = (news: News, facts: OwnerFacts) => Omit<Note, "language">;

export const ownerTexts: Readonly<Record<"da" | "en", Texts>> = { da: danish, en: english };

function english(news: News, { email, base_url, ...facts }: OwnerFacts): Omit<Note, "language"> {
  const account = visibleLine(facts.account);
  if (isAboutFactor(news)) return factorTexts.en(news, { email, account, base_url });
  switch (news.kind) {
    case "password":
      return {
        subject: "Your password for Matchbook was changed",
        button: "Choose another password",
        text: `The password of ${email} was changed a moment ago. All sessions with the old password have been signed out, and assistants must be connected again.

If that was not you, choose another password immediately, and inform an admin of ${account}:

${base_url}/forgot-password
`,
      };
    case "address":
      return {
        subject: `Your address at ${account} was changed`,
        button: null,
        text: `In ${account} your user now has another address. ${email} can no longer sign in there, and its sessions and connected assistants have ended.

If you did not expect this, contact an admin of ${account}.
`,
      };
    case "grant":
      return {
        subject: `An assistant was connected to ${account}`,
        button: "My assistants",
        text: `A program that calls itself "${visibleLine(news.client_name)}" may work with ${account} in your name from now on, for 30 days at most. It may: ${news.scopes.join(", ")}.

If that was not you, revoke it under Assistants, and choose another password:

${base_url}/assistants
${base_url}/forgot-password
`,
      };
    case "admin": {
      const admin = visibleLine(news.admin_name);
      return {
        subject: `${admin} is now an admin of ${account}`,
        button: null,
        text: `${admin} (${news.admin_email}) was made an admin of ${account} a moment ago. An admin can view and change everything in the account, and can create API keys.

If you did not expect this, contact the other admins or the operator of your Matchbook installation immediately.
`,
      };
    }
    case "locked_out":
      return {
        subject: "Too many wrong passwords for your address",
        button: "Choose another password",
        text: `There were too many attempts to sign in as ${email} with a wrong password. For up to ${news.minutes} minutes, sign-in with this address is blocked from where the attempts came, or from anywhere.

If that was you, wait, or choose another password, which lets you sign in immediately. If it was not you, your password has not been guessed, and you do not need to do anything.

${base_url}/forgot-password
`,
      };
    case "sign_in_link":
      return {
        subject: "A sign-in link was made for your address",
        button: null,
        text: `The operator of this Matchbook installation made a link that signs in as ${email} without the password. It can be used once, within ${news.minutes} minutes.

If you did not expect this, contact the operator of your Matchbook installation immediately.
`,
      };
  }
}

function danish(news: News, { email, base_url, ...facts }: OwnerFacts): Omit<Note, "language"> {
  const account = visibleLine(facts.account);
  if (isAboutFactor(news)) return factorTexts.da(news, { email, account, base_url });
  switch (news.kind) {
    case "password":
      return {
        subject: "Din adgangskode til Matchbook er ændret",
        button: "Vælg en ny adgangskode",
        text: `Adgangskoden for ${email} er netop blevet ændret. Alle, der var logget ind med den gamle, er logget ud, og assistenter skal forbindes igen.

Hvis det ikke var dig, så vælg straks en ny adgangskode, og kontakt en administrator hos ${account}:

${base_url}/forgot-password
`,
      };
    case "address":
      return {
        subject: `Din adresse hos ${account} er ændret`,
        button: null,
        text: `Din bruger hos ${account} har nu en anden adresse. ${email} kan ikke længere logge ind dér, og alle sessioner og forbundne assistenter med den er afsluttet.

Hvis du ikke forventede dette, så kontakt en administrator hos ${account}.
`,
      };
    case "grant":
      return {
        subject: `En assistent er forbundet til ${account}`,
        button: "Mine assistenter",
        text: `Et program, der kalder sig "${visibleLine(news.client_name)}", må fra nu af arbejde med ${account} i dit navn, i højst 30 dage. Det må: ${news.scopes.join(", ")}.

Hvis det ikke var dig, så fjern adgangen under Assistenter, og vælg en ny adgangskode:

${base_url}/assistants
${base_url}/forgot-password
`,
      };
    case "admin": {
      const admin = visibleLine(news.admin_name);
      return {
        subject: `${admin} er nu administrator hos ${account}`,
        button: null,
        text: `${admin} (${news.admin_email}) er netop blevet gjort til administrator hos ${account}. En administrator kan se og ændre alt i kontoen og oprette API-nøgler.

Hvis du ikke forventede dette, så kontakt straks de andre administratorer eller den driftsansvarlige for Matchbook.
`,
      };
    }
    case "locked_out":
      return {
        subject: "For mange forkerte adgangskoder for din adresse",
        button: "Vælg en ny adgangskode",
        text: `Der har været for mange forsøg på at logge ind som ${email} med en forkert adgangskode. I op til ${news.minutes} minutter er login med adressen spærret derfra, hvor forsøgene kom, eller overalt.

Hvis det var dig, så vent, eller vælg en ny adgangskode, så du kan logge ind med det samme. Hvis det ikke var dig, er din adgangskode ikke blevet gættet, og du behøver ikke gøre noget.

${base_url}/forgot-password
`,
      };
    case "sign_in_link":
      return {
        subject: "Der er lavet et loginlink til din adresse",
        button: null,
        text: `Den driftsansvarlige for Matchbook har lavet et link, der logger ind som ${email} uden adgangskode. Det kan bruges én gang inden for ${news.minutes} minutter.

Hvis du ikke forventede dette, så kontakt straks den driftsansvarlige for Matchbook.
`,
      };
  }
}
