/** A part of a tool's result, shown when its call is open. */
import * as l10n from '../../../base/l10n.ts';
import type { ContentRef } from '../../../ahp/common/shapes.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { byteText } from '../../../views/text/excerpt.ts';
import { unknownLabel } from '../../../views/session/transcript/transcript.ts';
import { filled } from '../../text/filled.ts';
import { CodeText } from '../text/CodeText.tsx';
import { Icon } from '../parts/Icon.tsx';
import { isDataImage } from '../../../views/text/dataImage.ts';
import { useSession } from '../page/sessionContext.tsx';
import { TerminalView } from './terminal/TerminalView.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

export function ToolContent({ content }: { content: ToolResultContent }) {
  switch (content.type) {
    case 'text':
      return <CodeText text={content.text} label={l10n.t('Output')} />;
    case 'embeddedResource': {
      const source = `data:${content.contentType};base64,${content.data}`;
      if (isDataImage(source)) return <img class="result-image" src={source} alt={l10n.t('Image that the tool returned')} data-judged />;
      return (
        <p class="hint" data-judged>
          {filled(
            l10n.t('Binary content ({0}, {1}), not shown.'),
            <VisibleText text={content.contentType} prose />,
            byteText(Math.floor((content.data.length * 3) / 4)),
          )}
        </p>
      );
    }
    case 'resource':
      return <ResourceRow resource={content} />;
    case 'terminal':
      return <TerminalView resource={content.resource} title={content.title} />;
    case 'fileEdit':
    case 'subagent':
      return null; // Shown as rows below the call.
    default:
      return <CodeText text={JSON.stringify(content, undefined, 2)} label={unknownLabel('content', content.type)} />;
  }
}

export function ResourceRow({ resource }: { resource: ContentRef }) {
  const { workingDirectory, post } = useSession();
  return (
    <div class="row" data-judged>
      <Icon name="file" />
      <button type="button" class="link-button row-text" onClick={() => post({ type: 'openFile', uri: resource.uri })}>
        <VisibleText text={displayPath(resource.uri, workingDirectory)} />
      </button>
      {resource.contentType && (
        <span class="fact">
          <VisibleText text={resource.contentType} prose />
        </span>
      )}
      {resource.sizeHint !== undefined && <span class="fact">{byteText(resource.sizeHint)}</span>}
    </div>
  );
}
