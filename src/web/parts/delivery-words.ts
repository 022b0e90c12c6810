/**
 * The reasons why a document was not sent, in both languages. They are stored in English; a reason that has no Danish sentence here
 * is shown in Danish without its detail. The words of an access point follow its sentence as they are.
 */

/** The stored sentences, in the order of their origin: our checks, mail, a process that ended, a connected ledger, e-invoices. */
const DANISH: Readonly<Record<string, string>> = {
  "e-invoice sending is not configured": "Afsendelse af e-fakturaer er ikke sat op",
  "the customer has no e-mail address": "Kunden har ingen e-mailadresse",
  "the document could not be prepared for sending":
    "Dokumentet kunne ikke gøres klar til afsendelse",
  "The sender or the recipient is not one valid email address":
    "Afsenderen eller modtageren er ikke en gyldig e-mailadresse",
  "The mail server refused the recipient's address": "Mailserveren afviste modtagerens adresse",
  "The mail server refused the sender's address": "Mailserveren afviste afsenderens adresse",
  "The mail server refused the message": "Mailserveren afviste mailen",
  "The message is larger than the mail server allows":
    "Mailen er større, end mailserveren tillader",
  "The mail server did not accept our user name and password":
    "Mailserveren godtog ikke brugernavn og adgangskode",
  "A secure connection to the mail server could not be set up":
    "Der kunne ikke oprettes en sikker forbindelse til mailserveren",
  "The mail server's name could not be resolved": "Mailserverens navn findes ikke",
  "The mail server could not be reached": "Mailserveren kunne ikke nås",
  "The connection to the mail server ended before the message was sent":
    "Forbindelsen til mailserveren blev afbrudt, før mailen var sendt",
  "The mail server did not answer in time, and nothing was sent":
    "Mailserveren svarede ikke i tide, og intet blev sendt",
  "The mail server refused to take mail from us": "Mailserveren tager ikke imod mail fra os",
  "The mail server did not confirm the message, which may have been sent":
    "Mailserveren bekræftede ikke mailen, som måske er sendt",
  "There is no room left for the message in the outbox folder":
    "Der er ikke plads til mailen i udbakkens mappe",
  "The message cannot be written to the outbox folder":
    "Mailen kan ikke skrives til udbakkens mappe",
  "The message id cannot be a file name in the outbox folder":
    "Mailen kan ikke skrives til udbakkens mappe",
  "The service stopped during the sending: check whether the document arrived before you send it again":
    "Programmet stoppede under afsendelsen: undersøg, om dokumentet nåede frem, før det sendes igen",
  "the customer has no address in the ledger that it could be sent to":
    "Kunden har ingen adresse i regnskabssystemet at sende til",
  "the ledger refuses to send the document": "Regnskabssystemet vil ikke sende dokumentet",
  "the ledger could not deliver the document": "Regnskabssystemet kunne ikke aflevere dokumentet",
  "the ledger does not send documents in this way":
    "Regnskabssystemet sender ikke dokumenter på denne måde",
  "the ledger that sends the document gives no answer":
    "Regnskabssystemet, der sender dokumentet, svarer ikke",
  "the ledger has not sent the document; it is tried again":
    "Regnskabssystemet har ikke sendt dokumentet; det prøves igen",
  "the sending is unconfirmed: the ledger is asked whether it has sent the document":
    "Afsendelsen er ikke bekræftet: regnskabssystemet spørges, om det har sendt dokumentet",
  "the sending is unconfirmed: the access point is asked":
    "Afsendelsen er ikke bekræftet: adgangspunktet spørges",
  "handed to the access point, not confirmed yet":
    "Overdraget til adgangspunktet, endnu ikke bekræftet",
  "the connection for e-invoices was refused: it is checked":
    "Forbindelsen til e-fakturaer blev afvist: den kontrolleres",
  "the connection for e-invoices does not answer: it waits":
    "Forbindelsen til e-fakturaer svarer ikke: afsendelsen venter",
  "a later sending of the document has taken its place":
    "En senere afsendelse af dokumentet er trådt i stedet",
  "a person has found that it did not arrive": "En person har fundet ud af, at den ikke nåede frem",
  "The document has not been sent yet; it will be tried again":
    "Dokumentet er ikke sendt endnu; det prøves igen",
  "The folder did not answer in time": "Mappen svarede ikke i tide",
  "There is no room left in the folder": "Der er ikke plads i mappen",
  "The host failed to store the file": "Serveren kunne ikke gemme filen",
};

/** The sentences after which the words of the other side, or names of fields, follow. They are shown as they are. */
const WITH_DETAIL: Readonly<Record<string, string>> = {
  "the e-invoice lacks": "E-fakturaen mangler",
  "the connection does not carry the format": "Forbindelsen kan ikke sende formatet",
  "The folder cannot be used:": "Mappen kan ikke bruges:",
  "The access point refuses an identifier:": "Adgangspunktet afviser en identifikation:",
  "The access point did not take the document:": "Adgangspunktet tog ikke imod dokumentet:",
  "The access point refuses the document:": "Adgangspunktet afviser dokumentet:",
  "The access point could not deliver the document:":
    "Adgangspunktet kunne ikke aflevere dokumentet:",
  "The access point could not send the document:": "Adgangspunktet kunne ikke sende dokumentet:",
  "The receiver's side refused the document:": "Modtagerens side afviste dokumentet:",
};

/** A final full stop, and the numbers of a mail server's answer or the event of a ledger. */
const DETAIL = /^(.*?)(?: (\([\d. ]+\))|: ([A-Za-z]{1,40}))?\.?$/s;

/** Returns the reason in Danish, with the mail server's numbers. */
export function danishReason(send_error: string): string {
  const whole = DANISH[send_error.replace(/\.$/, "")];
  if (whole !== undefined) return `${whole}.`;
  for (const [english, danish] of Object.entries(WITH_DETAIL)) {
    const detail = send_error.slice(english.length);
    if (send_error.startsWith(`${english} `)) return `${danish}${detail}`;
    // Without the other side's words the sentence ends there.
    if (send_error === `${english.replace(/:$/, "")}.`) return `${danish.replace(/:$/, "")}.`;
  }
  const [, sentence = "", numbers = ""] = DETAIL.exec(send_error) ?? [];
  const known = DANISH[sentence] ?? "Dokumentet blev ikke sendt";
  return `${known}${numbers === "" ? "" : ` ${numbers}`}.`;
}

/** Returns the reason in English as a sentence. */
export function englishReason(send_error: string): string {
  const text = send_error.charAt(0).toUpperCase() + send_error.slice(1);
  return text.endsWith(".") ? text : `${text}.`;
}
