/** Refuses what would send at once while nothing may be sent: in a restored copy, and in a process without background work. */
import { Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";

/** Throws BACKGROUND_PAUSED while background work is paused. */
export async function requireRunning({ mail, rows, row }: Reader): Promise<void> {
  if (await mail.hold.isHeld({ rows, row })) throw new Problem("BACKGROUND_PAUSED");
}
