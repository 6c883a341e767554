/** What VS Code does for the pages of sessions. */
import * as vscode from 'vscode';
import type { SessionPageServices } from '../../pages/session/sessionPageServices.ts';
import { hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';
import { choose, waitWithProgress } from '../notifications.ts';
import { settings } from '../settings.ts';
import { vsCodeShell } from '../webviewPort.ts';
import { attachmentsOf, findFiles, pickAttachments } from './attachments/attachFiles.ts';
import { CurrentFile } from './attachments/currentFile.ts';
import { findInEditor, itemOf } from './attachments/editorContext.ts';
import { imageAttachment, readImage } from './attachments/imageAttachment.ts';
import type { SessionPlace } from './attachments/placedFile.ts';
import { applyCode } from './code/applyCode.ts';
import { insertCode, typeIntoTerminal } from './code/useCode.ts';
import { openDiff, openFile } from './openers.ts';
import type { SessionServices } from './sessionServices.ts';
import { showTurnChanges } from './showTurnChanges.ts';

/** What `#` in the composer offers. */
const MAX_FOUND = 20;

export function pageServices(services: SessionServices): SessionPageServices<RegisteredHost> {
  const { hosts, focus, drafts, decisions, logger, context, images, proposedCode, signIn, emitters } = services;
  return {
    ...vsCodeShell(logger),
    ...{ hosts, focus, drafts, decisions, settings, signIn, emitters },
    openSession: (ref) => services.openSession(ref),
    commands: { run: (command, session) => services.runCommand(command, session) },
    bridge: {
      info: (session) => services.bridgeInfo(session),
      onDidChange: services.onDidChangeBridge,
      preparePrompt: (session, text) => services.preparePrompt(session, text),
      denyPairing: (id) => services.denyPairing(id),
    },
    start: {
      offer: () => services.startOffer(),
      answer: (message) => services.answerStart(message),
      start: (choice, draft) => services.startSession(choice, draft),
      create: (choice, draft) => services.createSession(choice, draft),
    },
    questions: { choose, wait: waitWithProgress },
    editor: {
      ...{ openDiff, openFile, showTurnChanges },
      useCode: (place, how, code) => (how === 'insert' ? insertCode(code) : typeIntoTerminal(code, ownFolder(place))),
      applyCode: (place, code) => applyCode(code, ownFolder(place), proposedCode),
    },
    attaching: {
      pick: pickAttachments,
      dropped: (place, uris) =>
        attachmentsOf(
          place,
          uris.map((uri) => vscode.Uri.parse(uri)),
        ),
      image: (host, image) => imageAttachment(host, images, image),
      readImage,
      find: async (place, query) => (await Promise.all([findFiles(place, query), findInEditor(place, query)])).flat().slice(0, MAX_FOUND),
      ofEditor: async (place, thing) => ({ items: [await itemOf(place, thing)], budget: settings.contextTokens(), problems: [] }),
      followFile: (place, tell) => new CurrentFile(place, tell),
    },
    context: {
      mentions: (place, query) => context.mentions(ownFolder(place), query),
      ofMention: (place, mention) => context.ofMention(ownFolder(place), mention),
      // A file of another host may be another one, also under the same name.
      ofFiles: ({ host }, uris) => context.ofFiles(hasOurFiles(host) ? uris : []),
    },
    chats: { rename: (ref, chat) => services.renameChat(ref, chat), delete: (ref, chat) => services.deleteChat(ref, chat) },
    terminals: { open: (host, uri) => services.openTerminal(host, uri) },
  };
}

/** Where the session works, if that is on this computer. */
function ownFolder({ host, folder }: SessionPlace): string | undefined {
  return hasOurFiles(host) ? folder : undefined;
}
