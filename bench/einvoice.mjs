// Measures e-invoices that are made and checked by the rules of the service: CPU and bytes for each format, with 5 and 500 rows, and
// Factur-X compared with the plain PDF.
import { benchSendings } from "./einvoice-sendings.mjs";
import { documentOf } from "./pdf.mjs";
import { load } from "./sources.mjs";

const MADE = Number(process.env.BENCH_DOCUMENTS ?? 2000);
const LONG = Math.ceil(MADE / 20);
const PRINTED = Math.ceil(MADE / 20);

export async function benchEinvoice(report) {
  const { electronicInvoiceFrom } = await load("domain/einvoice/from-snapshot");
  const { missingOf } = await load("domain/einvoice/missing");
  const writers = [
    ["peppol-bis-3", (await load("domain/einvoice/write-bis")).writeBis],
    ["oioubl-2.1", (await load("domain/einvoice/write-oioubl")).writeOioubl],
    ["factur-x", (await load("domain/einvoice/write-cii")).writeCii],
  ];
  const facts = {
    number: "1001",
    preceding_year: null,
    receiver: { scheme: "0088", value: "5798009811578" },
    corrections: {},
    attachments: [],
  };
  for (const [format, write] of writers) {
    const make = (lines) => (index) => {
      const invoice = electronicInvoiceFrom(documentOf(lines, index), facts);
      missingOf(invoice, format);
      return Buffer.byteLength(write(invoice));
    };
    costOf(MADE, make(5));
    const short = costOf(MADE, make(5));
    const long = costOf(LONG, make(500));
    report(`E-invoices in ${format}, ${MADE} of 5 rows and ${LONG} of 500`, {
      "5 rows, CPU ms": short.ms,
      "5 rows, documents a second of one core": 1000 / short.ms,
      "5 rows, bytes": short.bytes,
      "500 rows, CPU ms": long.ms,
    });
  }
  await benchFacturX(report, electronicInvoiceFrom, writers.at(-1)[1], facts);
  await benchSendings(report);
}

async function benchFacturX(report, electronicInvoiceFrom, writeCii, facts) {
  const { renderPdf } = await load("features/documents/printing/pdf");
  const { viewOf } = await load("features/documents/printing/view");
  const view = (index) => viewOf(documentOf(5, index), { number: BigInt(index + 1) });
  const plain = (index) => renderPdf(view(index));
  const whole = (index) => {
    const xml = writeCii(electronicInvoiceFrom(documentOf(5, index), facts));
    return renderPdf(view(index), null, undefined, Buffer.from(xml));
  };
  for (let index = 0; index < PRINTED; index += 1) await whole(PRINTED + index);
  for (let index = 0; index < PRINTED; index += 1) await plain(PRINTED + index);
  const [pdf, factur_x] = await printedCosts([plain, whole]);
  report(`Factur-X, ${PRINTED} documents of 5 rows`, {
    "PDF, CPU ms": pdf.ms,
    "Factur-X, CPU ms": factur_x.ms,
    ratio: factur_x.ms / pdf.ms,
    "PDF, bytes": pdf.bytes,
    "Factur-X, bytes": factur_x.bytes,
  });
}

/** Returns the CPU time of this process and the bytes, each for one document; documents are made before the clock starts. */
function costOf(count, make) {
  let bytes = 0;
  const began = process.cpuUsage();
  for (let index = 0; index < count; index += 1) bytes += make(index);
  return { ms: elapsed(began) / count, bytes: bytes / count };
}

/** The cost of each way to print, in turn for each document, so that all meet the same machine and the same state of the heap. */
async function printedCosts(ways) {
  const costs = ways.map(() => ({ ms: 0, bytes: 0 }));
  for (let index = 0; index < PRINTED; index += 1) {
    for (const [way, render] of ways.entries()) {
      const began = process.cpuUsage();
      const { length } = await render(index);
      costs[way].ms += elapsed(began) / PRINTED;
      costs[way].bytes += length / PRINTED;
    }
  }
  return costs;
}

function elapsed(began) {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
