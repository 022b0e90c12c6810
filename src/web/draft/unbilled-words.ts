/** The texts about unbilled hours in the editor of a draft, in both languages. */

export const enUnbilled = {
  add: "Add unbilled hours…",
  none: "There are none: all hours of this customer are on a draft, a retainer or an invoice.",
  legend: "Unbilled hours",
  dropped: (period: string) => `dropped with the period ${period} of a retainer that ended`,
  credited: (number: string) => `on invoice ${number}, which is credited in full`,
  no_line: "Add a line by hours first, to which the hours are moved.",
  onto: "To the line",
  take: (hours: string) => `Add ${hours} h`,
  elsewhere: "This customer has hours on other drafts:",
  since: (hours: string, day: string) => `${hours} h since ${day}`,
};

export const daUnbilled: typeof enUnbilled = {
  add: "Tilføj ufakturerede timer …",
  none: "Der er ingen: alle kundens timer er på en kladde, en fast aftale eller en faktura.",
  legend: "Ufakturerede timer",
  dropped: (period) => `bortfaldet med perioden ${period} af en fast aftale, der er slut`,
  credited: (number) => `på faktura ${number}, som er krediteret helt`,
  no_line: "Tilføj først en linje efter timer, som timerne flyttes til.",
  onto: "Til linjen",
  take: (hours) => `Tilføj ${hours} t`,
  elsewhere: "Kunden har timer på andre kladder:",
  since: (hours, day) => `${hours} t siden ${day}`,
};
