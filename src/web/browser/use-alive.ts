/** Whether the component runs in a browser: elements that work only there are not rendered before. */
import { useEffect, useState } from "preact/hooks";

export function useAlive(): boolean {
  const [is_alive, wake] = useState(false);
  useEffect(() => wake(true), []);
  return is_alive;
}
