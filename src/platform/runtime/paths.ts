/** Finds the package's own files (migrations, fonts): the relative path is the same from `src/` and from `dist/`. */
import { fileURLToPath } from "node:url";

/** The absolute path of the package's root folder, without a trailing slash. */
export const packageRoot: string = fileURLToPath(new URL("../../..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);
