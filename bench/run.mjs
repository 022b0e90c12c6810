// `npm run bench [-- start|reads|pages|search|today|alive|writes|series|close|mcp|pdf|einvoice|events|webhooks|costs|steps|fairness|ledger|bank|batches|exports|receivables|soak]`: figures as ratios to a baseline measured in the same run.
import { benchAlive } from "./alive.mjs";
import { benchBank } from "./bank.mjs";
import { benchBatches } from "./batches.mjs";
import { benchClose } from "./close.mjs";
import { benchCosts } from "./costs.mjs";
import { benchEinvoice } from "./einvoice.mjs";
import { benchEvents } from "./events.mjs";
import { benchExports } from "./exports.mjs";
import { benchFairness } from "./fairness.mjs";
import { benchLedgerRate } from "./ledger-rate.mjs";
import { benchMcp } from "./mcp.mjs";
import { benchPages } from "./pages.mjs";
import { benchPdf } from "./pdf.mjs";
import { benchReads } from "./reads.mjs";
import { benchReceivables } from "./receivables.mjs";
import { benchSearch } from "./search.mjs";
import { benchSeries } from "./series.mjs";
import { benchSoak } from "./soak.mjs";
import { benchStart } from "./start.mjs";
import { benchSteps } from "./steps.mjs";
import { benchToday } from "./today.mjs";
import { benchWebhooks } from "./webhooks.mjs";
import { benchWrites } from "./writes.mjs";

const benches = {
  start: benchStart,
  reads: benchReads,
  pages: benchPages,
  search: benchSearch,
  today: benchToday,
  alive: benchAlive,
  writes: benchWrites,
  series: benchSeries,
  close: benchClose,
  mcp: benchMcp,
  costs: benchCosts,
  steps: benchSteps,
  pdf: benchPdf,
  einvoice: benchEinvoice,
  events: benchEvents,
  webhooks: benchWebhooks,
  fairness: benchFairness,
  ledger: benchLedgerRate,
  bank: benchBank,
  batches: benchBatches,
  exports: benchExports,
  receivables: benchReceivables,
  soak: benchSoak,
};
/** Runs only by name, because it takes long. */
const ONLY_BY_NAME = ["soak"];
// An interrupted bench also ends its services, which listen for its exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const wanted = process.argv.slice(2);

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 ? ONLY_BY_NAME.includes(name) : !wanted.includes(name)) continue;
  await bench((title, figures) => {
    console.log(`\n${title}`);
    for (const [label, value] of Object.entries(figures)) {
      console.log(`  ${label.padEnd(46)} ${value >= 100 ? Math.round(value) : value.toFixed(2)}`);
    }
  });
}
