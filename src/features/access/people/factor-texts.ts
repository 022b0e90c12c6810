/** The texts of the notices about second factors, in Danish and English. */
import type { Note } from "../../../platform/mail/note.ts";

export type FactorKind = "app" | "passkey";

export type FactorNews =
  | { readonly kind: "factor_added" | "factor_removed"; readonly factor: FactorKind }
  | { readonly kind: "factors_reset" }
  | { readonly kind: "factor_locked"; readonly minutes: number };

type FactorNote = Omit<Note, "language">;

interface Facts {
  readonly email: string;
  /** The name of the account as one visible line. */
  readonly account: string;
  readonly base_url: string;
}

const FACTORS_EN = { app: "An authenticator app", passkey: "A passkey" } as const;
const FACTORS_DA = { app: "En godkendelsesapp", passkey: "En adgangsnøgle" } as const;

export const factorTexts: Readonly<
  Record<"da" | "en", (news: FactorNews, facts: Facts) => FactorNote>
> = { da: danish, en: english };

/** Whether news are about a second factor. */
export function isAboutFactor<News extends { readonly kind: string }>(
  news: News | FactorNews,
): news is FactorNews {
  return news.kind.startsWith("factor");
}

function english(news: FactorNews, { email, account, base_url }: Facts): FactorNote {
  switch (news.kind) {
    case "factor_added":
      return {
        subject: `${FACTORS_EN[news.factor]} was added to your sign-in`,
        button: "Choose another password",
        text: `${FACTORS_EN[news.factor]} was added as a second factor for ${email} a moment ago. It is asked for after the password. All other sessions have been signed out.

If that was not you, choose another password immediately, and inform an admin of ${account}:

${base_url}/forgot-password
`,
      };
    case "factor_removed":
      return {
        subject: `${FACTORS_EN[news.factor]} was removed from your sign-in`,
        button: "Choose another password",
        text: `${FACTORS_EN[news.factor]} is no longer a second factor for ${email}.

If that was not you, choose another password immediately, and add a second factor again under Me:

${base_url}/forgot-password
${base_url}/me
`,
      };
    case "factors_reset":
      return {
        subject: "Your second factors for Matchbook were reset",
        button: "Choose another password",
        text: `The operator of your Matchbook installation has removed the second factors of ${email}. Sign-in asks for the password only. All sessions have been signed out.

If you did not ask for this, choose another password, and inform an admin of ${account}:

${base_url}/forgot-password
`,
      };
    case "factor_locked":
      return {
        subject: "Too many wrong codes for your address",
        button: "Choose another password",
        text: `After the right password of ${email}, too many wrong codes were given. For up to ${news.minutes} minutes no code is accepted.

If that was you, wait and try again. If it was not you, choose another password immediately:

${base_url}/forgot-password
`,
      };
  }
}

function danish(news: FactorNews, { email, account, base_url }: Facts): FactorNote {
  switch (news.kind) {
    case "factor_added":
      return {
        subject: `${FACTORS_DA[news.factor]} er føjet til dit login`,
        button: "Vælg en ny adgangskode",
        text: `${FACTORS_DA[news.factor]} er netop blevet føjet til som totrinsbekræftelse for ${email}. Den skal bruges efter adgangskoden. Alle andre sessioner er logget ud.

Hvis det ikke var dig, så vælg straks en ny adgangskode, og kontakt en administrator hos ${account}:

${base_url}/forgot-password
`,
      };
    case "factor_removed":
      return {
        subject: `${FACTORS_DA[news.factor]} er fjernet fra dit login`,
        button: "Vælg en ny adgangskode",
        text: `${FACTORS_DA[news.factor]} bruges ikke længere til totrinsbekræftelse for ${email}.

Hvis det ikke var dig, så vælg straks en ny adgangskode, og tilføj totrinsbekræftelse igen under Mig:

${base_url}/forgot-password
${base_url}/me
`,
      };
    case "factors_reset":
      return {
        subject: "Din totrinsbekræftelse til Matchbook er nulstillet",
        button: "Vælg en ny adgangskode",
        text: `Den driftsansvarlige for Matchbook har fjernet totrinsbekræftelsen for ${email}. Login kræver nu kun adgangskoden. Alle sessioner er logget ud.

Hvis du ikke har bedt om det, så vælg en ny adgangskode, og kontakt en administrator hos ${account}:

${base_url}/forgot-password
`,
      };
    case "factor_locked":
      return {
        subject: "For mange forkerte koder for din adresse",
        button: "Vælg en ny adgangskode",
        text: `Efter den rigtige adgangskode for ${email} er der givet for mange forkerte koder. I op til ${news.minutes} minutter godtages ingen kode.

Hvis det var dig, så vent, og prøv igen. Hvis det ikke var dig, så vælg straks en ny adgangskode:

${base_url}/forgot-password
`,
      };
  }
}
