/** Finds the package's own files (migrations, fonts): sources and bundled code lie at different depths below its root folder. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The absolute path of the package's root folder, without a trailing slash. */
export const packageRoot: string = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("The package's root folder is not found.");
  return rootAbove(above);
}
