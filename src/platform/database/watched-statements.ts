/** Lets the tests see the text of every statement that the program sends. */

type Listener = (text: string) => void;

let listener: Listener | undefined;

/** Calls the listener with the text of each statement before it is sent; undefined ends this. */
export function setStatementListener(next: Listener | undefined): void {
  listener = next;
}

/** Reports a statement. */
export function reportStatement(text: string): void {
  listener?.(text);
}
