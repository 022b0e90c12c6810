/**
 * The Python client, built as a wheel and installed into an empty folder: the cases of the TypeScript client against an account with
 * the built-in ledger with the synchronous client and against a connected one with the asynchronous client, and its types.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { installPython } from "../support/clients/install-client.ts";
import { itPassesCases, run, runCases } from "../support/clients/run-cases.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import { isSkippedWithout } from "../support/run/needs.ts";

/** A Python with the packages that `.ci/run` names: the generator, the dependencies of the client, mypy and setuptools. */
const PYTHON = process.env.CLIENT_PYTHON ?? "";
const CLIENT = join(packageRoot, "clients/python");
const MOST_LINES = 600;
const FAULTY_INVOICES = 200;

describe.skipIf(isSkippedWithout(PYTHON !== ""))(
  "the Python client (needs Python with packages of PyPI: CLIENT_PYTHON names it)",
  () => {
    const { world } = useDineroWorld({ knows_origin: true });
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "matchbook-python-"));
      await installPython(PYTHON, join(folder, "site"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    describe.each([
      ["the built-in ledger", "sync"],
      ["a connected ledger", "async"],
    ] as const)("with %s, %s", (kind, mode) => {
      let results = new Map<string, string | null>();
      beforeAll(async () => {
        const account = kind === "a connected ledger" ? world.account : await world.openAnother();
        results = await runCases(world, account.keys.read_write, {
          command: [PYTHON, join(packageRoot, "test/clients/run_cases.py")],
          folder,
          environment: { PYTHONPATH: join(folder, "site"), MODE: mode },
          invoices: FAULTY_INVOICES,
        });
      });

      itPassesCases(() => results);
    });

    describe("the package", () => {
      const check = async (name: string, text: string): Promise<string> => {
        await writeFile(join(folder, name), text);
        const options = [
          "--strict",
          "--python-version",
          "3.10",
          "--cache-dir",
          join(folder, "cache"),
        ];
        const checked = run(PYTHON, ["-m", "mypy", ...options, name], {
          cwd: folder,
          env: { ...process.env, MYPYPATH: join(folder, "site") },
        });
        return checked.then(
          () => "",
          (error) => String(error.stdout),
        );
      };

      it("has types that a strict program is checked with", async () => {
        expect(await check("typed.py", TYPED)).toBe("");
      });

      it("is refused with a field that is no field", async () => {
        expect(
          await check("wrong.py", TYPED.replace(".order_reference", ".order_refrence")),
        ).toMatch(/order_refrence/);
      });

      it(`has at most ${MOST_LINES} lines that are not generated`, async () => {
        const source = join(CLIENT, "src/matchbook_client");
        const names = (await readdir(source)).filter(
          (name) => name.endsWith(".py") && name !== "_operations.py",
        );
        const texts = await Promise.all(names.map((name) => readFile(join(source, name), "utf8")));
        const lines = texts.join("").trim().split("\n").length;
        expect(lines).toBeGreaterThan(100);
        expect(lines).toBeLessThanOrEqual(MOST_LINES);
      });
    });
  },
);

const TYPED = `from matchbook_client import AsyncMatchbook, Matchbook, MatchbookError, models, verify_webhook


def program(matchbook: Matchbook) -> str | None:
    draft = matchbook.invoices.create({"customer_id": "x", "lines": []}, idempotency_key="k")
    issued = matchbook.invoices.issue(draft.id)
    titles = [invoice.title for invoice in matchbook.invoices.list(limit=10)]
    pdf: bytes = matchbook.invoices.get_pdf(issued.id)
    for event in matchbook.events.follow(types="invoice.*"):
        if event.sequence > 9:
            break
    try:
        verify_webhook(b"", {}, "whsec_x")
    except MatchbookError as error:
        return error.code
    shown: models.Invoice = matchbook.invoices.get(issued.id)
    return f"{len(pdf)} {len(titles)} {shown.order_reference}"


async def awaited(matchbook: AsyncMatchbook) -> str:
    async for customer in await matchbook.customers.list():
        return customer.name
    return ""
`;
