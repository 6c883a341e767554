/** The to-do list that the engine keeps in the database of its session, for the user. */
import type { CopilotSession as EngineSession } from '@github/copilot-sdk';
import { CHAT_TODOS, TODOS, type Todo, withChatTodos } from '../../../../ahp/sessionMetaKeys.ts';
import { englishOf, withTimeout } from '../../../../base/errors.ts';
import type { AgentChatHost } from '../../agent.ts';

const MAX_ITEMS = 100;
/** In characters. */
const MAX_TEXT = 300;

export class EngineTodos {
  #isReading = false;
  #hasChanged = false;

  constructor(
    private readonly host: Pick<AgentChatHost, 'chat' | 'isDefault' | 'sessionState' | 'setMeta' | 'logger'>,
    private readonly timeoutMs: number,
  ) {}

  /** Reads the list again, and once more if it has changed meanwhile. Never rejects. */
  async read({ rpc }: Pick<EngineSession, 'rpc'>): Promise<void> {
    this.#hasChanged = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#hasChanged) {
        this.#hasChanged = false;
        // eslint-disable-next-line texts/translated -- for the log
        const { rows } = await withTimeout(rpc.plan.readSqlTodosWithDependencies(), this.timeoutMs, 'reading the to-do list');
        const items = rows.slice(0, MAX_ITEMS).flatMap(itemOf);
        this.#keep(items.length > 0 ? items : undefined);
      }
    } catch (error) {
      this.host.logger.info(`the to-do list of the engine could not be read: ${englishOf(error)}`);
    } finally {
      this.#isReading = false;
    }
  }

  #keep(items: Todo[] | undefined): void {
    const { chat, isDefault, sessionState } = this.host;
    if (isDefault) this.host.setMeta(TODOS, items);
    else this.host.setMeta(CHAT_TODOS, withChatTodos(sessionState._meta, chat, items));
  }
}

/** The model writes the rows, with any words for the status. */
function itemOf({ title, description, status }: { title?: string; description?: string; status?: string }): Todo[] {
  const text = String(title || description || '').slice(0, MAX_TEXT);
  if (text === '' || status === 'cancelled') return [];
  return [{ text, state: status === 'done' || status === 'completed' ? 'done' : status === 'in_progress' ? 'doing' : 'open' }];
}
