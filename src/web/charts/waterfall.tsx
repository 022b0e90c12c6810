/** Shows how a balance moves to another one: the two balances as whole bars, and each movement from where the one before ended. */
import { scaleOf } from "./scale.ts";

interface WaterfallStep {
  readonly label: string;
  /** The amount above the bar, in short form. */
  readonly short: string;
  readonly amount: bigint;
  /** Whether the bar begins at 0: the first and the last balance. */
  readonly is_balance: boolean;
}

const [WIDTH, HEIGHT, TOP, BOTTOM] = [620, 230, 24, 180];

export function Waterfall({ label, steps }: { label: string; steps: readonly WaterfallStep[] }) {
  let at = 0n;
  const bars = steps.map((step) => {
    const from = step.is_balance ? 0n : at;
    at = step.is_balance ? step.amount : at + step.amount;
    return { ...step, from, to: at };
  });
  const scale = scaleOf(
    bars.flatMap(({ from, to }) => [from, to]),
    TOP,
    BOTTOM,
  );
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <figure class="falls">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <line class="axis" x1="0" x2={WIDTH} y1={scale.zero} y2={scale.zero} />
        {bars.map(({ label: below, short, from, to, is_balance }, place) => {
          const [high, low] = [
            Math.min(scale.at(from), scale.at(to)),
            Math.max(scale.at(from), scale.at(to)),
          ];
          const middle = ((place + 0.5) * step).toFixed(1);
          const colour = to >= from ? "c1" : is_balance ? "c2" : "c4";
          return (
            <>
              <rect
                class={is_balance ? colour : `${colour} moved-by`}
                x={(place * step + 12).toFixed(1)}
                y={high.toFixed(1)}
                width={(step - 24).toFixed(1)}
                height={Math.max(1, low - high).toFixed(1)}
                rx="2"
              />
              <text x={middle} y={(high - 5).toFixed(1)}>
                {short}
              </text>
              <text x={middle} y={HEIGHT - 14}>
                {below}
              </text>
            </>
          );
        })}
      </svg>
    </figure>
  );
}
