/** Where the package's own files (migrations, fonts) are: the same distance from `src/` and from `dist/`. */
import { fileURLToPath } from "node:url";

/** Absolute path of the package's root folder, without a trailing slash. */
export const packageRoot: string = fileURLToPath(new URL("../../..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);
