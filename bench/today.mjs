// The HTML of pages in a firm of 100,000 invoices, 5,000 customers and 500 retainers of 36 months compared with 1,000, 50 and
// 5: two services, requested in alternation, under the same conditions; and with the list of drafts of the larger one.
// BENCH_INVOICES sets the larger number, BENCH_PAGES a text that the names of the visited pages contain.
import { pagesOfFirm } from "./firm-pages.mjs";
import { atTwoSizes, mediansInTurn } from "./load.mjs";
import { seedFirm } from "./seed-firm.mjs";

const FEW = 1_000;
const MANY = Number(process.env.BENCH_INVOICES ?? 100_000);
const WANTED = process.env.BENCH_PAGES ?? "";
const ROUNDS = 40;

export function benchToday(report) {
  return atTwoSizes(FEW, MANY, seedFirm, async (services, seeded) => {
    const [few, many] = services.map((service, n) =>
      pagesOfFirm(seeded[n]).map((page) => () => visit(service, page, seeded[n])),
    );
    const cases = Object.fromEntries(
      pagesOfFirm(seeded[0]).flatMap(({ name }, at) =>
        name === "drafts" || name.includes(WANTED)
          ? [[name, { few: few[at], many: many[at] }]]
          : [],
      ),
    );
    const medians = await mediansInTurn(cases, ROUNDS, 5);
    for (const [name, at] of Object.entries(medians)) {
      report(name, {
        [`median ms at ${FEW}`]: at.few,
        [`median ms at ${MANY}`]: at.many,
        ratio: at.many / at.few,
        "to the list of drafts": at.many / medians.drafts.many,
      });
    }
  });
}

async function visit(service, { path, is_standard }, { admin, standard }) {
  const reply = await fetch(service.origin + path, {
    headers: { cookie: `matchbook=${is_standard ? standard : admin}` },
    redirect: "manual",
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`);
}
