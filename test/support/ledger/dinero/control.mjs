/**
 * The control address of the simulation of Dinero, which the real one does not have:
 *
 *   GET  /_control/books          all of its books
 *   GET  /_control/calls          the requests since the last POST /_control/forget
 *   POST /_control/switches       {name: value}
 *   POST /_control/organisation   {Id?, key?, …}: changes an organisation, or adds one with a key
 *   POST /_control/edit           {key, change}: edits a record, as a user of the ledger does; null removes
 *   POST /_control/pay            {guid, amount, date}: a person records a payment of an invoice; below 0 takes one back
 *   POST /_control/grant          {org}: returns {refresh_token}, as after the consent of an admin
 *   POST /_control/revoke         ends all access tokens
 *   POST /_control/faults         [{match, times?, action: drop_before|drop_after|delay|status, ms?, status?, body?}]
 */
import { setFaults } from "../../run/request-faults.mjs";
import { stampOf } from "./books.mjs";
import { newOrganisation } from "./organisation.mjs";
import { paid } from "./payments.mjs";
import { grantTo } from "./tokens.mjs";

export function control(books, log, method, url, text) {
  const input = text === "" ? {} : JSON.parse(text);
  switch (`${method} ${url.pathname.slice("/_control/".length)}`) {
    case "GET books":
      return [200, booksOf(books, Number(url.searchParams.get("org") ?? 270001))];
    case "GET calls":
      return [200, log];
    case "POST forget":
      log.length = 0;
      return [200, {}];
    case "POST switches":
      books.commit({ switches: { ...books.get("switches"), ...input } });
      return [200, {}];
    case "POST organisation": {
      const { key, ...change } = input;
      const id = input.Id ?? 270001;
      const org = books.get(`org/${id}`) ?? newOrganisation(id);
      const put = { [`org/${id}`]: { ...org, ...change } };
      books.commit(key === undefined ? put : { ...put, [`key/${key}`]: { org: id } });
      return [200, {}];
    }
    case "POST edit": {
      const known = books.get(input.key);
      if (known === undefined) return [404, {}];
      const stamps = { TimeStamp: stampOf(books.next()), UpdatedAt: new Date().toISOString() };
      const edited = input.change === null ? null : { ...known, ...stamps, ...input.change };
      books.commit({ [input.key]: edited });
      return [200, {}];
    }
    case "POST pay": {
      const key = `invoice/${input.org ?? 270001}/${input.guid}`;
      const known = books.get(key);
      if (known === undefined) return [404, {}];
      books.commit({ [key]: paid(known, input, stampOf(books.next())) });
      return [200, {}];
    }
    case "POST grant":
      return [200, { refresh_token: grantTo(books, input.org ?? 270001) }];
    case "POST revoke": {
      const known = [...books.keys("access/")];
      books.commit(Object.fromEntries(known.map((key) => [key, null])));
      return [200, {}];
    }
    case "POST faults":
      setFaults(input);
      return [200, {}];
    default:
      return [404, {}];
  }
}

function booksOf(books, org) {
  const of = (kind) => books.list(`${kind}/${org}/`);
  return {
    organisation: books.get(`org/${org}`),
    switches: books.get("switches"),
    invoices: of("invoice"),
    credit_notes: of("credit_note"),
    ledger_items: of("ledger_item"),
    contacts: of("contact"),
    products: of("product"),
    entries: of("entry"),
  };
}
