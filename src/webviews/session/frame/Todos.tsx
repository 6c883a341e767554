/** The to-do list of the agent, folded into one line that says how far it is. */
import * as l10n from '../../../base/l10n.ts';
import { memo } from 'preact/compat';
import type { TodoItem, TodoList } from '../../../views/session/todos/todoList.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

const states: Record<TodoItem['state'], { icon: string; word: string }> = {
  open: { icon: 'circle-large-outline', word: l10n.t('To do') },
  doing: { icon: 'circle-large-filled', word: l10n.t('In progress') },
  done: { icon: 'check', word: l10n.t({ message: 'Done', comment: 'an item of a to-do list' }) },
};

export const Todos = memo(function Todos({ list }: { list: TodoList }) {
  const { items, done, current } = list;
  return (
    <section class="todos" aria-label={l10n.t('To-do list of the agent')}>
      <Fold
        id="todos"
        summary={
          <>
            <Icon name="checklist" />
            <span class="fact">{l10n.t`${l10n.countText(done)} of ${l10n.countText(items.length)} done`}</span>
            {current !== undefined && (
              <span class="row-text">
                <VisibleText text={current} prose />
              </span>
            )}
          </>
        }
      >
        {() => (
          <ul>
            {items.map(({ text, state }, index) => (
              <li key={index} class={`todo-${state}`}>
                <Icon name={states[state].icon} />
                <span>
                  <span class="visually-hidden">{states[state].word}: </span>
                  <VisibleText text={text} prose />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Fold>
    </section>
  );
});
