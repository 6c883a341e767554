/** The chart of a job: what follows what. */
import type { LoopCondition, RefWork, Work } from '../entry/work.ts';

export type ChartHint =
  ['TaskNode' | 'CondNode', workIdInJob: number] | 'ParBegin' | 'ParEnd' | 'CondBegin' | 'CondEnd' | 'LoopEnd' | 'AltEnd';

export interface ChartArrow {
  to: number;
  /** It leads back to the entry of its loop. */
  loopBack: boolean;
  /** The answer of the condition from which it leads away. */
  label?: 'true' | 'false';
}

export interface ChartNode {
  id: number;
  hint: ChartHint;
  /** The name of the task, and the model where this run of it has one of its own. */
  label?: string;
  arrows?: ChartArrow[];
}

export interface ChartGraph {
  nodes: ChartNode[];
}

/** Each construct has one node at which it begins and one at which it ends. */
interface Part {
  entry: ChartNode;
  exit: ChartNode;
}

/** Ids are given in the order in which nodes are created, the entry of the whole first. */
export function generateChartNodes(work: Work<number>): ChartGraph {
  const nodes: ChartNode[] = [];

  const create = (hint: ChartHint, label?: string): ChartNode => {
    const node: ChartNode = { id: nodes.length, hint, ...(label !== undefined && { label }) };
    nodes.push(node);
    return node;
  };
  const connect = (from: ChartNode, to: ChartNode, answer?: boolean, loopBack = false) => {
    (from.arrows ??= []).push({ to: to.id, loopBack, ...(answer !== undefined && { label: answer ? 'true' : 'false' }) });
  };

  const build = (part: Work<number>): Part => {
    switch (part.kind) {
      case 'Ref': {
        const node = create(['TaskNode', part.workIdInJob], labelOf(part));
        return { entry: node, exit: node };
      }
      case 'Seq': {
        const parts = part.works.map(build);
        parts.slice(1).forEach(({ entry }, at) => connect((parts[at] as Part).exit, entry));
        return { entry: (parts[0] as Part).entry, exit: (parts.at(-1) as Part).exit };
      }
      case 'Par': {
        const entry = create('ParBegin');
        const parts = part.works.map(build);
        const exit = create('ParEnd');
        for (const child of parts) {
          connect(entry, child.entry);
          connect(child.exit, exit);
        }
        return { entry, exit };
      }
      case 'Loop':
        return buildLoop(part);
      case 'Alt': {
        const condition = buildCondition(part.condition);
        const branches = [part.trueWork, part.falseWork].map((branch) => branch && build(branch));
        const exit = create('AltEnd');
        branches.forEach((branch, at) => {
          connect(condition.exit, branch?.entry ?? exit, at === 0);
          if (branch) connect(branch.exit, exit);
        });
        return { entry: condition.entry, exit };
      }
    }
  };

  const buildLoop = ({ preCondition, body, postCondition }: Work<number> & { kind: 'Loop' }): Part => {
    const condition = (given: LoopCondition<number> | undefined) => given && { flag: given[0], ...buildCondition(given[1]) };
    const pre = condition(preCondition);
    const main = build(body);
    const post = condition(postCondition);
    const exit = create('LoopEnd');
    const entry = pre?.entry ?? main.entry;
    if (pre) {
      connect(pre.exit, main.entry, pre.flag);
      connect(pre.exit, exit, !pre.flag);
    }
    connect(main.exit, post?.entry ?? exit);
    if (post) {
      connect(post.exit, entry, post.flag, true);
      connect(post.exit, exit, !post.flag);
    }
    return { entry, exit };
  };

  /** The node at which a condition ends is the one that has its answer. */
  const buildCondition = (part: Work<number>): Part => {
    const only = part.kind === 'Seq' && part.works.length === 1 ? part.works[0] : undefined;
    if (only) return buildCondition(only);
    if (part.kind === 'Ref') {
      const node = create(['CondNode', part.workIdInJob], labelOf(part));
      return { entry: node, exit: node };
    }
    const entry = create('CondBegin');
    const inner = build(part);
    const exit = create('CondEnd');
    connect(entry, inner.entry);
    connect(inner.exit, exit);
    return { entry, exit };
  };

  build(work);
  return { nodes };
}

function labelOf({ taskId, modelOverride }: RefWork<number>): string {
  return modelOverride ? `${taskId} (${'id' in modelOverride ? modelOverride.id : modelOverride.category})` : taskId;
}
