/**
 * Schemathesis (PyPI) makes requests from the OpenAPI document, and checks that the document describes the answers. It runs as a
 * separate program, `st`, whose path is in `SCHEMATHESIS`.
 */
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Json } from "../world/world.ts";
import { openApi } from "./openapi.ts";

/** The program; undefined when it is not installed. */
export const schemathesis: string | undefined = process.env.SCHEMATHESIS || undefined;

/** A failed check, with the request as it was sent and the answer. */
export interface Failure {
  readonly operation: string;
  readonly check: string;
  readonly request: string;
  readonly status: number;
  readonly answer: Json;
}

interface Run {
  readonly cases: number;
  /** The number of operations that were called. */
  readonly operations: number;
  /** By phase, `success`, `failure`, or `skip` when the time was over. */
  readonly phases: Readonly<Record<string, string>>;
  readonly failures: readonly Failure[];
}

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  // A request that the document allows is not refused as malformed or invalid.
  "positive_data_acceptance",
];

/**
 * Runs all phases against a service for the given number of seconds. Throws with the program's output when it does not finish.
 */
export async function runSchemathesis(
  program: string,
  {
    origin,
    key,
    seconds,
  }: { readonly origin: string; readonly key: string; readonly seconds: number },
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-schemathesis-"));
  try {
    const [document, events] = [join(folder, "openapi.json"), join(folder, "events.ndjson")];
    await writeFile(document, JSON.stringify(openApi));
    const written = await outputOf(program, folder, [
      ...["run", document, "--url", `${origin}/api/v1`, "--header", `Authorization: Bearer ${key}`],
      ...["--phases", "examples,coverage,fuzzing,stateful", "--mode", "all"],
      ...["--checks", CHECKS.join(), "--continue-on-failure", "--warnings", "off", "--seed", "1"],
      ...["--max-time", String(seconds), "--report-ndjson-path", events],
    ]);
    return await readRun(events).catch((error: Error) => {
      throw new Error(`${error.message}\n${written}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with the end of the program's output when the program has ended. */
function outputOf(program: string, cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let written = "";
    const onText = (chunk: Buffer): void => {
      written = `${written}${chunk}`.slice(-4000);
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.once("error", reject);
    child.once("close", () => resolve(written));
  });
}

async function readRun(events: string): Promise<Run> {
  const failures: Failure[] = [];
  const phases: Record<string, string> = {};
  const operations = new Set<string>();
  let cases = 0;
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const { ScenarioFinished: scenario, PhaseFinished: phase, EngineFinished } = JSON.parse(line);
    if (phase !== undefined) phases[phase.phase.name] = phase.status;
    if (EngineFinished !== undefined) phases.engine = "finished";
    if (!scenario?.recorder) continue;
    const { label, checks, interactions } = scenario.recorder;
    for (const [id, { request, response }] of Object.entries<Json>(interactions ?? {})) {
      cases += 1;
      if (label.includes(" /")) operations.add(label);
      for (const { name, status } of checks?.[id] ?? []) {
        if (status !== "failure") continue;
        failures.push({
          operation: label,
          check: name,
          request: `${request.method} ${request.uri} ${textOf(request.body)}`,
          status: response?.status_code ?? 0,
          answer: parsed(textOf(response?.content)),
        });
      }
    }
  }
  if (phases.engine === undefined) throw new Error("Schemathesis did not finish");
  return { cases, operations: operations.size, phases, failures };
}

function textOf(body: { readonly $base64: string } | null | undefined): string {
  return Buffer.from(body?.$base64 ?? "", "base64").toString();
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
