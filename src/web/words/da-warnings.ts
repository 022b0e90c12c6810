/**
 * The warnings about a document in Danish: the same facts as the English sentence of the rule, which has the numbers of lines, the
 * dates and the kind of fault. A sentence of an unknown form gets the general text of its code.
 */

/** Returns the Danish sentence for a warning; undefined for an unknown code. */
export function danishWarning(code: string, message: string): string | undefined {
  return EXACT[code]?.(message) ?? GENERAL[code];
}

/** Returns the Danish sentence for a warning whose code is not known; undefined for a sentence of an unknown form. */
export function danishWarningText(message: string): string | undefined {
  const [code] = ENGLISH.find(([, english]) => english.test(message)) ?? [];
  return code && danishWarning(code, message);
}

/** What the English sentence of each code contains. */
const ENGLISH: readonly (readonly [code: string, english: RegExp])[] = [
  ["SELLER_INCOMPLETE", / of the seller|seller's (?:VAT number|IBAN)/],
  ["BUYER_NUMBER_DOUBTFUL", /customer's VAT number (?:belongs|has a wrong|does not have)/],
  ["BUYER_NUMBER_MISSING", /^(?:Reverse charge is|The customer has no VAT number|The list needs)/],
  ["CONSUMER_IN_EU", /^The customer is a private person in another country/],
  ["LINE_WITHOUT_HOURS", /^Lines? .+ no hours and /],
  ["NOBODY_ASSIGNED", /^Lines? .+ no assignee: /],
  ["RATE_OLD", /^The exchange rate of /],
  ["DATE_FAR", /more than a year from today\.$/],
  ["EINVOICE_INCOMPLETE", /^The invoice cannot be sent as an e-invoice: /],
  ["DATE_BEFORE_LAST_NUMBER", /: numbers and dates will not be in the same order\.$/],
];

const GENERAL: Readonly<Record<string, string>> = {
  SELLER_INCOMPLETE:
    "Fakturaen mangler oplysninger om jer som sælger: udfyld dem i indstillingerne.",
  BUYER_NUMBER_MISSING: "Kunden har intet momsnummer: der lægges dansk moms på.",
  BUYER_NUMBER_DOUBTFUL: "Kundens momsnummer ser ud til at være forkert.",
  CONSUMER_IN_EU:
    "Kunden er en privatperson i et andet EU-land: der lægges dansk moms på, og One Stop Shop understøttes ikke.",
  LINE_WITHOUT_HOURS: "Mindst én linje har ingen timer og kommer ikke med på fakturaen.",
  RATE_OLD: "Valutakursen er mere end en uge ældre end fakturaen.",
  DATE_FAR: "Datoen ligger mere end et år fra i dag.",
  DATE_BEFORE_LAST_NUMBER:
    "Datoen ligger før den seneste: numre og datoer får ikke samme rækkefølge.",
  NOBODY_ASSIGNED: "Mindst én linje har ingen medarbejder: omsætningen tildeles ikke nogen.",
  EINVOICE_INCOMPLETE: "Fakturaen kan ikke sendes som e-faktura, fordi oplysninger mangler.",
};

const EXACT: Readonly<Record<string, (message: string) => string | undefined>> = {
  SELLER_INCOMPLETE(message) {
    const gaps = Object.entries(GAPS).flatMap(([noun, danish]) =>
      message.includes(`no ${noun}`) ? [danish] : [],
    );
    const fault = doubtIn(message, "seller's");
    const doubts = [
      ...(fault === undefined ? [] : [`Jeres eget momsnummer ${fault}.`]),
      ...(message.includes("seller's IBAN")
        ? ["Jeres IBAN har en forkert længde eller forkerte kontrolcifre."]
        : []),
    ];
    if (gaps.length === 0) return doubts.join(" ") || undefined;
    const document = message.includes("credit note") ? "Kreditnotaen" : "Fakturaen";
    const shows = message.includes(" will show ") ? "kommer ikke til at vise" : "viser ikke";
    const remedy = message.includes("in the configuration")
      ? `: udfyld ${gaps.length === 1 ? "det" : "dem"} i indstillingerne`
      : message.includes("as its invoice")
        ? ", ligesom dens faktura"
        : "";
    return [`${document} ${shows} jeres ${listed(gaps)}${remedy}.`, ...doubts].join(" ");
  },
  BUYER_NUMBER_DOUBTFUL(message) {
    const fault = doubtIn(message, "customer's");
    if (fault === undefined) return undefined;
    const taxed = message.includes("domestic VAT is charged")
      ? ", så der lægges dansk moms på"
      : "";
    return `Kundens momsnummer ${fault}${taxed}.`;
  },
  BUYER_NUMBER_MISSING(message) {
    if (message.startsWith("Reverse charge"))
      return "Omvendt betalingspligt er for virksomheder, og kunden er en privatperson: der lægges dansk moms på.";
    if (message.startsWith("The list needs"))
      return "Listen kræver kundens momsnummer, og dokumenterne har intet.";
    return undefined;
  },
  LINE_WITHOUT_HOURS(message) {
    const lines = linesIn(message);
    return lines && `${lines} har ingen timer og kommer ikke med på fakturaen.`;
  },
  NOBODY_ASSIGNED(message) {
    const lines = linesIn(message);
    return lines && `${lines} har ingen medarbejder: omsætningen tildeles ikke nogen.`;
  },
  EINVOICE_INCOMPLETE(message) {
    const [, fields] = /: it lacks (.+)\.$/.exec(message) ?? [];
    if (fields === undefined) return undefined;
    return `Fakturaen kan ikke sendes som e-faktura: Den mangler ${fields.replace(" and ", " og ")}.`;
  },
  RATE_OLD(message) {
    const [, currency, date, days] = /of (\w+) is of (\S+), (\d+) days/.exec(message) ?? [];
    if (date === undefined) return undefined;
    return `Kursen på ${currency} er fra ${dayFrom(date)}, ${days} dage før fakturaen.`;
  },
  DATE_FAR(message) {
    const [, noun, date] = /^The (.+) is dated (\S+),/.exec(message) ?? [];
    if (date === undefined) return undefined;
    return `${NOUNS[noun ?? ""]} er dateret ${dayFrom(date)}, mere end et år fra i dag.`;
  },
  DATE_BEFORE_LAST_NUMBER(message) {
    const found = /^The (.+) is dated (\S+), and the last .+ has the date (\S+):/.exec(message);
    const [, noun, date, last] = found ?? [];
    if (date === undefined || last === undefined) return undefined;
    return `${NOUNS[noun ?? ""]} er dateret ${dayFrom(date)}, og den seneste har datoen ${dayFrom(last)}: numre og datoer får ikke samme rækkefølge.`;
  },
};

const NOUNS: Readonly<Record<string, string>> = {
  invoice: "Fakturaen",
  "credit note": "Kreditnotaen",
};

const GAPS = {
  name: "navn",
  address: "adresse",
  "VAT number": "momsnummer",
  "bank account": "bankkonto",
} as const;

const DOUBTS = {
  "belongs to another country": "hører til et andet land",
  "has a wrong check digit": "har et forkert kontrolciffer",
  "does not have the format of its country": "har ikke sit lands format",
} as const;

function doubtIn(message: string, whose: "seller's" | "customer's"): string | undefined {
  return Object.entries(DOUBTS).find(([english]) =>
    message.includes(`${whose} VAT number ${english}`),
  )?.[1];
}

/** Returns the subject of a sentence about lines: `Linje 2`, `Linje 1, 2 og 3`, with `flere` for more. */
function linesIn(message: string): string | undefined {
  const subject = /^Lines? (.+?) (?:has|have) no /.exec(message)?.[1];
  if (subject === undefined) return undefined;
  return `Linje ${subject.replace(/,? and (\d+) more/, " og $1 flere").replace(" and ", " og ")}`;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} og ${last}`;
}

/** Returns a day `YYYY-MM-DD` as `10.3.2026`. */
export function dayFrom(date: string): string {
  const [year, month, day] = date.split("-");
  return `${Number.parseInt(day ?? "", 10)}.${Number.parseInt(month ?? "", 10)}.${year}`;
}
