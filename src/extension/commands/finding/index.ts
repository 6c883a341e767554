/** Finding sessions, and what is in one. */
import type { Commands } from '../../commandTable.ts';
import type { SessionTerminals } from '../../sessionView/terminal/sessionTerminals.ts';
import type { TextDocuments } from '../../textDocuments.ts';
import type { WindowServices } from '../../windowServices.ts';
import { FindingCommands } from './findingCommands.ts';

export function registerFinding({ hosts, tree, views }: WindowServices, terminals: SessionTerminals, documents: TextDocuments) {
  const finding = new FindingCommands(hosts, tree, views);
  const commands = {
    searchSessions: () => finding.search(),
    filterSessions: () => finding.filter(),
    clearSessionFilter: () => finding.clearFilter(),
    exportSession: (argument) => finding.export(argument),
    showSessionTerminals: (argument) => finding.showTerminals(terminals, argument),
    openSessionFolder: (argument) => finding.openFolder(argument),
    openFolderTerminal: (argument) => finding.openTerminalInFolder(argument),
    copySessionBranch: (argument) => finding.copyBranch(argument),
    showSessionDetails: (argument) => finding.showDetails(documents, argument),
  } satisfies Partial<Commands>;
  return { commands };
}
