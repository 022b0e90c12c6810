/** The command that writes the API contract. Only this command loads all routes and tools of the program. */
import { writeFile } from "node:fs/promises";
import { catalogueDocument } from "../assistant/open-catalogues.ts";
import { roles } from "../domain/base/user.ts";
import { csvPage } from "../platform/http/csv-page.ts";
import { openApiOf } from "../platform/http/openapi.ts";
import { packageRoot } from "../platform/runtime/paths.ts";
import { routes } from "../routes.ts";

export async function contractCommand(): Promise<number> {
  const document = openApiOf(routes, "http://localhost:3000");
  const write = (name: string, content: unknown) =>
    writeFile(`${packageRoot}/docs/${name}`, `${JSON.stringify(content, null, 2)}\n`);
  await write("openapi.json", document);
  await writeFile(`${packageRoot}/docs/csv.md`, csvPage(routes));
  for (const role of roles) await write(`mcp-tools.${role}.json`, catalogueDocument(role));
  return 0;
}
