/** The paths of the bundled database. All names begin with `postgres`; the data directory also holds the outbox. */
import { join } from "node:path";

/** Absolute paths of the bundled database's files. */
export interface EmbeddedPaths {
  readonly data_dir: string;
  /** The PostgreSQL data directory. It exists only when complete: it is created elsewhere and renamed to this. */
  readonly cluster: string;
  /** One line: the password of superuser and owner, from which that of the serving role is derived; mode 600. */
  readonly password: string;
  /** The server's standard output and error. */
  readonly server_log: string;
  /** Held while a process starts or stops the server. */
  readonly lock: string;
  /** The processes that use the server: the last one stops it. */
  readonly holders: string;
}

/** Returns the files of the bundled database in `data_dir` (an absolute path). */
export function embeddedPaths(data_dir: string): EmbeddedPaths {
  return {
    data_dir,
    cluster: join(data_dir, "postgres"),
    password: join(data_dir, "postgres.password"),
    server_log: join(data_dir, "postgres.log"),
    lock: join(data_dir, "postgres.lock"),
    holders: join(data_dir, "postgres.holders.json"),
  };
}
