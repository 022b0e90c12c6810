/** The texts of the links that lead from a warning or a refusal to its cure, in both languages. */

export const enCures = {
  company: "Complete the company",
  customer: "Correct the customer",
  inactive: "Open the customer",
  line: "Go to the line",
  lines: "Go to the lines",
  date: "Go to the date",
  reference: "Go to the reference",
  rates: "Set the rate",
  connection: "Open the connection",
  queue: "Open the queue",
  invoice: "Open the invoice",
};

export const daCures: typeof enCures = {
  company: "Udfyld virksomhedens oplysninger",
  customer: "Ret kunden",
  inactive: "Åbn kunden",
  line: "Gå til linjen",
  lines: "Gå til linjerne",
  date: "Gå til datoen",
  reference: "Gå til referencen",
  rates: "Angiv kursen",
  connection: "Åbn forbindelsen",
  queue: "Åbn køen",
  invoice: "Åbn fakturaen",
};
