/** Context providers (OpenCtx): what they say in the editor and to agents, and who may run. */
import * as l10n from '../../base/l10n.ts';
import { join } from 'node:path';
import { englishOf } from '../../base/errors.ts';
import type { OpenReview } from '../attention/windowAttention.ts';
import type { Commands } from '../commandTable.ts';
import type { WindowFolders } from '../editorTools/shared/windowFolders.ts';
import { askToTryAgain } from '../notifications.ts';
import { FailureNotice } from '../window/failureNotice.ts';
import type { WindowBase } from '../windowServices.ts';
import { AgentConsent } from './agentConsent.ts';
import { AgentContext } from './agentContext.ts';
import { askAboutAgents, chooseAboutAgents } from './agentQuestions.ts';
import { OpenCtx } from './openCtx.ts';
import { OpenCtxEditor } from './openCtxEditor.ts';
import { OpenCtxGroup, rowOf } from './openCtxGroup.ts';
import { ProviderReview } from './providerReview.ts';
import { OpenCtxSecrets } from './providers/openCtxSecrets.ts';

/** `showGroup`: brings “Context Providers” into view. */
export function registerOpenCtx(
  { context, keys, logger, own }: WindowBase,
  putOff: (review: OpenReview) => void,
  showGroup: (group: OpenCtxGroup) => unknown,
) {
  const secrets = new OpenCtxSecrets(context.secrets, context.globalState);
  const reviews = own(new ProviderReview(() => openCtx, putOff));
  const failures = own(new FailureNotice(l10n.t('Tapline cannot look for context providers'), askToTryAgain));
  const openCtx = own(
    new OpenCtx({
      storage: context.workspaceState,
      secrets,
      workerScript: join(context.extensionPath, 'dist', 'lib', 'openctxWorker.js'),
      ask: (provider) => reviews.ask(provider),
      onUpdateFailure: (error, tryAgain) => {
        logger.error(`The context providers could not be looked at: ${englishOf(error)}`);
        failures.report(error, tryAgain);
      },
    }),
  );
  const consent = own(new AgentConsent(context.workspaceState, askAboutAgents));
  const agentContext = new AgentContext(openCtx, consent);
  /** Offered to agents with the tools of the editor. */
  const contextTools = {
    get areOffered() {
      return openCtx.providers.some(({ provider }) => provider);
    },
    tools: async (folders: WindowFolders) => [(await import('./contextTool.ts')).contextTool(folders, agentContext)],
    onDidChange: openCtx.onDidChange,
  };
  const group = own(new OpenCtxGroup(openCtx, consent));
  keys.follow(group.onDidChange, () => ({ 'tapline.contextProvidersShown': group.isShown }));
  const editor = own(new OpenCtxEditor(openCtx));
  const commands = {
    showFileContext: (line) => editor.pick(line),
    showOpenCtxItem: (document, item) => editor.showItem(document, item),
    showOpenCtxProviders: () => {
      group.show();
      return showGroup(group);
    },
    reviewOpenCtxProviders: (argument) => reviews.review(rowOf(argument)),
    allowOpenCtxProvider: () => reviews.answer('run'),
    neverAllowOpenCtxProvider: () => reviews.answer('never'),
    retryOpenCtxProvider: (argument) => openCtx.tryAgain(rowOf(argument)?.uri),
    letAgentsAskOpenCtx: (argument) => chooseAboutAgents(openCtx, consent, rowOf(argument)),
    showOpenCtxLog: () => openCtx.showLog(),
    setOpenCtxSecret: () => secrets.enter(),
    removeOpenCtxSecret: () => secrets.remove(),
  } satisfies Partial<Commands>;
  return { commands, openCtx, editor, group, reviews, agentContext, contextTools, secrets };
}
