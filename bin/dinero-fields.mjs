// Compares the fields that the connector to Dinero reads and writes with Dinero's published description of its API.
//
//   npm run dinero-fields [URL or file]
//
// Needs the network, or a file that was fetched before. Prints each name of a field, value and address that the connector
// uses and the description does not have: it may have been renamed, or only documentation pages describe it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "src/ledger/connectors/dinero");
const source = process.argv[2] ?? "https://api.dinero.dk/openapi/v1/swagger.json";

/** Addresses below the organisation, with the version in which the connector uses them. */
const ADDRESSES = [
  "get /v1/organizations",
  "get /v1/{}/accounts/entry",
  "get /v1/{}/vatTypes",
  "get /v1/{}/accountingyears",
  "get /v1/{}/contacts",
  "post /v1/{}/contacts",
  "put /v1/{}/contacts/{}",
  "delete /v1/{}/contacts/{}",
  "post /v1/{}/contacts/{}/restore",
  "get /v1/{}/products",
  "post /v1/{}/products",
  "put /v1/{}/products/{}",
  "delete /v1/{}/products/{}",
  ...["invoices", "sales/creditnotes"].flatMap((path) => [
    `get /v1/{}/${path}`,
    `post /v1/{}/${path}`,
    `get /v1/{}/${path}/{}`,
    `put /v1.2/{}/${path}/{}`,
    `delete /v1/{}/${path}/{}`,
    `post /v1/{}/${path}/{}/book`,
    `post /v1/{}/${path}/{}/email`,
    `get /v1/{}/${path}/{}/mailouts`,
  ]),
  "get /v2/{}/invoices/{}/payments",
  "post /v3/{}/invoices/{}/e-invoice",
  "post /v3/{}/sales/creditnotes/{}/e-creditNote",
  "get /v1/{}/sales/creditnotes/{}/pdf",
  "post /v1.2/{}/ledgeritems",
  "post /v1/{}/ledgeritems/book",
  "post /v1/{}/ledgeritems/status",
  "get /v1/{}/entries",
];

const described = JSON.parse(
  /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, "utf8"),
);
const names = new Set();
collect(described);
const addresses = new Set(
  Object.entries(described.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) =>
      `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`.toLowerCase(),
    ),
  ),
);

const missing = {
  names: usedNames().filter((name) => !names.has(name.toLowerCase())),
  addresses: ADDRESSES.filter((address) => !addresses.has(address.toLowerCase())),
};
for (const [what, list] of Object.entries(missing)) {
  console.log(list.length === 0 ? `All ${what} are described.` : `Not described, ${what}:`);
  for (const one of list) console.log(`  ${one}`);
}
process.exitCode = missing.names.length + missing.addresses.length > 0 ? 1 : 0;

/** Collects every name of a property or parameter and every value of an enumeration, in lower case. */
function collect(value) {
  if (Array.isArray(value)) for (const one of value) collect(one);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const name of Object.keys(value.properties ?? {})) names.add(name.toLowerCase());
  for (const one of value.enum ?? []) names.add(String(one).toLowerCase());
  if (typeof value.name === "string" && "in" in value) names.add(value.name.toLowerCase());
  for (const one of Object.values(value)) collect(one);
}

/** Returns the names with a capital letter that the connector has as a key or as a text; our own names never begin with one. */
function usedNames() {
  const used = new Set();
  for (const file of readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const text = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    for (const [, key, value] of text.matchAll(
      /(?<![.\w])([A-Z]\w*[a-z]\w*)\??:|"([A-Z][\w,]*[a-z][\w,]*)"/g,
    ))
      for (const name of (key ?? value).split(","))
        if (name !== "" && name !== "Dinero") used.add(name);
  }
  return [...used].sort();
}
