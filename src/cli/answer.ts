/** `tapline answer`: shows the exact text of what waits, and sends what a person has decided about exactly that. */
import { listAttention, oneLineOf, textOf } from './listAttention.ts';
import { attentionAnswer, type WaitingItem } from '../views/portal/answers/attentionList.ts';
import { choice } from './choice.ts';
import { CliError, type ExitCode, exitCodes } from './cliError.ts';
import type { Output } from './output.ts';
import { part, type PortalClient } from './portalClient.ts';
import { onOneLine } from './visible.ts';

export interface AnswerOptions {
  id?: string;
  /** The revision that is approved. */
  approve?: string;
  deny: boolean;
  option?: string;
  reason?: string;
  /** JSON: answers by the ids of questions. */
  answers?: string;
}

export async function answer(
  client: PortalClient,
  output: Output,
  options: AnswerOptions,
  { isTerminal, signal }: { isTerminal: boolean; signal: AbortSignal },
): Promise<ExitCode> {
  const { items } = await listAttention(client);
  const { id, approve, deny } = options;
  const chosen = items.filter((item) => (id === undefined || item.id === id) && (approve === undefined || item.revision === approve));
  const [first, ...more] = chosen;
  if (approve !== undefined || deny) {
    if (!first) throw new CliError(exitCodes.refused, 'That does not wait any more, or is not what it was. Nothing was sent.');
    if (more.length > 0) throw new CliError(exitCodes.usage, 'Several things wait. Name one by its id.');
    return send(client, output, first, decisionOf(first, options));
  }
  if (id !== undefined && !first) throw new CliError(exitCodes.refused, 'That does not wait any more. Nothing was sent.');
  if (output.isJson) {
    output.json({ items: chosen });
    return exitCodes.done;
  }
  if (chosen.length === 0) output.out('Nothing waits for you.');
  for (const item of chosen) {
    output.out(`${textOf(item)}\n`);
    if (isTerminal) await askAbout(client, output, item, signal);
  }
  if (isTerminal || chosen.length === 0) return exitCodes.done;
  throw new CliError(exitCodes.usage, 'Nothing was answered, because this is no terminal. Use --approve REVISION, or ID --deny.');
}

/** What is sent, as the portal's interface has it. */
function decisionOf({ kind, decisions }: WaitingItem, { deny, option, reason, answers }: AnswerOptions): { decision: string } {
  const isQuestion = kind === 'question';
  const decision = deny ? (isQuestion ? 'decline' : 'deny') : isQuestion ? 'accept' : kind === 'failed' ? 'markRead' : 'approve';
  if (!(decisions as readonly string[]).includes(decision))
    throw new CliError(exitCodes.refused, 'This cannot be answered so from here. Open its session in Tapline. Nothing was sent.');
  return {
    decision,
    ...(option !== undefined && { option }),
    ...(reason !== undefined && { reason }),
    ...(answers !== undefined && { answers: parsed(answers) }),
  };
}

async function send(
  client: PortalClient,
  output: Output,
  { id, revision }: WaitingItem,
  decision: { decision: string },
): Promise<ExitCode> {
  const { result, error, message, problems } = await client.ask(
    `attention/${part(id)}`,
    attentionAnswer,
    { revision, ...decision },
    { isDeed: true },
  );
  if (output.isJson) output.json({ id, decision: decision.decision, result, error, message, problems });
  if (result === 'Answered') {
    if (!output.isJson) output.out(`Done: ${decision.decision}.`);
    return exitCodes.done;
  }
  const details = Object.entries(problems ?? {}).map(([name, problem]) => `${name}: ${problem}`);
  const why = [error ?? '', message, ...details].filter((text) => text !== undefined && text !== '').join('; ');
  const isUnknown = error === 'OutcomeUnknown';
  throw new CliError(
    isUnknown ? exitCodes.failed : exitCodes.refused,
    isUnknown ? `Whether it was answered is not known: ${onOneLine(why)}` : `It was not answered: ${onOneLine(why)}`,
  );
}

/** No is what Enter means. Nothing is sent at Ctrl+C and at the end of the input. */
async function askAbout(client: PortalClient, output: Output, item: WaitingItem, signal: AbortSignal): Promise<void> {
  const { decisions, kind, options = [] } = item;
  const yes = kind === 'question' ? 'accept' : kind === 'failed' ? 'markRead' : 'approve';
  if (decisions.length === 0) return;
  if (kind === 'question') {
    output.note(
      `Answer it with: tapline answer --approve ${item.revision} --answers '{"ID": "ANSWER"}', or decline: tapline answer ${item.id} --deny`,
    );
    return;
  }
  const meaning = options.find(({ decision }) => decision === yes)?.label;
  const question = kind === 'failed' ? 'Mark as seen?' : `Approve${meaning === undefined ? '' : ` (${onOneLine(meaning)})`}?`;
  const no = (decisions as readonly string[]).includes('deny') ? 'No denies it' : 'No leaves it';
  const canAllow = (decisions as readonly string[]).includes(yes);
  const said = canAllow
    ? await choice(`${question} yes/No (${no}, Ctrl+C leaves it waiting) `, signal)
    : await choice('Deny? yes/No ', signal);
  if (said === undefined) return;
  const decision = canAllow ? (said ? yes : 'deny') : said ? 'deny' : undefined;
  if (decision === undefined || !(decisions as readonly string[]).includes(decision)) return;
  try {
    await send(client, output, item, { decision });
  } catch (error) {
    // The others still wait.
    if (!(error instanceof CliError) || error.code !== exitCodes.refused) throw error;
    output.note(error.message);
  }
}

function parsed(answers: string): unknown {
  try {
    return JSON.parse(answers);
  } catch {
    throw new CliError(exitCodes.usage, '--answers must be JSON, such as \'{"name": "Ada"}\'.');
  }
}

/** Tells once of each thing that an agent waits for. */
export class Reminder {
  readonly #told = new Set<string>();

  constructor(
    private readonly client: PortalClient,
    private readonly output: Output,
  ) {}

  async look(): Promise<void> {
    const { items } = await listAttention(this.client);
    for (const item of items) {
      if (this.#told.has(item.id) || !['call', 'result', 'question'].includes(item.kind)) continue;
      this.#told.add(item.id);
      this.output.note(`It needs a person: tapline answer ${oneLineOf(item)}`);
    }
  }
}
