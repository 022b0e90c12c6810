/**
 * Shows months as bars of several parts, with a second amount as a dotted line. Future months are paler, on a sunken field. Each
 * bar is a link with all its numbers in its name; arrow keys move between the bars (`browser/walk.ts`).
 */
import { scaleOf, ticksOf } from "./scale.ts";

interface StackedBar {
  readonly label: string;
  /** All numbers of the bar, for screen readers. */
  readonly name: string;
  /** The sum in short form, shown above the bars where there are few. */
  readonly short: string;
  readonly href: string;
  /** In the order of the series, from the bottom. */
  readonly parts: readonly bigint[];
  /** The amount of the dotted line; null where it has none. */
  readonly beside: bigint | null;
  readonly is_chosen: boolean;
  readonly is_closed: boolean;
  readonly is_forecast: boolean;
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [1010, 254, 48, 22, 222];
const MOST_NUMBERED = 13;
const TICKS = 4n;

export function StackedBars(props: {
  label: string;
  bars: readonly StackedBar[];
  /** The word on the field of future months. */
  forecast: string;
  /** Formats the amount of a grid line in short form. */
  short: (amount: bigint) => string;
}) {
  const { label, bars, forecast, short } = props;
  const ends = bars.map(({ parts }) => endsOf(parts));
  const values = [...ends.flat(), ...bars.flatMap(({ beside }) => beside ?? [])];
  const scale = scaleOf(values, TOP, BOTTOM);
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const left = (at: number) => LEFT + at * step;
  const ahead = bars.findIndex(({ is_forecast }) => is_forecast);
  return (
    <figure class="bars" data-walk="row">
      <svg class="chart stacked" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <title>{label}</title>
        {ticksOf(values, TICKS).map((tick) => (
          <>
            <line
              class={tick === 0n ? "axis" : "rule"}
              x1={LEFT - 4}
              x2={WIDTH}
              y1={scale.at(tick)}
              y2={scale.at(tick)}
            />
            <text class="tick" x={LEFT - 10} y={scale.at(tick) + 4}>
              {short(tick)}
            </text>
          </>
        ))}
        {ahead >= 0 && (
          <>
            <rect
              class="well"
              x={left(ahead).toFixed(1)}
              y={4}
              width={(WIDTH - left(ahead)).toFixed(1)}
              height={BOTTOM - 4}
              rx="6"
            />
            <text x={((left(ahead) + WIDTH) / 2).toFixed(1)} y={17}>
              {forecast}
            </text>
          </>
        )}
        {bars.map((bar, at) => (
          <Bar
            bar={bar}
            left={left(at)}
            step={step}
            at={(value) => scale.at(value)}
            is_numbered={bars.length <= MOST_NUMBERED}
          />
        ))}
        <path class="dotted" d={pathOf(bars, (at) => left(at) + step / 2, scale.at)} />
      </svg>
    </figure>
  );
}

function Bar(props: {
  bar: StackedBar;
  left: number;
  step: number;
  at: (value: bigint) => number;
  is_numbered: boolean;
}) {
  const { bar, left, step, at, is_numbered } = props;
  const middle = (left + step / 2).toFixed(1);
  const width = Math.min(step * 0.66, 56);
  const [top] = endsOf(bar.parts);
  // The name of a link begins with its visible text (WCAG 2.5.3).
  const visible = is_numbered ? `${bar.short} ${bar.label}` : bar.label;
  return (
    <a
      href={bar.href}
      aria-label={`${visible}. ${bar.name}`}
      {...(bar.is_chosen && { "aria-current": "true" })}
    >
      <rect class="hit" x={left.toFixed(1)} y={4} width={step.toFixed(1)} height={246} rx="5" />
      {blocksOf(bar.parts).map(({ series, from, to }) => (
        <rect
          class={bar.is_forecast ? `c${series + 1} pale` : `c${series + 1}`}
          x={(left + (step - width) / 2).toFixed(1)}
          y={Math.min(at(from), at(to)).toFixed(1)}
          width={width.toFixed(1)}
          height={Math.max(0.5, Math.abs(at(from) - at(to)) - 1).toFixed(1)}
          rx="1.5"
        />
      ))}
      {is_numbered && (
        <text x={middle} y={(at(top) - 5).toFixed(1)} class={bar.is_chosen ? "now" : ""}>
          {bar.short}
        </text>
      )}{" "}
      <text x={middle} y={238} class={bar.is_chosen ? "now" : ""}>
        {bar.label}
      </text>
      {bar.is_closed && <circle class="closed" cx={middle} cy={247} r="1.8" />}
    </a>
  );
}

/** Returns the upper and the lower end of a bar: parts above 0 rise from the zero line, those below 0 hang from it. */
function endsOf(parts: readonly bigint[]): readonly [bigint, bigint] {
  const sum = (counts: (part: bigint) => boolean) =>
    parts.reduce((total, part) => (counts(part) ? total + part : total), 0n);
  return [sum((part) => part > 0n), sum((part) => part < 0n)];
}

function blocksOf(parts: readonly bigint[]) {
  let [up, down] = [0n, 0n];
  return parts.flatMap((part, series) => {
    if (part === 0n) return [];
    const from = part > 0n ? up : down;
    const to = from + part;
    if (part > 0n) up = to;
    else down = to;
    return [{ series, from, to }];
  });
}

function pathOf(
  bars: readonly StackedBar[],
  x: (at: number) => number,
  y: (value: bigint) => number,
): string {
  const points = bars.flatMap(({ beside }, at) =>
    beside === null ? [] : [`${x(at).toFixed(1)},${y(beside).toFixed(1)}`],
  );
  return points.length < 2 ? "" : `M${points.join("L")}`;
}
