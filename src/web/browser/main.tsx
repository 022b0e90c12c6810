/** The only script that pages name: it hydrates the islands of a page. All other scripts are loaded when a page needs them. */
import { hydrate } from "preact";
import { ReaderOf } from "../frame/reader.ts";
import { browserReader } from "./browser-reader.ts";
import { actWhenChosen } from "./chips.ts";
import { openInDialogs } from "./dialog.ts";
import { listen } from "./finder.ts";
import type { IslandOf } from "./island.ts";
import { listenToLists } from "./list-keys.ts";
import { walkByKeys } from "./walk.ts";

/** Every island by its name, which is the name of its file. */
const ISLANDS: Readonly<Record<string, () => Promise<{ readonly island: IslandOf<never> }>>> = {
  "account-list": () => import("../ledger/account-list.tsx"),
  "balance-table": () => import("../ledger/balance-table.tsx"),
  "checked-field": () => import("../parts/checked-field.tsx"),
  "close-ahead": () => import("../close/close-ahead.tsx"),
  "close-progress": () => import("../close/close-progress.tsx"),
  "company-form": () => import("../settings/company-form.tsx"),
  "copy-text": () => import("../parts/copy-text.tsx"),
  "credit-form": () => import("../credit/credit-form.tsx"),
  "customer-chip": () => import("../invoices/customer-chip.tsx"),
  "day-field": () => import("../parts/day-field.tsx"),
  "draft-editor": () => import("../draft/draft-editor.tsx"),
  "explanation-panel": () => import("../revenue/explanation-panel.tsx"),
  "import-csv": () => import("../imports/import-csv.tsx"),
  "invoice-months": () => import("../invoices/invoice-months.tsx"),
  "mail-text-form": () => import("../settings/mail-text-form.tsx"),
  "passkey-button": () => import("../frame/passkey-button.tsx"),
  "line-change": () => import("../retainers/line-change.tsx"),
  "months-strip": () => import("../retainers/months-strip.tsx"),
  "product-list": () => import("../products/product-list.tsx"),
  "obligations-table": () => import("../revenue/obligations-table.tsx"),
  "retainer-form": () => import("../retainers/retainer-form.tsx"),
  "retainer-months": () => import("../retainers/retainer-months.tsx"),
  "revenue-balances": () => import("../revenue/revenue-balances.tsx"),
  "revenue-ahead": () => import("../revenue/revenue-ahead.tsx"),
  "reconciliation-view": () => import("../ledger/reconciliation-view.tsx"),
  "vat-boxes": () => import("../ledger/vat-boxes.tsx"),
  "studio-wait": () => import("../welcome/studio-wait.tsx"),
  "week-grid": () => import("../week/week-grid.tsx"),
};

async function wake(place: HTMLElement): Promise<void> {
  const { island: name = "", props = "{}" } = place.dataset;
  const [loaded, reader] = await Promise.all([ISLANDS[name]?.(), browserReader()]);
  if (loaded === undefined) return;
  const View = loaded.island.View as IslandOf<object>["View"];
  hydrate(
    <ReaderOf value={reader}>
      <View {...(JSON.parse(props) as object)} />
    </ReaderOf>,
    place,
  );
  place.dataset.alive = "";
}

const finder = document.querySelector<HTMLAnchorElement>("a[data-palette]");
if (finder !== null) listen(finder);

/** Makes the islands of an element alive. The texts of the reader are loaded only where there is one. */
async function wakeAll(within: ParentNode): Promise<void> {
  await Promise.all(
    [...within.querySelectorAll<HTMLElement>("[data-island]:not([data-alive])")].map(wake),
  );
}

/** Makes the lists of the page work by keys. */
async function wakeLists(): Promise<void> {
  const lists = [...document.querySelectorAll<HTMLElement>("[data-list]")];
  if (lists.length === 0) return;
  listenToLists(lists, await browserReader());
  for (const list of lists) list.dataset.alive = "";
}

openInDialogs(wakeAll);
walkByKeys();
actWhenChosen();
await Promise.all([wakeLists(), wakeAll(document)]);
