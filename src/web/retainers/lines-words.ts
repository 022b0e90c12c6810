/** The texts of the change of a retainer's lines, in both languages. */
import type { Scope } from "../../domain/series/series.ts";

const isOne = (count: number): boolean => count === 1;

export const enRetainerLines = {
  titles: {
    add: () => "Add a line",
    change: (name: string) => `Change “${name}”`,
    remove: (name: string) => `Remove “${name}”?`,
  },
  buttons: {
    add: "Add the line",
    change: "Change the line",
    remove: "Remove the line",
  },
  now: {
    add: (periods: string, amount: string) => `Add the line to ${periods}: ${amount}`,
    change: (periods: string, amount: string) => `Change ${periods} to ${amount}`,
    remove: (periods: string, amount: string) => `Remove the line from ${periods}: ${amount}`,
  },
  periods_of: {
    this_only: (period: string) => period,
    this_and_following: (period: string) => `${period} and following`,
    all: () => "all open periods",
  } satisfies Record<Scope, (period: string) => string>,
  from: "From which period?",
  see: "See the effect",
  type_first: "What it does to the periods is shown here while you type.",
  remove_link: "Remove this line…",
  order: "Order…",
  order_title: "Order of the lines",
  order_means: (period: string) =>
    `From ${period} on, every open period has its lines in this order. Issued invoices stay as they are.`,
  order_save: "Save the order",
  which: "Which periods?",
  scopes: {
    this_only: (period: string) => `Only ${period}`,
    this_and_following: (period: string) => `${period} and following`,
    all: () => "All that are open",
  } satisfies Record<Scope, (period: string) => string>,
  periods: "Periods",
  compared: "Periods with old and new amounts",
  touched: "changes",
  incomplete: "The cards show the effect of an earlier state.",
  none: "No period changes.",
  in_all: (count: number, difference: string) =>
    isOne(count) ? `One period: ${difference}` : `The ${count} periods shown: ${difference}`,
  locked: (first: string, last: string | null) =>
    last === null
      ? `${first} is issued and stays as it is. An error in it is corrected with a credit note.`
      : `${first} to ${last} are issued and stay as they are. An error in them is corrected with a credit note.`,
  changed:
    "The retainer has changed since you saw this, and the line was not changed. This is the current effect.",
};

export const daRetainerLines: typeof enRetainerLines = {
  titles: {
    add: () => "Tilføj en linje",
    change: (name) => `Ret “${name}”`,
    remove: (name) => `Fjern “${name}”?`,
  },
  buttons: {
    add: "Tilføj linjen",
    change: "Ret linjen",
    remove: "Fjern linjen",
  },
  now: {
    add: (periods, amount) => `Tilføj linjen i ${periods}: ${amount}`,
    change: (periods, amount) => `Ret ${periods} til ${amount}`,
    remove: (periods, amount) => `Fjern linjen fra ${periods}: ${amount}`,
  },
  periods_of: {
    this_only: (period) => period,
    this_and_following: (period) => `${period} og følgende`,
    all: () => "alle åbne perioder",
  },
  from: "Fra hvilken periode?",
  see: "Se virkningen",
  type_first: "Virkningen på perioderne vises her, mens du skriver.",
  remove_link: "Fjern denne linje …",
  order: "Rækkefølge …",
  order_title: "Linjernes rækkefølge",
  order_means: (period) =>
    `Fra og med ${period} har alle åbne perioder linjerne i denne rækkefølge. Udstedte fakturaer forbliver, som de er.`,
  order_save: "Gem rækkefølgen",
  which: "Hvilke perioder?",
  scopes: {
    this_only: (period) => `Kun ${period}`,
    this_and_following: (period) => `${period} og følgende`,
    all: () => "Alle, der er åbne",
  },
  periods: "Perioder",
  compared: "Perioder med gamle og nye beløb",
  touched: "ændres",
  incomplete: "Kortene viser virkningen af en tidligere tilstand.",
  none: "Ingen periode ændres.",
  in_all: (count, difference) =>
    isOne(count) ? `Én periode: ${difference}` : `De ${count} viste perioder: ${difference}`,
  locked: (first, last) =>
    last === null
      ? `${first} er udstedt og forbliver, som den er. En fejl i den rettes med en kreditnota.`
      : `${first} til ${last} er udstedt og forbliver, som de er. En fejl i dem rettes med en kreditnota.`,
  changed:
    "Aftalen er ændret, siden du så dette, og linjen blev ikke ændret. Dette er den aktuelle virkning.",
};
