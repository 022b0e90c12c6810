/**
 * The sentences of assistants' plans in Danish. A plan is stored with the English sentences that its assistant was shown: each form
 * of them has its Danish form here, with the same names, amounts and days. A sentence of an unknown form stays English.
 */
import {
  day,
  decimal,
  firstInvoice,
  fixed,
  form,
  linesOf,
  money,
  monthsOfRevenue,
  NOUNS,
  revenueByMonth,
  rhythmOf,
  type SentenceForm,
  works,
} from "./da-plan-parts.ts";
import { danishWarningText } from "./da-warnings.ts";

/** Returns the Danish form of a sentence of a plan; undefined for one of an unknown form. */
export function danishPlanSentence(sentence: string): string | undefined {
  for (const [form, danish] of FORMS) {
    const parts = form.exec(sentence);
    // The abbreviation `kr.` ends a sentence by itself.
    if (parts !== null) return danish(parts.groups ?? {})?.replace(/kr\.\.$/, "kr.");
  }
  return danishWarningText(sentence);
}

const FORMS: readonly SentenceForm[] = [
  // What a plan does.
  ...issues("Issues the invoice for {who:text}", ({ who }) => `Udsteder fakturaen til ${who}`),
  ...issues(
    "Issues period {period:any} ({from:day} to {to:day}) for {who:text}",
    ({ period, from, to, who }) =>
      `Udsteder perioden ${period} (${day(from)} til ${day(to)}) til ${who}`,
  ),
  fixed(
    "Resumes the issue of the invoice, which has begun.",
    "Fortsætter udstedelsen af fakturaen, som er begyndt.",
  ),
  form(
    "Resumes the issue of {period:any}, which has begun.",
    ({ period }) => `Fortsætter udstedelsen af ${period}, som er begyndt.`,
  ),
  fixed(
    "A credit note with this external id and content already exists.",
    "Der findes allerede en kreditnota med dette eksterne id og indhold.",
  ),
  form(
    "Credits invoice {number:number} of {who:text} by net {net:money} ({gross:money} with VAT), dated {date:day}; {left:money} of it remains after that.",
    ({ number, who, net, gross, date, left }) =>
      `Krediterer faktura ${number} til ${who} med ${money(net)} uden moms (${money(gross)} med moms), dateret ${day(date)}; derefter er der ${money(left)} tilbage.`,
  ),
  form(
    "The invoice with this external id already exists, for {who:text}.",
    ({ who }) => `Fakturaen med dette eksterne id findes allerede, til ${who}.`,
  ),
  form(
    "Creates a draft invoice for {who:text} with {lines:number} {_:any}, net {net:money} as of now.",
    ({ who, lines, net }) =>
      `Opretter en fakturakladde til ${who} med ${linesOf(lines)}, foreløbig ${money(net)} uden moms.`,
  ),
  form(
    "Changes nothing of the draft for {who:text}.",
    ({ who }) => `Ændrer intet i kladden til ${who}.`,
  ),
  form(
    "Changes the draft invoice for {who:text}; its net is then {net:money} as of now.",
    ({ who, net }) =>
      `Ændrer fakturakladden til ${who}; den er derefter foreløbig på ${money(net)} uden moms.`,
  ),
  form(
    "Changes nothing of the series for {who:text}.",
    ({ who }) => `Ændrer intet i den faste aftale med ${who}.`,
  ),
  form(
    "Changes the {rhythm:rhythm} series for {who:text}.",
    ({ rhythm, who }) => `Ændrer den ${rhythmOf(rhythm)}e faste aftale med ${who}.`,
  ),
  form(
    "Changes and activates the {rhythm:rhythm} series for {who:text}.",
    ({ rhythm, who }) => `Ændrer og aktiverer den ${rhythmOf(rhythm)}e faste aftale med ${who}.`,
  ),
  ...(["an active", "a draft of a"] as const).map((kind) =>
    form(
      `Creates ${kind} {rhythm:rhythm} series for {who:text} from {date:day} with {lines:number} {_:any}.`,
      ({ rhythm, who, date, lines }) =>
        `Opretter ${kind === "an active" ? "en aktiv" : "en kladde til en"} ${rhythmOf(rhythm)} fast aftale med ${who} fra ${day(date)} med ${linesOf(lines)}.`,
    ),
  ),
  form(
    "{verb:any} the line {line:text} {_:any} the {rhythm:rhythm} series for {who:text}, {where:any}.",
    (parts) => lineEdit(parts, `linjen ${parts.line}`),
  ),
  form(
    "{verb:any} a line {_:any} the {rhythm:rhythm} series for {who:text}, {where:any}.",
    (parts) => lineEdit(parts, "en linje"),
  ),
  form(
    "The product {name:text} already exists with this external id and content.",
    ({ name }) => `Ydelsen ${name} findes allerede med dette eksterne id og indhold.`,
  ),
  ...saved("product", "ydelsen"),
  ...saved("customer", "kunden"),
  form("Registers {total:number} entries, {hours:number} hours in total: {works:any}.", (parts) =>
    works(
      parts.works,
      (all) => `Registrerer ${parts.total} poster, i alt ${decimal(parts.hours)} timer: ${all}.`,
    ),
  ),
  form("Registers {works:any}.", (parts) => works(parts.works, (one) => `Registrerer ${one}.`)),
  form("Changes a registration; it is then {works:any}.", (parts) =>
    works(parts.works, (one) => `Ændrer en registrering; den er derefter ${one}.`),
  ),
  form("Changes {count:number} {_:any}: {works:any}.", ({ count, works: changed }) =>
    works(
      changed,
      (all) => `Ændrer ${count} ${count === "1" ? "registrering" : "registreringer"}: ${all}.`,
    ),
  ),
  form("Deletes the registration of {works:any}.", (parts) =>
    works(parts.works, (one) => `Sletter registreringen af ${one}.`),
  ),

  // What else happens.
  form(
    "Books the {noun:any} in {ledger:any}, dated {date:day}.",
    ({ noun, ledger, date }) =>
      `Bogfører ${NOUNS[noun ?? ""] ?? "dokumentet"} i ${ledger === "the built-in ledger" ? "det indbyggede bogholderi" : ledger}, dateret ${day(date)}.`,
  ),
  fixed("Does not e-mail it.", "Sender den ikke med mail."),
  fixed("Does not send it.", "Sender den ikke."),
  form("E-mails it to {address:any}.", ({ address }) => `Sender den med mail til ${address}.`),
  fixed("Sends it as an e-invoice.", "Sender den som e-faktura."),
  form(
    "The e-invoice lacks {fields:any}: the credit note is booked, but not sent. Fields of the customer are set with plan_save_customer; references are corrected when a person sends it again.",
    ({ fields }) =>
      `E-fakturaen mangler ${fields}: kreditnotaen bogføres, men sendes ikke. Kundens felter kan udfyldes først; referencer rettes, når den sendes igen.`,
  ),
  form(
    "Sends it as an e-invoice ({format:any}) to {address:any}.",
    ({ format, address }) => `Sender den som e-faktura (${format}) til ${address}.`,
  ),
  form(
    "Sends it as an e-invoice ({format:any}).",
    ({ format }) => `Sender den som e-faktura (${format}).`,
  ),
  fixed(
    "Books nothing now. The series is active: its periods are billed this way when they fall due.",
    "Bogfører intet nu. Den faste aftale er aktiv: perioderne faktureres sådan, når de forfalder.",
  ),
  fixed("Books nothing and sends nothing.", "Bogfører intet og sender intet."),
  fixed(
    "Books nothing now; its periods are issued on request.",
    "Bogfører intet nu; perioderne udstedes, når nogen beder om det.",
  ),
  fixed(
    "Books nothing now. From then on each period is booked, and e-mailed if the series has auto_send, when it falls due.",
    "Bogfører intet nu. Derefter bogføres hver periode, når den forfalder, og sendes, hvis aftalen sender automatisk.",
  ),
  fixed(
    "Books nothing and sends nothing: it is a draft.",
    "Bogfører intet og sender intet: det er en kladde.",
  ),
  fixed(
    "Books nothing and sends nothing: it stays a draft.",
    "Bogfører intet og sender intet: den forbliver en kladde.",
  ),
  fixed(
    "Books nothing and sends nothing; issued periods do not change.",
    "Bogfører intet og sender intet; udstedte perioder ændres ikke.",
  ),
  form(
    "The default price is in {currency:any}, the currency of the books.",
    ({ currency }) => `Standardprisen er i ${currency}, bogholderiets valuta.`,
  ),
  fixed("Activates the series, which is a draft.", "Aktiverer den faste aftale, som er en kladde."),
  fixed(
    "Only admins see the effect on revenue.",
    "Kun administratorer ser virkningen på omsætningen.",
  ),
  fixed("It earns no revenue.", "Den giver ingen omsætning."),
  form("Revenue by month: {months:any}.", ({ months }) => revenueByMonth(months)),
  fixed("Revenue does not change in any month.", "Omsætningen ændres ikke i nogen måned."),
  form(
    "Changes revenue by {sum:money} in all: {months:any}.",
    ({ sum, months }) => `Ændrer omsætningen med i alt ${money(sum)}: ${monthsOfRevenue(months)}.`,
  ),
  form(
    "{months:any} is closed: the revenue is carried into {open:month}.",
    ({ months, open }) => `${months} er lukket: omsætningen overføres til ${open}.`,
  ),

  // The remainder of a line that a credit note reduces, as a field with amounts.
  form("remainder of {line:text}", ({ line }) => `restbeløb for ${line}`),
  form("{sum:money}", ({ sum }) => money(sum)),

  // What to check.
  form(
    "The customer has no e-mail address: the {noun:any} is booked, but not sent.",
    ({ noun }) => `Kunden har ingen mailadresse: ${NOUNS[noun ?? ""]} bogføres, men sendes ikke.`,
  ),
  form(
    "E-invoice sending is not configured: the {noun:any} is booked, but not sent.",
    ({ noun }) =>
      `Afsendelse af e-fakturaer er ikke sat op: ${NOUNS[noun ?? ""]} bogføres, men sendes ikke.`,
  ),
  form(
    "Periods that fell due before today are not issued automatically, the first being {period:any}: plan_issue_occurrence issues one.",
    ({ period }) =>
      `Perioder, der forfaldt før i dag, udstedes ikke automatisk; den første er ${period}. De kan udstedes én ad gangen.`,
  ),
  form(
    "Due periods are issued at the scheduler's next run, the first being {period:any}.",
    ({ period }) => `Forfaldne perioder udstedes ved næste kørsel; den første er ${period}.`,
  ),
  fixed("It has no lines yet.", "Den har ingen linjer endnu."),
  fixed(
    "It has no lines, so it cannot be issued.",
    "Den har ingen linjer og kan derfor ikke udstedes.",
  ),
  fixed(
    "The series is active: its next periods are billed this way.",
    "Den faste aftale er aktiv: de næste perioder faktureres sådan.",
  ),
  fixed(
    "There is no e-mail address: invoices cannot be e-mailed.",
    "Der er ingen mailadresse: fakturaer kan ikke sendes med mail.",
  ),
  fixed(
    "There is no e-invoice address, EAN number or Danish CVR number: e-invoices cannot be addressed.",
    "Der er ingen e-fakturaadresse, intet EAN-nummer og intet dansk CVR-nummer: e-fakturaer kan ikke adresseres.",
  ),
  fixed(
    "The person is assigned to none of its lines, so it will be outside their view.",
    "Personen er ikke sat på nogen af linjerne og kan derfor ikke se den bagefter.",
  ),
  form(
    "{count:number} more notes of the same kinds are not shown.",
    ({ count }) => `${count} bemærkninger mere af samme slags vises ikke.`,
  ),
  form(
    "{count:number} more changes are not shown.",
    ({ count }) => `${count} ændringer mere vises ikke.`,
  ),
];

