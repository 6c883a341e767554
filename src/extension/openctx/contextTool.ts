/** The tool with which agents ask context providers about a file. */
import * as z from 'zod';
import { type EditorTool, editorTool } from '../editorTools/shared/editorTool.ts';
import type { WindowFolders } from '../editorTools/shared/windowFolders.ts';
import type { AgentContext } from './agentContext.ts';

export function contextTool(folders: WindowFolders, context: Pick<AgentContext, 'ofPath'>): EditorTool {
  return editorTool({
    name: 'openctx_items',
    description:
      // eslint-disable-next-line texts/translated -- for the model
      'What the context providers (OpenCtx) of this workspace know about a file, such as issues, owners or notes. They get the text of the file. The user is asked about each provider.',
    input: z.strictObject({ path: z.string().min(1).max(4096).describe('A full path, or one from the workspace folder.') }),
    // A provider may be a server that has not seen the file yet.
    isReadOnly: false,
    run: ({ path }) => context.ofPath(folders.file(path)),
  });
}
