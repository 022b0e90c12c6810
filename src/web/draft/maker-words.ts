/** Who made a draft, in both languages. It is rendered on the server only. */

export const enMaker = {
  made: (by: string, day: string) => `Made by ${by}, ${day}`,
  through: (person: string, assistant: string) => `${person} through ${assistant}`,
  program: "a program",
};

export const daMaker: typeof enMaker = {
  made: (by, day) => `Oprettet af ${by}, ${day}`,
  through: (person, assistant) => `${person} gennem ${assistant}`,
  program: "et program",
};
