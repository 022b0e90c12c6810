/**
 * Redocly and Spectral report nothing about the OpenAPI document, by their recommended rules. Both are
 * installed outside of the tree (CONTRIBUTING.md), because they bring more packages than the service.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApi } from "../support/http/openapi.ts";
import { isSkippedWithout } from "../support/run/needs.ts";

const programs = resolve(process.env.LINTERS_DIR ?? "", "node_modules", ".bin");
const is_installed =
  !!process.env.LINTERS_DIR &&
  existsSync(join(programs, "redocly")) &&
  existsSync(join(programs, "spectral"));

/**
 * Spectral takes the fields `schema` and `example` of a type of event for those of OpenAPI, so they get other names, and resolves the
 * reference in an answer's example, so that is left out.
 */
function forSpectral(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.includes("since") ? value.map(otherName) : value;
  if (typeof value !== "object" || value === null) return value;
  if (name === "example" && JSON.stringify(value).includes('"$ref"')) return undefined;
  if (!("since" in value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [otherName(key), part]));
}

function otherName(name: string): string {
  return name === "schema" || name === "example" ? `own_${name}` : name;
}

describe.skipIf(isSkippedWithout(is_installed))(
  "linters (needs Redocly and Spectral: LINTERS_DIR)",
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "matchbook-lint-"));
      await writeFile(join(folder, "openapi.json"), JSON.stringify(openApi));
      await writeFile(join(folder, "spectral.json"), JSON.stringify(openApi, forSpectral));
      await writeFile(join(folder, ".spectral.yaml"), 'extends: ["spectral:oas"]\n');
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const run = async (program: string, args: readonly string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(join(programs, program), args, {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
        maxBuffer: 64 * 1024 * 1024,
      }).catch((error: { stdout?: string; stderr?: string }) => ({
        stdout: error.stdout || error.stderr || "failed",
      }));
      return stdout;
    };

    it("Redocly has no error and no warning", async () => {
      const { totals, problems } = JSON.parse(
        await run("redocly", ["lint", "openapi.json", "--format=json"]),
      );
      expect(problems).toEqual([]);
      expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
    });

    it("Spectral has no error, warning or hint", async () => {
      const found = await run("spectral", [
        "lint",
        "spectral.json",
        "--format=json",
        "--quiet",
        "--display-only-failures=false",
      ]);
      expect(JSON.parse(found)).toEqual([]);
    });
  },
);
