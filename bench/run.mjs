// `npm run bench [-- start|reads|writes|series|close|mcp]`: figures as ratios to a baseline measured in the same run.
import { benchClose } from "./close.mjs";
import { benchMcp } from "./mcp.mjs";
import { benchReads } from "./reads.mjs";
import { benchSeries } from "./series.mjs";
import { benchStart } from "./start.mjs";
import { benchWrites } from "./writes.mjs";

const benches = {
  start: benchStart,
  reads: benchReads,
  writes: benchWrites,
  series: benchSeries,
  close: benchClose,
  mcp: benchMcp,
};
const wanted = process.argv.slice(2);

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await bench((title, figures) => {
    console.log(`\n${title}`);
    for (const [label, value] of Object.entries(figures)) {
      console.log(`  ${label.padEnd(46)} ${value >= 100 ? Math.round(value) : value.toFixed(2)}`);
    }
  });
}
