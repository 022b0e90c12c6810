/** Whether a component stands in a browser that runs it: what only works there is not shown before. */
import { useEffect, useState } from "preact/hooks";

export function useAlive(): boolean {
  const [is_alive, wake] = useState(false);
  useEffect(() => wake(true), []);
  return is_alive;
}
