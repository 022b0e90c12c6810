/** Who made a draft, and what may be done about a line without hours, in both languages. Only the server renders them. */

export const enMaker = {
  made: (by: string, day: string) => `Made by ${by}, ${day}`,
  through: (person: string, assistant: string) => `${person} through ${assistant}`,
  program: "a program",
  no_hours: "Register hours, or choose “When issued” to bill an agreed amount.",
};

export const daMaker: typeof enMaker = {
  made: (by, day) => `Oprettet af ${by}, ${day}`,
  through: (person, assistant) => `${person} gennem ${assistant}`,
  program: "et program",
  no_hours: "Registrér timer, eller vælg “Ved udstedelse” for at fakturere et aftalt beløb.",
};
