/** Drags the lines of a draft by their handles: the list marks where the line would go, and moves it on release. */
import { useRef, useState } from "preact/hooks";
import { placeUnder } from "./draft-typed.ts";

/** How far the pointer moves before a press is a drag, in pixels. */
const LEAST_PX = 6;

interface Pressed {
  readonly pointer: number;
  readonly y: number;
  readonly from: number;
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Returns the handlers of the list, and the class of the line at a place. `move` takes a place and the steps from it. */
export function useLineDrag(move: (from: number, by: number) => void) {
  const pressed = useRef<Pressed | null>(null);
  const was_dragged = useRef(false);
  const [drag, setDrag] = useState<Drag | null>(null);

  function end(): void {
    pressed.current = null;
    setDrag(null);
  }

  const handlers = {
    onPointerDown({ target, currentTarget, pointerId: pointer, clientY: y, button }: ListEvent) {
      was_dragged.current = false;
      const handle = (target as Element).closest(".grip > summary");
      if (handle === null || button !== 0) return;
      const from = linesOf(currentTarget).findIndex((line) => line.contains(handle));
      pressed.current = { pointer, y, from };
    },
    onPointerMove({ currentTarget, pointerId, clientY }: ListEvent) {
      const start = pressed.current;
      if (start === null || start.pointer !== pointerId) return;
      if (!was_dragged.current && Math.abs(clientY - start.y) < LEAST_PX) return;
      if (!was_dragged.current) currentTarget.setPointerCapture(pointerId);
      was_dragged.current = true;
      const to = placeUnder(linesOf(currentTarget).map(middleOf), start.from, clientY);
      if (drag?.from !== start.from || drag.to !== to) setDrag({ from: start.from, to });
    },
    onPointerUp() {
      if (drag !== null && drag.from !== drag.to) move(drag.from, drag.to - drag.from);
      end();
    },
    onPointerCancel: end,
    /** The release of a drag is also a click on the handle, which would open its panel. */
    onClickCapture(event: Event) {
      if (!was_dragged.current) return;
      was_dragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const classOf = (at: number): string => {
    if (drag === null) return "";
    if (at === drag.from) return "dragged";
    if (at !== drag.to) return "";
    return drag.to < drag.from ? "drop-before" : "drop-after";
  };
  return { handlers, classOf };
}

type ListEvent = PointerEvent & { readonly currentTarget: HTMLElement };

function linesOf(list: HTMLElement): readonly Element[] {
  return [...list.querySelectorAll(":scope > li")];
}

function middleOf(line: Element): number {
  const { top, height } = line.getBoundingClientRect();
  return top + height / 2;
}
