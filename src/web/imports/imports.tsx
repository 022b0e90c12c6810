/** The import of customers, products and hours from a file: the pages, and the actions of their islands. */

import { importedCustomers } from "../../features/overview/imports/create-customers.ts";
import { importedProducts } from "../../features/overview/imports/create-products.ts";
import { importedHours } from "../../features/overview/imports/register-hours.ts";
import {
  ConfirmedRows,
  type Imported,
  ImportedRows,
  importOf,
  lookAt,
} from "../../features/overview/imports/run-batch.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type WebPage } from "../frame/page.tsx";
import type { ImportKind } from "./import-columns.ts";
import { island as importCsv } from "./import-csv.tsx";

/** All people import their own hours; only admins import products and customers. */
const ACCESS: Readonly<Record<ImportKind, WebPage["access"] & Action["access"]>> = {
  customers: "hidden",
  products: "hidden",
  hours: "person",
};

export const importPages: readonly WebPage[] = (["customers", "products", "hours"] as const).map(
  (kind) =>
    definePage(`GET /${kind}/import`, ACCESS[kind], async ({ cx, reader }) => {
      const { imports } = reader.words;
      const { functional_currency } = await getConfiguration(cx);
      const content = <Island of={importCsv} with={{ kind, functional_currency }} />;
      return { title: imports.titles[kind], lead: imports.lead, content };
    }),
);

export const importActions: readonly Action[] = [
  ...actionsOf("customers", importedCustomers),
  ...actionsOf("products", importedProducts),
  ...actionsOf("hours", importedHours),
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
