/** Examples of the OpenAPI document by operation, from the tests. `npm run update-examples` records them again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../runtime/paths.ts";

export interface ApiExample {
  /** Parameters of the path and the query, by name, as text. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** Absent when the response is a file or empty. */
  readonly answer?: unknown;
}

export type ApiExamples = Readonly<Record<string, ApiExample>>;

export const examplesFile: string = join(packageRoot, "assets", "api-examples.json");

export function readExamples(): ApiExamples {
  return JSON.parse(readFileSync(examplesFile, "utf8"));
}
