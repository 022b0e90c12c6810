/**
 * The outbound transactions of the simulation of phoss-ap: submit, status, and sending again by itself. `sending/<n>` in its books is
 * a document that reached a receiver, which is what counts as an invoice that a buyer has received.
 */
import { createHash, randomUUID } from "node:crypto";
import { switchesOf } from "./switches.mjs";

const PARTICIPANT = /^iso6523-actorid-upis::\d{4}:\S{1,125}$/;
const DOCUMENT_TYPE =
  /^busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:(Invoice|CreditNote)-2::\1##urn:cen\.eu:en16931:2017#compliant#urn:fdc:peppol\.eu:2017:poacc:billing:3\.0::2\.1$/;
const PROCESS = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
/** Tries of one document, after which it has failed permanently. */
const TRIES_AT_MOST = 5;
/** The sendings over the network since the start. */
let attempts = 0;

/** POST /api/outbound/submit/{sender}/{receiver}/{docType}/{process}/{C1 country} */
export async function submit(books, parts, query, body) {
  const switches = switchesOf(books);
  if (!switches.is_sending_on) return [404, { error: "Sending is disabled" }];
  const [senderID, receiverID, docTypeID, processID, country] = parts;
  const wrong = wrongIdentifier(senderID, receiverID, docTypeID, processID, country);
  if (wrong !== null) return [400, { error: `The ${wrong} is invalid` }];
  const root = DOCUMENT_TYPE.exec(docTypeID)[1];
  if (switches.refuses_documents || rootOf(body) !== root) {
    return [422, "Failed to submit outbound transaction"];
  }
  const key = store(books, {
    senderID,
    receiverID,
    docTypeID,
    processID,
    sbdhInstanceID: query.get("sbdhInstanceID") ?? randomUUID(),
    custom1: query.get("custom1"),
    body,
  });
  if (switches.network_ms > 0) {
    await new Promise((resolve) => setTimeout(resolve, switches.network_ms));
  }
  const { status, sbdhInstanceID, errorDetails } = attempt(books, key);
  const report = { sbdhInstanceID, success: status === "sent", status, errorDetails };
  return [status === "sent" ? 200 : 422, report];
}

/** GET /api/outbound/status/{sbdhInstanceID}: the newest transaction with this id. */
export function statusOf(books, instance, includes_archive) {
  const found = books
    .list("transaction/")
    .filter((one) => one.sbdhInstanceID === instance && (includes_archive || !one.is_archived));
  const newest = found.at(-1);
  if (newest === undefined) return [404, undefined];
  const { is_archived, sha256, key, ...shown } = newest;
  return [200, shown];
}

/** Stores a transaction as `pending` and returns its key. An instance id may be stored any number of times. */
export function store(books, { body, ...facts }) {
  const key = `transaction/${books.next()}`;
  books.commit({
    [key]: {
      key,
      id: books.next(),
      transactionType: "outbound",
      ...facts,
      status: "pending",
      attemptCount: 0,
      createdDT: now(),
      completedDT: null,
      reportingStatus: "pending",
      nextRetryDT: null,
      errorDetails: null,
      mlsStatus: "pending",
      is_archived: false,
      sha256: createHash("sha256").update(body).digest("hex"),
    },
  });
  return key;
}

/** Sends a transaction over the network and returns it. */
export function attempt(books, key) {
  const switches = switchesOf(books);
  const before = books.get(key);
  const attempted = { ...before, attemptCount: before.attemptCount + 1, nextRetryDT: null };
  attempts += 1;
  const fails = switches.fails_every !== null && attempts % switches.fails_every === 0;
  const outcome = fails ? "failed" : outcomeOf(switches, attempted.attemptCount);
  const used = switches.network_times === null || outcome === "sent" ? {} : counted(switches);
  if (outcome === "sent") {
    books.commit({ ...used, ...arrivalOf(books, attempted, switches) });
  } else if (outcome === "silent") {
    books.commit({ ...used, [key]: { ...attempted, status: "sending" } });
  } else {
    books.commit({ ...used, [key]: failedWith(attempted, outcome, switches) });
    if (outcome === "failed" && switches.retry_ms !== null) {
      setTimeout(() => retry(books, key), switches.retry_ms);
    }
  }
  return books.get(key);
}

function retry(books, key) {
  if (books.get(key).status === "failed") attempt(books, key);
}

/** Tries again all that waits, as phoss-ap does later by itself. */
export function tryAgain(books) {
  for (const { key, status } of books.list("transaction/")) {
    if (["pending", "sending", "failed"].includes(status)) attempt(books, key);
  }
}

function outcomeOf({ network, network_times }, tries) {
  if (network_times === 0) return "sent";
  return network === "failed" && tries >= TRIES_AT_MOST ? "permanently_failed" : network;
}

const counted = (switches) => ({
  switches: { ...switches, network_times: Math.max(0, switches.network_times - 1) },
});

function arrivalOf(books, transaction, switches) {
  const { sbdhInstanceID, senderID, receiverID, sha256 } = transaction;
  const is_repeated = books
    .list("sending/")
    .some((one) => one.sbdhInstanceID === sbdhInstanceID && one.receiverID === receiverID);
  const is_dropped = is_repeated && switches.receivers_drop_repeated;
  const sending = { sbdhInstanceID, senderID, receiverID, sha256, at: now() };
  return {
    ...(is_dropped ? {} : { [`sending/${books.next()}`]: sending }),
    [transaction.key]: {
      ...transaction,
      status: "sent",
      completedDT: now(),
      errorDetails: null,
      mlsStatus: switches.mls_status,
      is_archived: switches.archives_at_once,
    },
  };
}

function failedWith(transaction, status, switches) {
  const is_final = status !== "failed";
  return {
    ...transaction,
    status,
    errorDetails: switches.error_details,
    completedDT: is_final ? now() : null,
    nextRetryDT: is_final
      ? null
      : new Date(Date.now() + (switches.retry_ms ?? 60_000)).toISOString(),
  };
}

function wrongIdentifier(sender, receiver, document_type, process, country) {
  if (!PARTICIPANT.test(sender)) return "sender ID";
  if (!PARTICIPANT.test(receiver)) return "receiver ID";
  if (!DOCUMENT_TYPE.test(document_type)) return "document type ID";
  if (process !== PROCESS) return "process ID";
  return /^[A-Z]{2}$/.test(country) ? null : "C1 country code";
}

/** The local name of the root element. */
function rootOf(body) {
  return /<(?:[\w.-]+:)?([A-Z]\w*)[\s>/]/.exec(body.toString())?.[1];
}

function now() {
  return new Date().toISOString();
}
