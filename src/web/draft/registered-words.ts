/** The texts of the hours registered on an invoice, in both languages. */

export const enRegistered = {
  title: "Registered hours",
  of_line: (line: number, text: string) => `Hours of line ${line}: ${text}`,
  none: "No hours are registered here yet. They are registered in My work.",
  own: "You see your own hours. Hours of other people are part of the invoice, too.",
  sum: (hours: string) => `Billable: ${hours} h`,
  back: "Back to the invoice",
  open: (hours: string, line: number) => `${hours} h: show the registrations of line ${line}`,
};

export const daRegistered: typeof enRegistered = {
  title: "Registrerede timer",
  of_line: (line, text) => `Timer på linje ${line}: ${text}`,
  none: "Der er ikke registreret timer her endnu. De registreres i Mit arbejde.",
  own: "Du ser dine egne timer. Andres timer er også en del af fakturaen.",
  sum: (hours) => `Fakturerbart: ${hours} t`,
  back: "Tilbage til fakturaen",
  open: (hours, line) => `${hours} t: vis registreringerne på linje ${line}`,
};
