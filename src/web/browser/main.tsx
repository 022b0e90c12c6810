/**
 * The script of every page, which runs last: it hydrates the islands of the page. What the page has not named, such as the islands
 * of a dialog, is loaded when it is needed.
 */
import { hydrate, options } from "preact";
import { cachedScripts } from "../frame/cached-scripts.ts";
import { type PageReader, ReaderOf } from "../frame/reader.ts";
import { browserReader, readyReader } from "./browser-reader.ts";
import { actWhenChosen } from "./chips.ts";
import { openInDialogs } from "./dialog.ts";
import { listen } from "./finder.ts";
import { type IslandOf, loadedIsland } from "./island.ts";
import { listenToLists } from "./list-keys.ts";
import { walkByKeys } from "./walk.ts";

/** Every island by its name, which is the name of its file. */
const ISLANDS: Readonly<Record<string, () => Promise<{ readonly island: IslandOf<never> }>>> = {
  "address-field": () => import("../customers/address-field.tsx"),
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
  "drop-files": () => import("../bank/drop-files.tsx"),
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

/** Makes an island work: at once where its script and the texts have run, else when they are loaded. */
async function wake(place: HTMLElement): Promise<void> {
  const { island: name = "" } = place.dataset;
  if (loadedIsland(name) === undefined) await ISLANDS[name]?.();
  const island = loadedIsland(name);
  if (island === undefined) return;
  fill(place, island, readyReader() ?? (await browserReader()));
  // Renders what the effects have changed, such as fields that they have enabled.
  await null;
  place.dataset.alive = "";
}

/** Hydrates an island and runs its effects. Preact would run them after the next frame: the island would not work until then. */
function fill(place: HTMLElement, island: IslandOf<never>, reader: PageReader): void {
  const View = island.View as IslandOf<object>["View"];
  let runEffects = () => {};
  options.requestAnimationFrame = (run) => {
    runEffects = run;
  };
  hydrate(
    <ReaderOf value={reader}>
      <View {...(JSON.parse(place.dataset.props ?? "{}") as object)} />
    </ReaderOf>,
    place,
  );
  runEffects();
  delete options.requestAnimationFrame;
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
  listenToLists(lists, readyReader() ?? (await browserReader()));
  for (const list of lists) list.dataset.alive = "";
}

openInDialogs(wakeAll);
walkByKeys();
actWhenChosen();
await Promise.all([wakeLists(), wakeAll(document)]);
// A page that waits for its scripts knows already that they are cached. A plain address has no store of cookies.
if (document.querySelector("script[blocking]") === null)
  await globalThis.cookieStore?.set(cachedScripts(new URL(import.meta.url).pathname, Date.now()));
