// Measures the import of a camt.053 file of 10 MB, beside another account that asks; then the same lines in another file, of which
// none is new, and the reading of the lines.
import { median } from "./load.mjs";
import { besideOther, openBeside } from "./other-account.mjs";
import { watchMemory } from "./series.mjs";
import { call, withService } from "./service.mjs";

const BYTES = Number(process.env.BENCH_BYTES ?? 9_990_000);
export const IBAN = "DK5000400440116243";
const READS = 20;

export async function benchBank(report) {
  await withService(async (service, client) => {
    const { data } = await call(service, "GET", "/bank-accounts");
    await call(service, "PATCH", `/bank-accounts/${data[0].id}`, { iban: IBAN });
    const { file, lines } = camtOf(BYTES);
    const beside = await openBeside(service);
    const memory = watchMemory(service.pid);
    const imports = [];
    try {
      for (const content of [file, `${file} `]) {
        imports.push(await besideOther(beside, () => sendFile(service, content)));
      }
    } finally {
      beside.kill();
      memory.stop();
    }
    const { most } = memory.stop();
    const [{ result: first, other }, again] = imports;
    requireLines(first, lines, lines);
    requireLines(again.result, lines, 0);
    report(`the import of a bank file: ${Math.round(file.length / 1e6)} MB, ${lines} lines`, {
      seconds: first.seconds,
      "lines per second": lines / first.seconds,
      "seconds of a file without new lines": again.result.seconds,
      ...other,
      "memory at most, MB": most,
    });
    await client.query("vacuum analyze bank_lines");
    const month = "/bank-lines?state=open&from=2026-03&limit=25";
    report("GET /bank-lines", {
      "milliseconds of the first page": await timeOf(service, "/bank-lines?limit=25"),
      "milliseconds of a month": await timeOf(service, month),
      "milliseconds of a search": await timeOf(service, "/bank-lines?search=faktura%20999"),
    });
  });
}

/** Returns a statement of about the size, and its number of lines. */
function camtOf(bytes) {
  const entries = [];
  for (let size = camtFile([]).length; ; ) {
    const n = entries.length + 1;
    const day = `2026-${String(1 + (n % 12)).padStart(2, "0")}-${String(1 + (n % 28)).padStart(2, "0")}`;
    const entry = camtEntry(n, day, `${n}.50`, `Faktura ${n}`);
    size += entry.length;
    if (size > bytes) return { file: camtFile(entries), lines: entries.length };
    entries.push(entry);
  }
}

/** Returns a statement with entries, of the bank account of `IBAN`. */
export function camtFile(entries) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>DKK</Ccy></Acct>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
}

/** Returns the entry of money in with a number of its own. */
export function camtEntry(n, day, amount, text) {
  return `
<Ntry><NtryRef>${n}</NtryRef><Amt Ccy="DKK">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>B${n}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E${n}</EndToEndId></Refs><Amt Ccy="DKK">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>Kunde ${n} ApS</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${IBAN}</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
}

/** Imports a statement; returns the answer and the seconds. */
export async function sendFile({ origin, key }, file) {
  const began = performance.now();
  const reply = await fetch(`${origin}/api/v1/bank-statements`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/xml" },
    body: file,
  });
  const answer = await reply.json();
  if (reply.status !== 201) throw new Error(JSON.stringify(answer));
  return { answer, seconds: (performance.now() - began) / 1000 };
}

function requireLines({ answer }, lines, new_lines) {
  const [statement] = answer.statements;
  if (statement.lines !== lines || statement.new_lines !== new_lines) {
    throw new Error(JSON.stringify(statement));
  }
}

/** Returns the median milliseconds of a read. */
export async function timeOf(service, path) {
  const times = [];
  for (let read = 0; read < READS; read += 1) {
    const began = performance.now();
    await call(service, "GET", path);
    times.push(performance.now() - began);
  }
  return median(times);
}
