/** The texts about second factors, in both languages. */
import type { ComponentChildren } from "preact";

export const enFactors = {
  title: "Second factor",
  means:
    "After the password you are asked for a code of an app on your phone. A stolen password alone then opens nothing.",
  app: "Authenticator app",
  app_on: "The code of your authenticator app is asked for after the password.",
  app_off: "Not set up",
  set_up: "Set up an app…",
  set_up_again: "Use another app…",
  remove: "Remove…",
  codes: "Recovery codes",
  codes_left: (count: number) => (count === 1 ? "1 code left" : `${count} codes left`),
  new_codes: "Make new codes",
  step_title: "Second step",
  asks: (email: ComponentChildren): ComponentChildren => [
    "You sign in as ",
    email,
    ". The second step is missing.",
  ],
  code: "Code",
  code_hint: "The six digits of your authenticator app, or one of your recovery codes.",
  lost: "Have you lost the app and the codes? The operator of this installation can reset your second factor.",
  wrong: "This code is wrong, has been used, or has expired. Use the code that the app shows now.",
  scan: "Scan the picture with an authenticator app, such as the one of your password manager.",
  qr: "QR code for an authenticator app",
  by_hand: "Or type this secret into the app:",
  on_this_device: "Open it in an app on this device",
  first_code: "Type the code that the app shows now. The app counts from then on.",
  confirm: "Use this app",
  others_end: "You are then signed out everywhere else.",
  shown_once:
    "These are your recovery codes. They are shown only now. Keep them where you keep no phone: each signs you in once in place of the app.",
  codes_replace: "Earlier codes no longer work.",
  done: "I have kept them",
  remove_title: "Remove the authenticator app?",
  remove_now: "Remove the app",
  last_ends:
    "It is your only second factor. From then on the password alone signs you in, and your recovery codes end.",
  others_stay: "Your other factors stay.",
  cancel: "Not yet",
  again_title: "Confirm that it is you",
  again_code:
    "This change concerns access, and your last confirmation is more than ten minutes old. Answer with your second factor.",
  again_password:
    "This change concerns access, and your last confirmation is more than ten minutes old. Type your password.",
  wrong_answer: "That was not right. What you typed before is kept.",
  continue: "Continue",
};

export const daFactors: typeof enFactors = {
  title: "Totrinsbekræftelse",
  means:
    "Efter adgangskoden bliver du bedt om en kode fra en app på din telefon. En stjålet adgangskode åbner så intet alene.",
  app: "Godkendelsesapp",
  app_on: "Efter adgangskoden bliver du bedt om koden fra din godkendelsesapp.",
  app_off: "Ikke sat op",
  set_up: "Sæt en app op …",
  set_up_again: "Brug en anden app …",
  remove: "Fjern …",
  codes: "Gendannelseskoder",
  codes_left: (count) => (count === 1 ? "1 kode tilbage" : `${count} koder tilbage`),
  new_codes: "Lav nye koder",
  step_title: "Andet trin",
  asks: (email) => ["Du logger ind som ", email, ". Det andet trin mangler."],
  code: "Kode",
  code_hint: "De seks cifre fra din godkendelsesapp eller en af dine gendannelseskoder.",
  lost: "Har du mistet både appen og koderne? Den driftsansvarlige kan nulstille din totrinsbekræftelse.",
  wrong: "Koden er forkert, brugt eller udløbet. Brug den kode, som appen viser nu.",
  scan: "Scan billedet med en godkendelsesapp, for eksempel den i din adgangskodehusker.",
  qr: "QR-kode til en godkendelsesapp",
  by_hand: "Eller skriv denne hemmelighed i appen:",
  on_this_device: "Åbn den i en app på denne enhed",
  first_code: "Skriv den kode, som appen viser nu. Fra da af gælder appen.",
  confirm: "Brug denne app",
  others_end: "Du bliver så logget ud alle andre steder.",
  shown_once:
    "Dette er dine gendannelseskoder. De vises kun nu. Gem dem et andet sted end på telefonen: hver kode kan bruges én gang i stedet for appen.",
  codes_replace: "Tidligere koder virker ikke længere.",
  done: "Jeg har gemt dem",
  remove_title: "Fjern godkendelsesappen?",
  remove_now: "Fjern appen",
  last_ends:
    "Det er dit eneste andet trin. Derefter er adgangskoden nok til at logge ind, og dine gendannelseskoder udløber.",
  others_stay: "Dine andre trin består.",
  cancel: "Ikke endnu",
  again_title: "Bekræft, at det er dig",
  again_code:
    "Ændringen handler om adgang, og det er mere end ti minutter siden, du sidst bekræftede. Svar med din totrinsbekræftelse.",
  again_password:
    "Ændringen handler om adgang, og det er mere end ti minutter siden, du sidst bekræftede. Skriv din adgangskode.",
  wrong_answer: "Det var ikke rigtigt. Det, du skrev før, er bevaret.",
  continue: "Fortsæt",
};
