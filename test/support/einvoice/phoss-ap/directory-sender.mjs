/**
 * The directory sender of the simulation of phoss-ap: each `*.xml` with content in the watched folder moves to `pending/`, and after
 * its sending to `success/` or `error/`, with `<name>.json` beside it. A file that is to be tried again stays in `pending/`.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { attempt, store } from "./outbound.mjs";
import { switchesOf } from "./switches.mjs";

/** Watches a folder until `end` is called. */
export function watchFolder(books, folder) {
  for (const name of ["pending", "success", "error"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  let timer;
  const look = () => {
    for (const name of xmlFilesIn(folder)) pickUp(books, folder, name);
    for (const name of xmlFilesIn(join(folder, "pending"))) settle(books, folder, name);
    timer = setTimeout(look, switchesOf(books).directory_ms);
  };
  look();
  return { end: () => clearTimeout(timer) };
}

function xmlFilesIn(folder) {
  return readdirSync(folder).filter(
    (name) => name.endsWith(".xml") && statSync(join(folder, name)).size > 0,
  );
}

function pickUp(books, folder, name) {
  const pending = move(join(folder, name), join(folder, "pending"));
  const body = readFileSync(pending);
  const envelope = envelopeFrom(body.toString());
  if (envelope === null) {
    return finish(folder, pending, name, { error: "The file is no Standard Business Document" });
  }
  const key = store(books, { ...envelope, body, file: basename(pending), sourceFile: name });
  attempt(books, key);
}

function settle(books, folder, name) {
  const pending = join(folder, "pending", name);
  const transaction = books.list("transaction/").findLast((one) => one.file === name);
  if (transaction === undefined) return pickUpAgain(books, folder, pending, name);
  if (["sent", "rejected", "permanently_failed"].includes(transaction.status)) {
    finish(folder, pending, transaction.sourceFile, { transaction });
    books.commit({ [transaction.key]: { ...transaction, file: null } });
  }
}

/** A file that was moved before the process ended, and has no transaction yet. */
function pickUpAgain(books, folder, pending, name) {
  renameSync(pending, join(folder, name));
  pickUp(books, folder, name);
}

function finish(folder, pending, source, { transaction, error }) {
  const is_sent = transaction?.status === "sent";
  const target = move(pending, join(folder, is_sent ? "success" : "error"));
  const answer = {
    success: is_sent,
    sourceFile: source,
    sbdhInstanceID: transaction?.sbdhInstanceID ?? null,
    transactionID: transaction?.id ?? null,
    status: transaction?.status ?? null,
    errorDetails: error ?? transaction.errorDetails,
    processedDT: new Date().toISOString(),
  };
  writeFileSync(`${target}.json`, JSON.stringify(answer));
}

/** Moves a file into a folder, with `-1` in its name when that is taken; returns its new path. */
function move(path, folder) {
  const name = basename(path);
  const target = join(folder, name);
  const free = existsSync(target) ? join(folder, `${name.slice(0, -".xml".length)}-1.xml`) : target;
  renameSync(path, free);
  return free;
}

function envelopeFrom(text) {
  if (!text.includes("StandardBusinessDocumentHeader")) return null;
  const read = (pattern) => pattern.exec(text)?.[1] ?? null;
  const sbdhInstanceID = read(
    /<InstanceIdentifier>([^<]*)<\/InstanceIdentifier><Type>(?:Invoice|CreditNote)</,
  );
  const party = (name) =>
    `iso6523-actorid-upis::${read(new RegExp(`<${name}><Identifier[^>]*>([^<]*)<`))}`;
  if (sbdhInstanceID === null) return null;
  return { sbdhInstanceID, senderID: party("Sender"), receiverID: party("Receiver") };
}