/** The forms of an issue: with the gross, and as plans were worded before. */
function issues(
  english: string,
  danish: (parts: Readonly<Record<string, string>>) => string,
): readonly SentenceForm[] {
  return [
    form(
      `${english}: net {net:money}, gross {gross:money}, dated {date:day}, due {due:day}.`,
      (parts) =>
        `${danish(parts)}: ${money(parts.net)} uden moms, ${money(parts.gross)} med moms, dateret ${day(parts.date)}, forfalder ${day(parts.due)}.`,
    ),
    form(
      `${english}: net {net:money}, dated {date:day}, due {due:day}.`,
      (parts) =>
        `${danish(parts)}: ${money(parts.net)} uden moms, dateret ${day(parts.date)}, forfalder ${day(parts.due)}.`,
    ),
  ];
}

/** The forms of a saved resource, whose Danish noun is definite. */
function saved(noun: "product" | "customer", danish: string): readonly SentenceForm[] {
  return (["Creates", "Changes"] as const).flatMap((verb) =>
    (["", " Nothing would change."] as const).map((end) =>
      form(
        `${verb} the ${noun} {name:text}.${end}`,
        ({ name }) =>
          `${verb === "Creates" ? "Opretter" : "Ændrer"} ${danish} ${name}.${end === "" ? "" : " Intet ville blive ændret."}`,
      ),
    ),
  );
}

