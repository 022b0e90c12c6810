/** The texts about the sign-ins of a person, in both languages. */

export const enSignIns = {
  title: "Where you are signed in",
  browser: "Browser",
  network: "Network",
  first_seen: "First seen",
  last_seen: "Last seen",
  unknown: "Unknown",
  this_browser: "This browser",
  sign_out: "Sign out there",
  sign_out_named: (browser: string) => `Sign out there: ${browser}`,
  sign_out_others: "Sign out everywhere else",
  no_other: "You are signed in here only.",
};

export const daSignIns: typeof enSignIns = {
  title: "Her er du logget ind",
  browser: "Browser og enhed",
  network: "Netværk",
  first_seen: "Først set",
  last_seen: "Sidst set",
  unknown: "Ukendt",
  this_browser: "Denne browser",
  sign_out: "Log ud der",
  sign_out_named: (browser) => `Log ud der: ${browser}`,
  sign_out_others: "Log ud alle andre steder",
  no_other: "Du er kun logget ind her.",
};
