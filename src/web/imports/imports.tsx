/** The import of customers, products, hours and opening items from a file: the pages, and the actions of their islands. */

import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { importedCustomers } from "../../features/overview/imports/create-customers.ts";
import { importedOpenings } from "../../features/overview/imports/create-openings.ts";
import { importedProducts } from "../../features/overview/imports/create-products.ts";
import { importedHours } from "../../features/overview/imports/register-hours.ts";
import {
  ConfirmedRows,
  type Imported,
  ImportedRows,
  importOf,
  lookAt,
} from "../../features/overview/imports/run-batch.ts";
import { mayRecord } from "../../features/receivables/open-items/queries.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { ImportKind } from "./import-columns.ts";
import { island as importCsv } from "./import-csv.tsx";

/** All people import their own hours; only admins import the rest. */
const ACCESS: Readonly<Record<ImportKind, WebPage["access"] & Action["access"]>> = {
  customers: "hidden",
  products: "hidden",
  hours: "person",
  "opening-items": "hidden",
};

export const importPages: readonly WebPage[] = [
  ...(["customers", "products", "hours"] as const).map((kind) =>
    definePage(`GET /${kind}/import`, ACCESS[kind], async ({ cx, reader }) => {
      const { imports } = reader.words;
      const { functional_currency } = await getConfiguration(cx);
      const content = <Island of={importCsv} with={{ kind, functional_currency }} />;
      return { title: imports.titles[kind], lead: imports.lead, content };
    }),
  ),
  definePage("GET /opening-items/import", ACCESS["opening-items"], openingItems),
];

/** Opening items need an account against which they are posted, and receivables that are begun in these books. */
async function openingItems({ cx, reader }: PageRequest): Promise<PageAnswer> {
  const { imports, receivables } = reader.words;
  const title = imports.titles["opening-items"];
  if (isPaidInLedger(cx)) {
    const content = <p class="card pad">{receivables.in_ledger(ledgerTitle(cx.ledger))}</p>;
    return { title, content };
  }
  if (!(await mayRecord(cx))) {
    const content = (
      <div class="card">
        <div class="pad">
          <p>{receivables.not_begun_text}</p>
          <p class="buttons">
            <a class="button main" href="/receivables/begin">
              {receivables.begin}
            </a>
          </p>
        </div>
      </div>
    );
    return { title, content };
  }
  const { functional_currency } = await getConfiguration(cx);
  const chart = await wholeChart(cx, false);
  const usual = chart.find(({ type }) => type === "equity") ?? chart[0];
  const counters = {
    usual: `${usual?.number ?? ""}`,
    all: chart.map(({ number, name }) => [`${number}`, `${number} ${name}`] as const),
  };
  const content = (
    <Island of={importCsv} with={{ kind: "opening-items", functional_currency, counters }} />
  );
  return { title, lead: imports.opening_lead, content };
}

export const importActions: readonly Action[] = [
  ...actionsOf("customers", importedCustomers),
  ...actionsOf("products", importedProducts),
  ...actionsOf("hours", importedHours),
  ...actionsOf("opening-items", importedOpenings),
];

function actionsOf<Row>(kind: ImportKind, imported: Imported<Row>): readonly Action[] {
  const command = importOf(imported);
  return [
    defineAction(`/app/${kind}/import/look`, ACCESS[kind], ImportedRows, (cx, sent) =>
      lookAt(cx, imported, sent),
    ),
    defineAction(`/app/${kind}/import/make`, ACCESS[kind], ConfirmedRows, async (cx, sent) => ({
      made: await run(command, cx, sent),
    })),
  ];
}
