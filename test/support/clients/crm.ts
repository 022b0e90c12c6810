/** A small CRM over HTTP: contacts with a counter of changes, and invoices. It makes one contact for a `matchbook_id`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Contact = Readonly<Record<string, unknown>>;

interface Crm {
  readonly url: string;
  readonly contacts: ReadonlyMap<string, Contact>;
  readonly invoices: ReadonlyMap<string, Contact>;
  /** Changes a contact as a person does. */
  put(contact: Contact & { readonly id: string }): void;
  close(): Promise<void>;
}

export async function openCrm(): Promise<Crm> {
  const contacts = new Map<string, Contact>();
  const invoices = new Map<string, Contact>();
  let changes = 0;
  const put = (id: string, fields: Contact): Contact => {
    const old = contacts.get(id);
    const next: Contact = { matchbook_id: null, email: null, city: null, ...old, ...fields, id };
    // As in most systems, a change that changes nothing is none.
    if (JSON.stringify({ ...next, change: old?.change }) === JSON.stringify(old)) return next;
    changes += 1;
    contacts.set(id, { ...next, change: changes });
    return next;
  };
  const answer = (call: string, id: string, after: number, body: Contact): unknown => {
    if (call === "GET /contacts") {
      const found = [...contacts.values()].filter(({ change }) => Number(change) > after);
      return { contacts: found, last_change: changes };
    }
    if (call === "POST /contacts") {
      const known = [...contacts.values()].find((one) => one.matchbook_id === body.matchbook_id);
      return put(String(known?.id ?? contacts.size + 1), body);
    }
    if (call === "PUT /contacts" && contacts.has(id)) return put(id, body);
    if (call === "PUT /invoices") return invoices.set(id, body).get(id);
    return undefined;
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://crm");
    const [, resource, id = ""] = pathname.split("/").map(decodeURIComponent);
    const text = Buffer.concat(parts).toString();
    const body = text === "" ? {} : JSON.parse(text);
    const after = Number(searchParams.get("after"));
    const found = answer(`${request.method} /${resource}`, id, after, body);
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    contacts,
    invoices,
    put: ({ id, ...fields }) => void put(id, fields),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
