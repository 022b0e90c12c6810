/** The texts of the welcome, of the example and of the first steps, in English and Danish. */

export const enWelcome = {
  title: "Welcome",
  lead: "This account is still empty. How do you want to begin?",
  studio: "Look around in a year of a studio",
  studio_means:
    "An example account of its own, with customers, retainers, hours, invoices and eleven closed months. Its mails stay on this machine. You can put it away at any time.",
  look_around: "Look around",
  firm: "Start with my own firm",
  firm_means: "Name your firm and yourself. Five steps then lead to the first invoice.",
  firm_name: "Name of the firm",
  your_name: "Your name",
  email: "Your e-mail address",
  password: "Your password",
  sign_in_means: "You sign in with this address and the password from now on.",
  password_means: "At least 8 characters.",
  start: "Start",
  neither: "Neither, just show me the pages",
  example: "This is an example: a year of a studio, made up. Its mails stay on this machine.",
  leave: "Switch account",
  example_named: (account: string): string => `${account} (example)`,
  here: "You are here.",
  mine: "Example",
  mine_means: "Your example account with a year of a studio.",
  put_away: "Put the example away",
  put_away_means:
    "It then no longer counts among your accounts. Its data stay, and you can bring it back.",
  away_means: "Your example account is put away. Its data have stayed.",
  bring_back: "Bring the example back",
  put_step_away: "Skip",
  put_step_away_named: (step: string): string => `Skip: ${step}`,
};

export const daWelcome: typeof enWelcome = {
  title: "Velkommen",
  lead: "Kontoen er endnu tom. Hvordan vil du begynde?",
  studio: "Se dig omkring i et år hos et studie",
  studio_means:
    "En eksempelkonto for sig selv med kunder, faste aftaler, timer, fakturaer og elleve lukkede måneder. Dens mails bliver på denne maskine. Du kan lægge den væk når som helst.",
  look_around: "Se dig omkring",
  firm: "Start med mit eget firma",
  firm_means: "Angiv firmaets navn og dit eget. Fem trin fører derefter til den første faktura.",
  firm_name: "Firmaets navn",
  your_name: "Dit navn",
  email: "Din e-mailadresse",
  password: "Din adgangskode",
  sign_in_means: "Fra nu af logger du ind med denne adresse og adgangskoden.",
  password_means: "Mindst 8 tegn.",
  start: "Kom i gang",
  neither: "Ingen af delene, vis mig bare siderne",
  example:
    "Dette er et eksempel: et opdigtet år hos et studie. Dets mails bliver på denne maskine.",
  leave: "Skift konto",
  example_named: (account) => `${account} (eksempel)`,
  here: "Du er her.",
  mine: "Eksempel",
  mine_means: "Din eksempelkonto med et år hos et studie.",
  put_away: "Læg eksemplet væk",
  put_away_means:
    "Så er det ikke længere en af dine konti. Dets data bliver, og du kan hente det frem igen.",
  away_means: "Din eksempelkonto er lagt væk. Dens data er bevaret.",
  bring_back: "Hent eksemplet frem igen",
  put_step_away: "Spring over",
  put_step_away_named: (step) => `Spring over: ${step}`,
};

/** The text of the island that waits for the example: browsers load no other text of the welcome. */
export const enStudioWait = {
  preparing: "The year is being prepared. This takes a few seconds, and the page then shows it.",
};

export const daStudioWait: typeof enStudioWait = {
  preparing: "Året gøres klar. Det tager nogle sekunder, og derefter vises det på siden.",
};
