/** A response of the portal's live interface as one line of its page. */
import { visibleText } from '../text/visibleText.ts';

export interface LiveLine {
  kind: 'plain' | 'good' | 'bad' | 'text';
  text: string;
}

const MAX_TEXT = 4000;

/** Undefined for what the page does not show: pieces of a text that is shown as a whole, and the ends of queues. */
export function liveLine(response: Readonly<Record<string, unknown>>): LiveLine | undefined {
  const { callback } = response;
  const value = (key: string) => String(response[key] ?? '');
  const shown = (key: string) => shownText(value(key));
  for (const key of ['sessionError', 'taskError', 'jobError']) if (key in response) return { kind: 'bad', text: `Error: ${shown(key)}` };
  switch (callback) {
    case 'workStarted':
      return { kind: 'plain', text: `Step ${value('workId')} has started.` };
    case 'workStopped':
      return response['succeeded']
        ? { kind: 'good', text: `Step ${value('workId')} has succeeded.` }
        : { kind: 'bad', text: `Step ${value('workId')} has failed.` };
    case 'jobSucceeded':
      return { kind: 'good', text: 'The job has succeeded.' };
    case 'jobFailed':
      return { kind: 'bad', text: 'The job has failed.' };
    case 'taskSucceeded':
      return { kind: 'good', text: 'The task has succeeded.' };
    case 'taskFailed':
      return { kind: 'bad', text: 'The task has failed.' };
    case 'taskDecision':
      return { kind: 'plain', text: shown('reason') };
    case 'taskSessionStarted':
      return { kind: 'plain', text: `Session ${value('sessionId')} has started.` };
    case 'onGeneratedUserPrompt':
      return { kind: 'text', text: `Prompt: ${shown('prompt')}` };
    case 'onEndMessage':
      return { kind: 'text', text: shown('completeContent') };
    case 'onStartToolExecution':
      return { kind: 'plain', text: `${shown('toolName')} ${shown('toolArguments')}` };
    case 'onEndToolExecution': {
      const { message } = (response['error'] ?? {}) as { message?: unknown };
      return message === undefined ? undefined : { kind: 'bad', text: `The tool did not succeed: ${shownText(String(message))}` };
    }
    case undefined:
      return response['error'] === 'EventsDropped'
        ? { kind: 'bad', text: `${value('dropped')} events are not shown any more.` }
        : undefined;
    default:
      return undefined;
  }
}

/** Cut, and with codes in place of characters that cannot be seen. */
function shownText(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')} …` : text;
  return visibleText(cut)
    .map((segment) => segment.text)
    .join('');
}
