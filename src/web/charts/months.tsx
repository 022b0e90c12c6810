/** Shows months as bars, the current month last. Each bar links to the month's list, with all numbers in its name. */
import { scaleOf } from "./scale.ts";

interface MonthBar {
  /** The label below the bar. */
  readonly label: string;
  /** The number above the bar, in short form. */
  readonly short: string;
  /** All that the bar shows, for screen readers. */
  readonly name: string;
  readonly value: bigint;
  readonly href: string;
}

const [WIDTH, TOP, BOTTOM] = [620, 2, 92];
const EMPTY = 12;

export function Months({ label, bars }: { label: string; bars: readonly MonthBar[] }) {
  const scale = scaleOf(
    bars.map(({ value }) => value),
    TOP,
    BOTTOM,
  );
  const step = WIDTH / bars.length;
  return (
    <figure class="bars">
      <svg class="chart" viewBox={`0 -16 ${WIDTH} 130`}>
        <title>{label}</title>
        <line class="axis" x1="0" x2={WIDTH} y1={scale.zero} y2={scale.zero} />
        {bars.map(({ label: below, short, name, value, href }, at) => {
          const y = scale.at(value);
          const height = Math.abs(y - scale.zero);
          const middle = (at + 0.5) * step;
          const is_now = at === bars.length - 1;
          return (
            <a href={href} aria-label={`${short} ${below}. ${name}`}>
              <rect class="hit" x={at * step} y={-16} width={step} height={130} />
              <rect
                class={is_now ? "c1" : "c7 past"}
                x={(at * step + EMPTY / 2).toFixed(1)}
                y={Math.min(y, scale.zero).toFixed(1)}
                width={(step - EMPTY).toFixed(1)}
                height={height.toFixed(1)}
                rx="2"
              />
              <text
                x={middle.toFixed(1)}
                y={Math.min(y, scale.zero) - 5}
                class={is_now ? "now" : ""}
              >
                {short}
              </text>{" "}
              <text x={middle.toFixed(1)} y={108} class={is_now ? "now" : ""}>
                {below}
              </text>
            </a>
          );
        })}
      </svg>
    </figure>
  );
}
