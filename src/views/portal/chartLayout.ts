/** Where the parts of a job's chart are drawn. All lengths are in CSS pixels. */
import { Graph, layout } from '@dagrejs/dagre';
import { oneLine } from '../text/oneLine.ts';
import type { ChartGraph, ChartNode } from './jobData.ts';

/** More would take the page seconds, and nobody reads them. The list of steps has all. */
export const MAX_CHART_NODES = 400;

export interface Point {
  x: number;
  y: number;
}

/** `x`, `y`: of its upper left corner. */
export interface DrawnNode extends Point {
  node: ChartNode;
  width: number;
  height: number;
  /** Of the name of its task. None for what only joins others. */
  lines: string[];
}

export interface DrawnArrow {
  /** Of an SVG path. */
  path: string;
  /** The points of an SVG polygon. */
  head: string;
  loopBack: boolean;
  /** `x`, `y`: of its middle. */
  label?: Point & { text: 'true' | 'false' };
}

export interface DrawnChart {
  width: number;
  height: number;
  /** In the order of their ids. */
  nodes: DrawnNode[];
  arrows: DrawnArrow[];
}

export const STEP_WIDTH = 190;
const LINE_HEIGHT = 17;
const MAX_LINES = 2;
/** Beside the mark of the status. */
const LINE_WIDTH = STEP_WIDTH - 44;
/** Above and below the lines, with the line that has the status. */
const STEP_PADDING = 34;
const HEAD_LENGTH = 8;
const HEAD_WIDTH = 8;

/** Undefined when the chart has too many nodes to be drawn. */
export function chartLayout({ nodes }: ChartGraph): DrawnChart | undefined {
  if (nodes.length > MAX_CHART_NODES) return undefined;
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 26, edgesep: 16, marginx: 6, marginy: 6 });
  const lines = nodes.map((node) => (isStep(node) ? wrapped(oneLine(node.label)) : []));
  for (const node of nodes) graph.setNode(String(node.id), sizeOf(node, lines[node.id]?.length ?? 0));
  const arrows = nodes.flatMap((node) => (node.arrows ?? []).map((arrow) => ({ from: node.id, ...arrow })));
  for (const [at, { from, to, loopBack, label }] of arrows.entries()) {
    // An arrow that leads back is laid out the other way round, so that the entry of its loop stays above.
    const [upper, lower] = loopBack ? [to, from] : [from, to];
    const size = label ? { width: 34, height: 16, labelpos: 'c' as const } : {};
    graph.setEdge(String(upper), String(lower), { minlen: 1, ...size }, String(at));
  }
  layout(graph, { constraints: leftToRight(nodes) });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((node) => {
      const { x, y, width: w, height: h } = graph.node(String(node.id)) as Point & { width: number; height: number };
      return { node, x: rounded(x - w / 2), y: rounded(y - h / 2), width: w, height: h, lines: lines[node.id] ?? [] };
    }),
    arrows: arrows.map(({ from, to, loopBack, label }, at) => {
      const [upper, lower] = loopBack ? [to, from] : [from, to];
      const edge = graph.edge(String(upper), String(lower), String(at)) as { points: Point[] } & Partial<Point>;
      const points = loopBack ? [...edge.points].reverse() : edge.points;
      const { x = 0, y = 0 } = edge;
      return { ...drawnLine(points), loopBack, ...(label && { label: { text: label, x: rounded(x), y: rounded(y) } }) };
    }),
  };
}

/** What begins at one node stays in its order, also where another one has as few crossings. */
function leftToRight(nodes: readonly ChartNode[]): { left: string; right: string }[] {
  const arrivals = new Map<number, number>();
  for (const { arrows = [] } of nodes) for (const { to } of arrows) arrivals.set(to, (arrivals.get(to) ?? 0) + 1);
  return nodes.flatMap(({ arrows = [] }) => {
    // An end has several arrows, and a place between those from which they come.
    const begins = arrows.filter(({ to, loopBack }) => !loopBack && arrivals.get(to) === 1).map(({ to }) => String(to));
    return begins.slice(1).map((right, at) => ({ left: begins[at] ?? right, right }));
  });
}

export function isStep({ hint }: ChartNode): boolean {
  return typeof hint !== 'string';
}

function sizeOf({ hint }: ChartNode, lines: number): { width: number; height: number } {
  if (typeof hint !== 'string') return { width: STEP_WIDTH, height: STEP_PADDING + Math.max(1, lines) * LINE_HEIGHT };
  return hint.startsWith('Par') ? { width: 72, height: 6 } : { width: 14, height: 14 };
}

/** A line with round bends, and its head. */
function drawnLine(points: readonly Point[]): { path: string; head: string } {
  const end = points.at(-1) ?? { x: 0, y: 0 };
  const before = points.at(-2) ?? end;
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const base = { x: end.x - dx * HEAD_LENGTH, y: end.y - dy * HEAD_LENGTH };
  const side = (sign: number) => ({ x: base.x - (sign * dy * HEAD_WIDTH) / 2, y: base.y + (sign * dx * HEAD_WIDTH) / 2 });
  const line = [...points.slice(0, -1), base];
  const parts = line.map((point, at) => {
    const next = line[at + 1];
    if (at === 0) return `M${shown(point)}`;
    if (!next) return `L${shown(point)}`;
    return `Q${shown(point)} ${shown(at === line.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return { path: parts.join(' '), head: [end, side(1), side(-1)].map(shown).join(' ') };
}

function shown({ x, y }: Point): string {
  return `${rounded(x)},${rounded(y)}`;
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

/** At most {@link MAX_LINES} lines that fit beside the mark, cut at spaces where there are some. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > 0 && lines.length < MAX_LINES) {
    let end = fitting(rest, LINE_WIDTH);
    if (end < rest.length && lines.length === MAX_LINES - 1) {
      lines.push(
        `${rest
          .slice(0, fitting(rest, LINE_WIDTH - widthOf('…')))
          .join('')
          .trimEnd()}…`,
      );
      break;
    }
    const space = rest.lastIndexOf(' ', end);
    if (end < rest.length && space > 0) end = space;
    lines.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
    if (rest[0] === ' ') rest = rest.slice(1);
  }
  return lines;
}

/** How many of the characters fit; one at least. */
function fitting(characters: readonly string[], width: number): number {
  let used = 0;
  const end = characters.findIndex((character) => (used += widthOf(character)) > width);
  return end < 0 ? characters.length : Math.max(1, end);
}

/** About that of a wide sans-serif font of 13 px in bold; what does not fit is cut. */
function widthOf(character: string): number {
  if (/[ijl.,:;'|!()[\] ]/.test(character)) return 5.5;
  if (/[frt\-]/.test(character)) return 7;
  if (/[mwMW@%]/.test(character)) return 14;
  if (/[a-z0-9_$?]/.test(character)) return 9.5;
  return /[A-Z]/.test(character) ? 11 : 14;
}
