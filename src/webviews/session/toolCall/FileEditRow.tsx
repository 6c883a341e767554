/** A changed file: its name, the added and removed lines, and a link to its diff. */
import * as l10n from '../../../base/l10n.ts';
import type { FileEdit } from '../../../ahp/common/shapes.ts';
import { fileEditView, isTitle } from '../../../views/session/toolCall/fileEditView.ts';
import { Icon } from '../parts/Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

const icons = { created: 'diff-added', changed: 'diff-modified', deleted: 'diff-removed', moved: 'diff-renamed' } as const;
const words = { created: l10n.t('created'), changed: l10n.t('changed'), deleted: l10n.t('deleted'), moved: l10n.t('moved') } as const;

interface FileEditRowProps {
  edit: FileEdit;
  /** Above the row. A file that it names is not named again. */
  title?: string;
  /** Called when the user opens its diff. */
  onOpen?(): void;
}

export function FileEditRow({ edit, title = '', onOpen }: FileEditRowProps) {
  const { workingDirectory, post } = useSession();
  const view = fileEditView(edit, workingDirectory);
  const { uri } = view;
  const isNamed = isTitle(title, view);
  return (
    <div class="row edit-row" data-judged>
      <Icon name={icons[view.change]} />
      <span class={isNamed ? 'file-folder' : 'visually-hidden'}>{words[view.change]}</span>
      {isNamed ? null : uri === undefined || view.change === 'deleted' ? (
        <span class="file-name">
          <VisibleText text={view.name} />
        </span>
      ) : (
        <button type="button" class="link-button file-name" title={uri} onClick={() => post({ type: 'openFile', uri })}>
          <VisibleText text={view.name} />
        </button>
      )}
      {!isNamed && (
        <span class="file-folder">
          <VisibleText text={[view.folder, view.from === undefined ? '' : l10n.t`from ${view.from}`].filter(Boolean).join(' · ')} />
        </span>
      )}
      <span class="row-end">
        {view.added !== undefined && <span class="added">+{view.added}</span>}
        {view.removed !== undefined && <span class="removed">−{view.removed}</span>}
        <button
          type="button"
          class="link-button"
          data-needs="editor"
          aria-label={l10n.t`Open diff of ${view.name}`}
          onClick={() => {
            post({ type: 'openDiff', edit });
            onOpen?.();
          }}
        >
          {l10n.t('Open diff')}
        </button>
      </span>
    </div>
  );
}
