/** The texts of the pages of products, in both languages. Those of the form are apart, because no island shows them. */

export const enProducts = {
  add: "New product",
  name: "Name",
  number: "Number",
  unit: "Unit",
  price: "Price",
  name_of: (name: string) => `Name of ${name}`,
  edit: "Edit",
  open: (name: string) => `Edit ${name}`,
  price_of: (name: string) => `Price of ${name}`,
  account: "Revenue account",
  drafts: "Drafts",
  inactive: "Inactive",
  search: "Search products",
  none: "No products yet. Your products are listed here with their prices and revenue accounts.",
  none_found: "No products match your search.",
  with_inactive: "Show inactive products too",
};

export const daProducts: typeof enProducts = {
  add: "Ny ydelse",
  name: "Navn",
  number: "Nummer",
  unit: "Enhed",
  price: "Pris",
  name_of: (name) => `Navn på ${name}`,
  edit: "Redigér",
  open: (name) => `Redigér ${name}`,
  price_of: (name) => `Pris på ${name}`,
  account: "Omsætningskonto",
  drafts: "Kladder",
  inactive: "Inaktiv",
  search: "Søg i ydelser",
  none: "Ingen ydelser endnu. Her vises dine ydelser med pris og omsætningskonto.",
  none_found: "Ingen ydelser matcher søgningen.",
  with_inactive: "Vis også inaktive ydelser",
};

export const enProductForm = {
  units: {
    hours: "hours",
    days: "days",
    weeks: "weeks",
    months: "months",
    years: "years",
    parts: "pcs.",
    km: "km",
  },
  unit_hint: "“hours” is priced by the hour. Choose one, or write your own.",
  price_hint_new: "Without VAT.",
  price_hint: (drafts: number) => {
    if (drafts === 0)
      return "New lines take the new price; drafts that use the product keep theirs.";
    const keep =
      drafts === 1 ? "draft that uses it keeps its own" : "drafts that use it keep theirs";
    return `New lines take the new price. The ${drafts} ${keep}.`;
  },
  account_hint: "By number or name. Empty: the default sales account in the settings.",
  no_account: "No account has this number or name.",
  comments: "Text on the document",
  earned: "How a line is earned",
  earned_open: "Chosen on the line",
  months: "Months",
  months_hint: "Proposed for a line that is earned over time.",
  activate_means: "The product is offered for new lines again.",
  deactivate_means: "The product is no longer offered for new lines. Existing documents keep it.",
};

export const daProductForm: typeof enProductForm = {
  units: {
    hours: "timer",
    days: "dage",
    weeks: "uger",
    months: "måneder",
    years: "år",
    parts: "stk.",
    km: "km",
  },
  unit_hint: "“timer” prissættes pr. time. Vælg en, eller skriv din egen.",
  price_hint_new: "Uden moms.",
  price_hint: (drafts) => {
    if (drafts === 0)
      return "Nye linjer får den nye pris; kladder, der bruger ydelsen, beholder deres.";
    if (drafts === 1)
      return "Nye linjer får den nye pris. Den ene kladde, der bruger den, beholder sin.";
    return `Nye linjer får den nye pris. De ${drafts} kladder, der bruger den, beholder deres.`;
  },
  account_hint: "Efter nummer eller navn. Tom: standardkontoen for salg i indstillingerne.",
  no_account: "Ingen konto har det nummer eller navn.",
  comments: "Tekst på dokumentet",
  earned: "Sådan optjenes en linje",
  earned_open: "Vælges på linjen",
  months: "Måneder",
  months_hint: "Foreslås for en linje, der optjenes over tid.",
  activate_means: "Ydelsen tilbydes igen til nye linjer.",
  deactivate_means:
    "Ydelsen tilbydes ikke længere til nye linjer. Eksisterende dokumenter beholder den.",
};
