/** The texts about unbilled hours in the editor of a draft, in both languages. */

export const enUnbilled = {
  add: "Add unbilled hours…",
  none: "None of this customer: all hours are on a draft, a retainer or an invoice.",
  legend: "Hours that nothing bills",
  dropped: (period: string) => `dropped with the period ${period} of a retainer that ended`,
  credited: (number: string) => `on invoice ${number}, which is credited in full`,
  no_line: "Add a line by hours first: they are moved to it.",
  onto: "To the line",
  take: (hours: string) => `Add ${hours} h`,
  elsewhere: "Hours of this customer wait on other drafts:",
  since: (hours: string, day: string) => `${hours} h since ${day}`,
};

export const daUnbilled: typeof enUnbilled = {
  add: "Tilføj ufakturerede timer …",
  none: "Ingen hos denne kunde: alle timer er på en kladde, en fast aftale eller en faktura.",
  legend: "Timer, som intet fakturerer",
  dropped: (period) => `bortfaldet med perioden ${period} af en fast aftale, der er slut`,
  credited: (number) => `på faktura ${number}, som er krediteret helt`,
  no_line: "Tilføj først en linje efter timer: de flyttes til den.",
  onto: "Til linjen",
  take: (hours) => `Tilføj ${hours} t`,
  elsewhere: "Kundens timer venter på andre kladder:",
  since: (hours, day) => `${hours} t siden ${day}`,
};
