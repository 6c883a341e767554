/** The chart of a job. One step of it has the focus and is shown beside it; the arrow keys go through the steps in order. */
import * as l10n from '../../base/l10n.ts';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { chartLayout, type DrawnArrow, type DrawnNode } from '../../views/portal/chartLayout.ts';
import type { ChartGraph } from '../../views/portal/jobData.ts';
import type { StepView } from '../../views/portal/jobSteps.ts';
import { statusSign } from './StatusMark.tsx';
import { listTarget } from '../focus/listTarget.ts';

interface JobChartProps {
  chart: ChartGraph;
  label: string;
  /** All steps of the chart. */
  steps: readonly StepView[];
  /** Id of the node that is shown beside the chart. */
  selected?: number;
  onSelect(nodeId: number): void;
}

export function JobChart({ chart, label, steps, selected, onSelect }: JobChartProps) {
  // Each answer of the portal has a new object, and a layout takes a while.
  const key = JSON.stringify(chart);
  const drawn = useMemo(() => chartLayout(chart), [key]);
  const list = useRef<SVGSVGElement>(null);
  // Of a large chart a part is in view: that of the step that is shown beside it.
  useLayoutEffect(() => showSelected(list.current), [selected, drawn]);
  if (!drawn) return <p class="hint">{l10n.t('The job has too many steps to draw them. The list has all of them.')}</p>;
  const { width, height } = drawn;
  const byNode = new Map(steps.map((step) => [step.nodeId, step]));
  const focus = (at: number) => list.current?.querySelectorAll<SVGElement>('[role=option]')[at]?.focus();
  const onKeyDown = (event: KeyboardEvent) => {
    const at = steps.findIndex(({ nodeId }) => nodeId === selected);
    const to = listTarget(event.key, at, steps.length, true);
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    focus(to);
  };
  return (
    <div class="job-chart">
      <svg
        ref={list}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="listbox"
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        <g aria-hidden="true">
          {drawn.arrows.map((arrow, at) => (
            <Arrow key={at} {...arrow} />
          ))}
        </g>
        {drawn.nodes.map((node) => {
          const step = byNode.get(node.node.id);
          return step ? (
            <Step
              key={node.node.id}
              {...{ drawn: node, step }}
              isSelected={step.nodeId === selected}
              isReachable={step.nodeId === (selected ?? steps[0]?.nodeId)}
              onSelect={() => onSelect(step.nodeId)}
            />
          ) : (
            <Joint key={node.node.id} {...node} />
          );
        })}
      </svg>
    </div>
  );
}

/** Scrolls the chart, and not the page around it. */
function showSelected(list: SVGSVGElement | null): void {
  const [frame, step] = [list?.parentElement, list?.querySelector('[aria-selected=true]')];
  if (!frame || !step) return;
  const [outer, inner] = [frame.getBoundingClientRect(), step.getBoundingClientRect()];
  frame.scrollTop += beyond(outer.top, outer.bottom, inner.top, inner.bottom);
  frame.scrollLeft += beyond(outer.left, outer.right, inner.left, inner.right);
}

/** How far something stands outside, with some room around it. 0: it is inside. */
function beyond(start: number, end: number, innerStart: number, innerEnd: number): number {
  if (innerStart >= start && innerEnd <= end) return 0;
  return (innerStart + innerEnd) / 2 - (start + end) / 2;
}

function Arrow({ path, head, loopBack, label }: DrawnArrow) {
  return (
    <g class={loopBack ? 'arrow back' : 'arrow'}>
      <path d={path} />
      <polygon points={head} />
      {label && (
        <>
          <rect class="arrow-label" x={label.x - 17} y={label.y - 8} width={34} height={16} rx={3} />
          <text x={label.x} y={label.y + 4} text-anchor="middle">
            {label.text}
          </text>
        </>
      )}
    </g>
  );
}

/** Where ways part or meet. */
function Joint({ x, y, width, height }: DrawnNode) {
  return <rect class="joint" aria-hidden="true" {...{ x, y, width, height }} rx={height / 2} />;
}

interface StepProps {
  drawn: DrawnNode;
  step: StepView;
  isSelected: boolean;
  isReachable: boolean;
  onSelect(): void;
}

function Step({ drawn: { x, y, width, height, lines }, step, isSelected, isReachable, onSelect }: StepProps) {
  const { name, status, statusText, elapsed, isCondition, runs } = step;
  const state = `${statusText}${elapsed ? ` · ${elapsed}` : ''}`;
  const isAgain = runs.length > 1;
  // Begins as what is to be read in the chart, where names are cut.
  const label = [
    lines.join(' '),
    state,
    isAgain && l10n.t`${l10n.countText(runs.length)} runs`,
    isCondition && l10n.t('condition'),
    lines.at(-1)?.endsWith('…') && name,
  ]
    .filter(Boolean)
    .join(', ');
  // A condition has pointed sides.
  const tip = Math.min(12, height / 3);
  const outline = isCondition
    ? // eslint-disable-next-line texts/translated -- lines of a drawing
      `M${tip},0 H${width - tip} L${width},${height / 2} L${width - tip},${height} H${tip} L0,${height / 2} Z`
    : // eslint-disable-next-line texts/translated -- lines of a drawing
      `M6,0 H${width - 6} Q${width},0 ${width},6 V${height - 6} Q${width},${height} ${width - 6},${height} H6 Q0,${height} 0,${height - 6} V6 Q0,0 6,0 Z`;
  return (
    <g
      role="option"
      aria-selected={isSelected}
      aria-label={label}
      tabindex={isReachable ? 0 : -1}
      class={`step status-${status}`}
      transform={`translate(${x} ${y})`}
      onFocus={onSelect}
      onClick={({ currentTarget }) => currentTarget.focus()}
    >
      <rect class="focus-ring" x={-4} y={-4} width={width + 8} height={height + 8} rx={9} />
      <path class="step-box" d={outline} />
      {/* Cuts what is wider than it was thought to be. */}
      <svg width={width} height={height} aria-hidden="true">
        <text class="step-sign" x={20} y={height / 2 + 6} text-anchor="middle">
          {statusSign(status)}{' '}
        </text>
        {lines.map((line, at) => (
          <text key={at} class="step-name" x={36} y={20 + at * 17}>
            {line}{' '}
          </text>
        ))}
        <text class="step-state" x={36} y={height - 11}>
          {/* A step has little room. */}
          {isAgain ? `${state} · ×${runs.length}` : state}
        </text>
      </svg>
    </g>
  );
}
