/** The texts of the root address and of sign-in links, in English and Danish. */
import type { ComponentChildren } from "preact";

export const enStart = {
  title: "Matchbook",
  what: "Invoicing and revenue recognition for firms that sell work and retainers.",
  sign_in: "Sign in",
  api: "API reference",
  openapi: "OpenAPI document",
  first_start: (command: ComponentChildren): ComponentChildren => [
    "This installation is new. The terminal in which it was started shows a link that signs you in. When the link has expired, ",
    command,
    " makes another.",
  ],
  link_means: (email: ComponentChildren): ComponentChildren => [
    "This link signs you in as ",
    email,
    ", once.",
  ],
  link_again: (command: ComponentChildren): ComponentChildren => [
    "On the machine of this installation, ",
    command,
    " makes another.",
  ],
};

export const daStart: typeof enStart = {
  title: "Matchbook",
  what: "Fakturering og indtægtsføring for firmaer, der sælger arbejde og faste aftaler.",
  sign_in: "Log ind",
  api: "API-dokumentation",
  openapi: "OpenAPI-dokument",
  first_start: (command) => [
    "Denne installation er ny. Terminalen, som den blev startet i, viser et link, der logger dig ind. Når linket er udløbet, laver ",
    command,
    " et nyt.",
  ],
  link_means: (email) => ["Linket logger dig ind som ", email, ", én gang."],
  link_again: (command) => ["På installationens maskine laver ", command, " et nyt."],
};
