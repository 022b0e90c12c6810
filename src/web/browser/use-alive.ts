/** Returns whether the component runs in a browser: elements that work only there are not rendered before. */
import { useEffect, useState } from "preact/hooks";

export function useAlive(): boolean {
  const [is_alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return is_alive;
}
