// Builds the client: types and operations from the OpenAPI document of the repository, then JavaScript and declarations in `dist`.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";

const folder = import.meta.dirname;
const generated = join(folder, "src", "generated");
const input = join(folder, "..", "..", "docs", "openapi.json");

await rm(generated, { recursive: true, force: true });
await rm(join(folder, "dist"), { recursive: true, force: true });
await createClient({
  input,
  output: { path: join(generated, "types"), entryFile: false },
  plugins: ["@hey-api/typescript"],
  logs: { level: "silent" },
});
await mkdir(generated, { recursive: true });
const document = JSON.parse(await readFile(input, "utf8"));
await writeFile(join(generated, "operations.ts"), operationsOf(document));
const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });

/** Returns a module with the method and path of each operation, and the interface of the groups of operations. */
function operationsOf({ info, paths, components }) {
  const groups = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === "parameters") continue;
      const [group, name] = operation.operationId.split(".").map(camelCased);
      groups[group] ??= {};
      groups[group][name] = { path, method, operation };
    }
  }
  const table = Object.entries(groups).map(([group, operations]) => {
    const rows = Object.entries(operations).map(
      ([name, { path, method }]) => `${name}: "${method.toUpperCase()} ${path}"`,
    );
    return `  ${group}: { ${rows.join(", ")} },`;
  });
  const interfaces = Object.entries(groups).map(([group, operations]) => {
    const members = Object.entries(operations).map(([name, found]) =>
      memberOf(name, found, components),
    );
    return `  readonly ${group}: {\n${members.join("\n")}\n  };`;
  });
  return `// Generated from the OpenAPI document by build.mjs.
import type { Call, CallOptions, List, ListCall } from "../call.ts";
import type * as T from "./types/types.gen.ts";

/** The day of the newest addition to the API that this client knows. */
export const API_VERSION = "${info["x-matchbook-version"]}";

/** The method and path of each operation, by group and name. */
export const OPERATIONS = {
${table.join("\n")}
} as const;

export interface Operations {
${interfaces.join("\n")}
}
`;
}

function memberOf(name, { path, method, operation }, components) {
  const type = pascalCased(operation.operationId);
  const parameters = operation.parameters ?? [];
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, place]) => `${camelCased(place)}: string`,
  );
  const has_body = operation.requestBody !== undefined;
  const has_query = parameters.some((parameter) => parameter.in === "query");
  const query = `T.${type}Data["query"]`;
  const body = Object.keys(operation.requestBody?.content ?? {}).includes("application/json")
    ? `T.${type}Data["body"]`
    : "BodyInit";
  if (has_body) places.push(`${operation.requestBody.required ? "body" : "body?"}: ${body}`);
  else if (method === "post") places.push("body?: undefined");
  else places.push(`query?: ${has_query ? query : "undefined"}`);
  const options = has_body && has_query ? `CallOptions & { query?: ${query} }` : "CallOptions";
  const comment = [operation.summary, operation.description].filter(Boolean).join("\n\n");
  const doc = comment.replaceAll("*/", "*\\/").replaceAll("\n", "\n     * ");
  return `    /** ${doc} */\n    ${name}(${[...places, `options?: ${options}`].join(", ")}): ${answerOf(type, operation, components)};`;
}

function answerOf(type, { responses }, components) {
  const [, good = {}] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const content = good.content ?? {};
  const kinds = Object.keys(content);
  if (kinds.length === 0) return "Call<null>";
  const schema = content["application/json"]?.schema;
  if (schema !== undefined) {
    const { properties = {} } = components.schemas[schema.$ref?.split("/").at(-1)] ?? schema;
    const is_list = properties.next_cursor !== undefined;
    return is_list
      ? `ListCall<T.${type}Response extends List<infer Item> ? Item : never>`
      : `Call<T.${type}Response>`;
  }
  // As `contentOf` of the client decides.
  const is_text = /^text\/|^application\/(?:xml|x-ndjson)\b/.test(kinds[0]);
  return is_text ? "Call<string>" : "Call<Uint8Array>";
}

function camelCased(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function pascalCased(id) {
  const name = id.replace(/[._](\w)/g, (_, letter) => letter.toUpperCase());
  return name[0].toUpperCase() + name.slice(1);
}