const VERBS: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  Adds: ["Tilføjer", "til"],
  Changes: ["Ændrer", "i"],
  Removes: ["Fjerner", "fra"],
};

/** The sentence of an edit of a line, which `line` names. */
function lineEdit(parts: Readonly<Record<string, string>>, line: string): string | undefined {
  const [verb, preposition] = VERBS[parts.verb ?? ""] ?? [];
  const [placed = "", effect] = (parts.where ?? "").split(": from ");
  const where = wherePlaced(placed);
  const first = effect === undefined ? "" : firstInvoice(effect);
  if (verb === undefined || where === undefined || first === undefined) return undefined;
  return `${verb} ${line} ${preposition} den ${rhythmOf(parts.rhythm)}e faste aftale med ${parts.who}, ${where}${first}.`;
}

function wherePlaced(where: string): string | undefined {
  const [, only] = /^in period (.+) only$/.exec(where) ?? [];
  if (only !== undefined) return `kun i perioden ${only}`;
  const [, from] = /^from period (.+) on$/.exec(where) ?? [];
  if (from !== undefined) return `fra og med perioden ${from}`;
  const [, first] = /^in every period that is not issued, the first being (.+)$/.exec(where) ?? [];
  return first && `i alle perioder, der ikke er udstedt; den første er ${first}`;
}
