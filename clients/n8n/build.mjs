// Builds the package: the actions of the node from the OpenAPI document of the repository, then JavaScript and icons in `dist`.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { propertiesOf } from "./properties.mjs";

const folder = import.meta.dirname;
const root = join(folder, "..", "..");
const generated = join(folder, "nodes", "Matchbook", "generated");

for (const made of [generated, join(folder, "dist")])
  await rm(made, { recursive: true, force: true });
await mkdir(generated, { recursive: true });
const document = JSON.parse(await readFile(join(root, "docs", "openapi.json"), "utf8"));
const properties = JSON.stringify(propertiesOf(document), null, 1);
await writeFile(join(generated, "properties.json"), properties);
const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
const nodes = join(folder, "dist", "nodes");
// The compiler leaves out JSON below a folder with the name `node_modules`, where tests build.
await cp(generated, join(nodes, "Matchbook", "generated"), { recursive: true });
for (const node of ["Matchbook", "MatchbookTrigger"]) {
  await cp(join(root, "assets", "matchbook.svg"), join(nodes, node, "matchbook.svg"));
}
