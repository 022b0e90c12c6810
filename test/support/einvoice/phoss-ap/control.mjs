/**
 * The control address of the simulation of phoss-ap, which the real one does not have:
 *
 *   GET  /_control/books      {transactions, sendings, switches}
 *   GET  /_control/calls      the requests since the last POST /_control/forget
 *   POST /_control/switches   {name: value}
 *   POST /_control/retry      what waits is tried again, as phoss-ap does by itself
 *   POST /_control/archive    a day passes: transactions that have ended are archived
 *   POST /_control/mls        {instance, status}: a Message Level Status arrives
 *   POST /_control/watch      {folder}: the directory sender watches it; null ends that
 *   POST /_control/faults     [{match, times?, action: drop_before|drop_after|status|status_after, status?, body?}]
 */
import { setFaults } from "../../run/request-faults.mjs";
import { watchFolder } from "./directory-sender.mjs";
import { tryAgain } from "./outbound.mjs";
import { switchesOf } from "./switches.mjs";

const FINAL = ["sent", "rejected", "permanently_failed"];

let watching = null;

export function control(books, log, method, url, text) {
  const input = text === "" ? {} : JSON.parse(text);
  switch (`${method} ${url.pathname.slice("/_control/".length)}`) {
    case "GET books":
      return [200, booksOf(books)];
    case "GET calls":
      return [200, log];
    case "POST forget":
      log.length = 0;
      return [200, {}];
    case "POST switches":
      books.commit({ switches: { ...books.get("switches"), ...input } });
      return [200, {}];
    case "POST retry":
      tryAgain(books);
      return [200, {}];
    case "POST archive":
      change(books, ({ status }) => FINAL.includes(status), { is_archived: true });
      return [200, {}];
    case "POST mls":
      change(books, ({ sbdhInstanceID }) => sbdhInstanceID === input.instance, {
        mlsStatus: input.status,
        ...(input.text && { errorDetails: input.text }),
      });
      return [200, {}];
    case "POST watch":
      watching?.end();
      watching = input.folder ? watchFolder(books, input.folder) : null;
      return [200, {}];
    case "POST faults":
      setFaults(input);
      return [200, {}];
    default:
      return [404, {}];
  }
}

function change(books, isMeant, fields) {
  for (const one of books.list("transaction/")) {
    if (isMeant(one)) books.commit({ [one.key]: { ...one, ...fields } });
  }
}

function booksOf(books) {
  return {
    transactions: books.list("transaction/"),
    sendings: books.list("sending/"),
    switches: switchesOf(books),
  };
}
