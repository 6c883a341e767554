/**
 * All commands of the extension: what they are called, and where they are offered. `npm run manifest` writes this into `package.json`, which VS
 * Code reads before it loads any code. A test compares the two.
 */

import { commentMenu, jobEditor, type MenuPlace, sessionRow, toolsGroup, treeRow, viewTitle } from './commandMenus.ts';

/** The argument of a command that was run by an answer key. The palette passes none. */
export const ANSWER_KEY = 'key';

/** The argument of a command that a key of the Sessions tree has run: it acts on the selected sessions. */
export const SELECTION_KEY = 'selection';

/** A gateway that the settings have switched off cannot be started. */
const CAN_START_GATEWAY = 'tapline.gatewayOff =~ /^(user|unused)$/';

/** Conditions (`when`) are those of VS Code, over its context keys and ours. */
export interface CommandEntry {
  readonly title: string;
  /** Of a button. */
  readonly icon?: `$(${string})`;
  /** When the palette offers it. Absent: always. */
  readonly palette?: string | false;
  readonly keys?: readonly { readonly key: string; readonly mac?: string; readonly when?: string; readonly args?: string }[];
  readonly menus?: readonly MenuPlace[];
}

/** Made in a call that is marked as pure, so that the bundle holds the table only where somebody reads it. */
export const commandTable = /* @__PURE__ */ (() =>
  ({
    newSession: {
      title: 'New Session…',
      icon: '$(add)',
      keys: [{ key: 'ctrl+shift+f9', mac: 'cmd+shift+f9' }],
      menus: [viewTitle('sessions', 'navigation@1'), viewTitle('session', 'navigation@1'), treeRow('sessions', 'inline@1', /^host/)],
    },
    startDemo: { title: 'Start a Demo Session', palette: 'config.tapline.embeddedHost.enabled' },
    openSession: { title: 'Open Session…', palette: 'tapline.sessionListed' },
    openSessionInEditor: {
      title: 'Open Session in Editor',
      icon: '$(link-external)',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', 'navigation@2', 'tapline.sessionShown'), sessionRow('inline@1'), sessionRow('1_open@1')],
    },
    nextSession: {
      title: 'Go to Next Session',
      palette: 'tapline.sessionListed',
      keys: [{ key: 'alt+pagedown', when: 'tapline.sessionFocused || focusedView == tapline.sessions && !inputFocus' }],
    },
    previousSession: {
      title: 'Go to Previous Session',
      palette: 'tapline.sessionListed',
      keys: [{ key: 'alt+pageup', when: 'tapline.sessionFocused || focusedView == tapline.sessions && !inputFocus' }],
    },
    renameSession: {
      title: 'Rename Session…',
      palette: 'tapline.sessionListed',
      keys: [{ key: 'f2', args: SELECTION_KEY, when: 'focusedView == tapline.sessions && listFocus && !inputFocus' }],
      menus: [sessionRow('2_change@1')],
    },
    archiveSession: {
      title: 'Archive Session',
      icon: '$(archive)',
      palette: 'tapline.archiveOffered',
      menus: [sessionRow('inline@2', 'active'), sessionRow('2_change@3', 'active')],
    },
    unarchiveSession: {
      title: 'Unarchive Session',
      icon: '$(discard)',
      palette: 'tapline.unarchiveOffered',
      menus: [sessionRow('inline@2', 'archived'), sessionRow('2_change@3', 'archived')],
    },
    markSessionRead: {
      title: 'Mark Session as Read',
      icon: '$(mail-read)',
      palette: 'tapline.markReadOffered',
      menus: [sessionRow('2_change@2', 'unread')],
    },
    markSessionUnread: {
      title: 'Mark Session as Unread',
      icon: '$(mail)',
      palette: 'tapline.markUnreadOffered',
      menus: [sessionRow('2_change@2', 'read')],
    },
    deleteSession: {
      title: 'Delete Session…',
      icon: '$(trash)',
      palette: 'tapline.sessionListed',
      keys: [
        { key: 'delete', mac: 'cmd+backspace', args: SELECTION_KEY, when: 'focusedView == tapline.sessions && listFocus && !inputFocus' },
      ],
      menus: [sessionRow('9_delete')],
    },
    copySessionUri: {
      title: 'Copy Session URI',
      palette: 'tapline.sessionListed',
      menus: [sessionRow('3_copy')],
    },
    exportSession: {
      title: 'Export Session…',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '2_take@1', 'tapline.sessionShown'), sessionRow('3_copy@3')],
    },
    showSessionTerminals: {
      title: 'Show Session Terminals…',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '1_folder@3', 'tapline.sessionShown'), sessionRow('2_change@5')],
    },
    watchSomething: {
      title: 'Watch Something for This Session…',
      icon: '$(eye)',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', 'navigation@3', 'tapline.sessionShown'), sessionRow('2_change@6')],
    },
    openControlTower: {
      title: 'Open Control Tower',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '1_folder@4', 'tapline.sessionShown')],
    },
    openSessionFolder: {
      title: 'Open Session Folder in a New Window',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '1_folder@1', 'tapline.sessionShown'), sessionRow('1_open@2')],
    },
    openFolderTerminal: {
      title: 'Open Terminal in Session Folder',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '1_folder@2', 'tapline.sessionShown'), sessionRow('1_open@3')],
    },
    copySessionBranch: {
      title: 'Copy Session Branch',
      palette: 'tapline.sessionListed',
      menus: [sessionRow('3_copy@2')],
    },
    showSessionDetails: {
      title: 'Show Session Details',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('session', '2_take@2', 'tapline.sessionShown'), sessionRow('3_copy@4')],
    },
    showTrail: {
      title: 'Show What Was Allowed',
      palette: 'tapline.sessionListed',
      menus: [sessionRow('3_copy')],
    },
    showLent: { title: 'Show What Is Lent…', palette: 'tapline.filesLent' },
    showCustomizations: {
      title: 'Show Session Customizations…',
      palette: 'tapline.sessionListed',
      menus: [sessionRow('2_change@4')],
    },
    refreshSessions: {
      title: 'Refresh Sessions',
      icon: '$(refresh)',
      palette: 'tapline.hostCount != 0',
      menus: [viewTitle('sessions', 'navigation@2')],
    },
    searchSessions: {
      title: 'Search Sessions…',
      icon: '$(search)',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('sessions', 'navigation@3')],
    },
    filterSessions: {
      title: 'Filter Sessions…',
      icon: '$(filter)',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('sessions', 'navigation@4', '!tapline.filtered'), viewTitle('sessions', '1_view', 'tapline.filtered')],
    },
    clearSessionFilter: {
      title: 'Clear Session Filter',
      icon: '$(filter-filled)',
      palette: 'tapline.filtered',
      menus: [viewTitle('sessions', 'navigation@4', 'tapline.filtered')],
    },
    toggleArchived: {
      title: 'Show or Hide Archived Sessions',
      palette: 'tapline.sessionListed',
      menus: [viewTitle('sessions', '1_view')],
    },
    groupSessionsByDate: {
      title: 'Group Sessions by Date',
      palette: "config.tapline.sessions.groupBy == 'project'",
      menus: [viewTitle('sessions', '1_view', 'config.tapline.sessions.groupBy == project')],
    },
    groupSessionsByProject: {
      title: 'Group Sessions by Project',
      palette: "config.tapline.sessions.groupBy != 'project'",
      menus: [viewTitle('sessions', '1_view', 'config.tapline.sessions.groupBy != project')],
    },
    pinSession: {
      title: 'Pin Session',
      icon: '$(pin)',
      palette: 'tapline.pinOffered',
      menus: [sessionRow('2_change@0', 'loose')],
    },
    unpinSession: {
      title: 'Unpin Session',
      icon: '$(pinned)',
      palette: 'tapline.unpinOffered',
      menus: [sessionRow('2_change@0', 'pinned')],
    },
    showNeedsYou: { title: 'Show What Needs You…', icon: '$(bell)', palette: 'tapline.thingsNeedYou' },
    followNotification: { title: 'Follow a Link of a Notification', palette: false },
    nextInInbox: {
      title: 'Go to Next Thing That Needs You',
      icon: '$(arrow-down)',
      palette: 'tapline.thingsNeedYou',
      keys: [{ key: 'ctrl+shift+f8', mac: 'cmd+shift+f8' }],
      menus: [viewTitle('needsYou', 'navigation@1')],
    },
    approve: {
      title: 'Approve Waiting Call',
      palette: 'tapline.sessionNeedsYou',
      keys: [{ key: 'ctrl+enter', mac: 'cmd+enter', args: ANSWER_KEY, when: 'tapline.callFocused' }],
    },
    deny: {
      title: 'Deny Waiting Call',
      palette: 'tapline.sessionNeedsYou',
      keys: [{ key: 'ctrl+backspace', mac: 'cmd+backspace', args: ANSWER_KEY, when: 'tapline.callFocused' }],
    },
    nextWaiting: {
      title: 'Go to Next Waiting Call or Question',
      palette: 'tapline.sessionNeedsYou',
      keys: [{ key: 'alt+f8', when: 'tapline.sessionNeedsYou && tapline.sessionFocused' }],
    },
    stopTurn: { title: 'Stop Turn', icon: '$(debug-stop)', palette: 'tapline.sessionRunning' },
    focusComposer: {
      title: 'Focus Message Field',
      palette: 'tapline.sessionShown',
      keys: [{ key: 'ctrl+shift+f7', mac: 'cmd+shift+f7' }],
    },
    attachToSession: {
      title: 'Add to Session',
      icon: '$(attach)',
      palette: 'tapline.sessionShown',
      menus: [
        { menu: 'explorer/context', group: '4_tapline', when: 'tapline.sessionShown && resourceScheme == file' },
        { menu: 'editor/title/context', group: '4_tapline', when: 'tapline.sessionShown && resourceScheme == file' },
        { menu: 'editor/context', group: '4_tapline', when: 'tapline.sessionShown && (resourceScheme == file || editorHasSelection)' },
      ],
    },
    attachTerminalSelection: {
      title: 'Add Terminal Selection to Session',
      palette: 'tapline.sessionShown && terminalIsOpen',
      menus: [{ menu: 'terminal/context', group: '4_tapline', when: 'tapline.sessionShown && terminalTextSelected' }],
    },
    attachProblems: { title: 'Add Problems of This File to Session', palette: 'tapline.sessionShown && editorIsOpen' },
    attachChanges: {
      title: 'Add Git Changes to Session',
      palette: 'tapline.sessionShown && gitOpenRepositoryCount > 0',
      menus: [{ menu: 'scm/title', group: '4_tapline', when: 'tapline.sessionShown && scmProvider == git' }],
    },
    openTerminal: { title: 'Type into a Session Terminal…', icon: '$(terminal)', palette: 'tapline.sessionShown' },
    openChange: {
      title: 'Open a Changed File…',
      palette: 'tapline.changedFilesShown',
      menus: [treeRow('changes', '1_open', /^changedFile/)],
    },
    runChangeOperation: {
      title: 'Do Something with Changes…',
      icon: '$(play)',
      palette: 'tapline.changeOperationOffered',
      menus: [treeRow('changes', 'inline@3', / others\b/), treeRow('changes', '2_change', / operations\b/)],
    },
    discardChanges: {
      title: 'Discard Changes…',
      icon: '$(discard)',
      palette: 'tapline.discardOffered',
      menus: [treeRow('changes', 'inline@1', / discard\b/)],
    },
    keepChanges: {
      title: 'Keep Changes…',
      icon: '$(check)',
      palette: 'tapline.keepOffered',
      menus: [treeRow('changes', 'inline@2', / keep\b/)],
    },
    discardChangeAtCursor: {
      title: 'Discard Change at Cursor…',
      icon: '$(discard)',
      palette: 'tapline.changeAtCursorOffered',
      menus: [
        {
          menu: 'editor/title',
          group: 'navigation@1',
          when: 'tapline.changeAtCursorOffered && resourceScheme == tapline-resource && isInDiffEditor',
        },
        { menu: 'editor/context', group: '4_tapline', when: 'tapline.changeAtCursorOffered && resourceScheme == tapline-resource' },
      ],
    },
    enableAutomation: {
      title: 'Turn On an Automation…',
      icon: '$(check)',
      palette: 'tapline.automationsShown',
      menus: [treeRow('tools', 'inline@2', /^automations automation.* enable/)],
    },
    disableAutomation: {
      title: 'Turn Off an Automation…',
      icon: '$(circle-slash)',
      palette: 'tapline.automationsShown',
      menus: [treeRow('tools', 'inline@2', /^automations automation.* disable/)],
    },
    runAutomation: {
      title: 'Run an Automation Now…',
      icon: '$(play)',
      palette: 'tapline.automationsShown',
      menus: [treeRow('tools', 'inline@1', /^automations automation.* run/)],
    },
    stopAutomationRun: {
      title: 'Stop a Run of an Automation…',
      icon: '$(debug-stop)',
      palette: 'tapline.automationsShown',
      menus: [treeRow('tools', 'inline@1', /^automations run.* stop/)],
    },
    openAutomationRun: {
      title: 'Open Session of a Run…',
      palette: 'tapline.automationsShown',
      menus: [treeRow('tools', '1_open', /^automations run.* session/)],
    },
    loadOlderRuns: { title: 'Load Older Runs of an Automation…', palette: 'tapline.automationsShown' },
    jumpToLatest: { title: 'Jump to Latest Message', palette: 'tapline.sessionShown' },
    findInConversation: {
      title: 'Find in Conversation',
      palette: 'tapline.sessionShown',
      keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: 'tapline.sessionFocused' }],
    },
    copyAnswer: { title: 'Copy Last Answer as Markdown', palette: 'tapline.sessionShown' },
    newChat: { title: 'New Chat in This Session', palette: 'tapline.newChatOffered' },
    renameChat: { title: 'Rename Chat…', palette: 'tapline.renameChatOffered' },
    deleteChat: { title: 'Delete a Chat of This Session…', palette: 'tapline.deleteChatOffered' },
    chooseChat: { title: 'Choose a Chat of This Session…', palette: 'tapline.chooseChatOffered' },
    forkChat: { title: 'Fork This Chat from a Turn…', palette: 'tapline.forkChatOffered' },
    askAside: { title: 'Ask Aside about a Turn…', palette: 'tapline.askAsideOffered' },
    resumeTurn: { title: 'Continue Failed Turn', palette: 'tapline.resumeTurnOffered' },
    goBack: { title: 'Go Back to Before Last Message…', palette: 'tapline.goBackOffered' },
    editMessage: { title: 'Edit Last Message', palette: 'tapline.editMessageOffered' },
    retryTurn: { title: 'Try Last Turn Again', palette: 'tapline.retryTurnOffered' },
    loadOlderTurns: { title: 'Load Older Turns', palette: 'tapline.loadOlderTurnsOffered' },
    connectCopilot: { title: 'Connect Copilot to a Model…' },
    addModel: { title: 'Add a Model of Your Own…', icon: '$(server)' },
    editModel: { title: 'Edit a Model…', palette: 'tapline.modelAdded' },
    removeModel: { title: 'Remove a Model…', palette: 'tapline.modelAdded' },
    signInToGitHub: { title: 'Sign In to GitHub for Copilot' },
    installEngine: { title: 'Install Copilot Engine' },
    addHost: {
      title: 'Add Agent Host…',
      icon: '$(plug)',
      menus: [viewTitle('sessions', '2_hosts')],
    },
    editHost: {
      title: 'Edit Agent Host…',
      icon: '$(edit)',
      palette: 'tapline.hostConfigured',
      menus: [treeRow('sessions', '1_host@2', /^host.*configured/)],
    },
    enterHostToken: { title: 'Enter Agent Host Token…', icon: '$(key)', palette: 'tapline.hostConfigured' },
    editHostSettings: {
      title: 'Edit Agent Host Settings…',
      icon: '$(settings)',
      palette: 'tapline.hostHasSettings',
      menus: [treeRow('sessions', '1_host@2', /^host.* settings$/)],
    },
    browseHostFiles: {
      title: 'Browse Files of an Agent Host…',
      icon: '$(files)',
      palette: 'tapline.hostCount != 0',
      menus: [treeRow('sessions', '1_host@2', /^host.* connected/), sessionRow('1_open@2')],
    },
    removeHost: {
      title: 'Remove Agent Host…',
      icon: '$(trash)',
      palette: 'tapline.hostConfigured',
      menus: [treeRow('sessions', '1_host@3', /^host.*(configured|replay|vscode)/)],
    },
    reconnectHost: {
      title: 'Reconnect to Agent Host',
      icon: '$(debug-restart)',
      palette: 'tapline.hostCount != 0',
      menus: [treeRow('sessions', 'inline@2', /^host.*disconnected/), treeRow('sessions', '1_host@1', /^host/)],
    },
    connectVsCodeHost: { title: 'Connect to VS Code’s Agent Host…' },
    declineVsCodeHost: { title: 'Do Not Connect to VS Code’s Agent Host Now', palette: false },
    showConnections: { title: 'Show Agent Host Connections…', palette: 'tapline.hostCount != 0' },
    updateTapline: { title: 'Update Tapline' },
    showProviders: { title: 'Show Providers' },
    refreshProviders: {
      title: 'Refresh Providers',
      icon: '$(refresh)',
      palette: 'tapline.providersShown',
      menus: [toolsGroup('providers', '1_tools@5')],
    },
    runTool: {
      title: 'Run a Tool…',
      icon: '$(play)',
      palette: 'tapline.providersShown',
      menus: [
        treeRow('tools', 'inline@1', 'providers tool'),
        treeRow('tools', '1_tool@1', 'providers tool'),
        toolsGroup('providers', '1_tools@2'),
      ],
    },
    switchProvider: {
      title: 'Switch a Provider or a Tool On or Off…',
      palette: 'tapline.providersShown',
      menus: [treeRow('tools', '1_tool@2', /^providers (tool|provider)/), toolsGroup('providers', '1_tools@4')],
    },
    showTool: {
      title: 'Show Tool in Full',
      icon: '$(info)',
      palette: false,
      menus: [treeRow('tools', '1_tool@3', 'providers tool')],
    },
    copyProvider: {
      title: 'Copy a Ready-made Provider…',
      icon: '$(new-file)',
      menus: [toolsGroup('providers', 'inline@1'), toolsGroup('providers', '1_tools@1')],
    },
    revokePairing: {
      title: 'Revoke a Paired Provider…',
      icon: '$(trash)',
      palette: 'tapline.programPaired',
      menus: [
        treeRow('tools', 'inline@1', 'providers provider paired'),
        treeRow('tools', '9_revoke', 'providers provider paired'),
        toolsGroup('providers', '2_trust@1'),
      ],
    },
    letProviderIn: {
      title: 'Let In a Program with Token of an Earlier Gateway…',
      icon: '$(sign-in)',
      palette: 'tapline.earlierTokenRefused',
      menus: [
        treeRow('tools', 'inline@1', 'providers earlierToken'),
        treeRow('tools', '1_consent@1', 'providers earlierToken'),
        toolsGroup('providers', '2_trust@2'),
      ],
    },
    answerConsent: {
      title: 'Answer a Provider’s Request for Consent…',
      icon: '$(question)',
      palette: 'tapline.consentAsked',
      menus: [treeRow('tools', '1_consent@1', /^providers consent/), toolsGroup('providers', '2_trust@3')],
    },
    answerQuestion: { title: 'Answer a Tool’s Question…', icon: '$(question)', palette: 'tapline.toolAsks' },
    forgetConsent: {
      title: 'Forget What You Decided about a Provider…',
      icon: '$(discard)',
      palette: 'tapline.consentDecided',
      menus: [
        treeRow('tools', 'inline@1', /^providers consent (allowed|denied)/),
        treeRow('tools', '1_consent@2', /^providers consent (allowed|denied)/),
        toolsGroup('providers', '2_trust@4'),
      ],
    },
    startGateway: {
      title: 'Start Gateway',
      icon: '$(debug-start)',
      palette: CAN_START_GATEWAY,
      menus: [toolsGroup('providers', '3_gateway@1', CAN_START_GATEWAY)],
    },
    stopGateway: {
      title: 'Stop Gateway',
      icon: '$(debug-stop)',
      palette: '!tapline.gatewayOff',
      menus: [treeRow('tools', '1_gateway@2', 'providers gateway on'), toolsGroup('providers', '3_gateway@3', '!tapline.gatewayOff')],
    },
    restartGateway: {
      title: 'Restart Gateway',
      icon: '$(debug-restart)',
      palette: '!tapline.gatewayOff',
      menus: [
        treeRow('tools', 'inline@1', 'providers gateway on'),
        treeRow('tools', '1_gateway@1', 'providers gateway on'),
        toolsGroup('providers', '3_gateway@2', '!tapline.gatewayOff'),
      ],
    },
    showGatewayLog: {
      title: 'Show Log of the Gateway',
      icon: '$(output)',
      palette: false,
      menus: [
        treeRow('tools', 'inline@2', /^providers gateway/),
        treeRow('tools', '2_log', /^providers gateway/),
        toolsGroup('providers', '3_gateway@4'),
      ],
    },
    reviewTools: {
      title: 'Review Tools…',
      palette: 'tapline.providersShown',
      menus: [toolsGroup('providers', '1_tools@3')],
    },
    lendToolsHere: {
      title: 'Lend Tools from This Window',
      palette: 'tapline.sessionShown',
      menus: [treeRow('tools', '1_session', 'providers session otherClient')],
    },
    showPairingCodes: { title: 'Show Pairing Codes', palette: 'tapline.pairingPending' },
    copyPairingCode: { title: 'Copy Pairing Code', palette: 'tapline.pairingPending' },
    denyPairing: { title: 'Deny Pairing', palette: 'tapline.pairingPending' },
    lendEditorTools: { title: 'Lend Editor Tools to This Session…', palette: 'tapline.sessionShown' },
    reviewProjectProviders: { title: 'Review Project Providers…', palette: 'workspaceFolderCount != 0' },
    runProjectProviders: {
      title: 'Run These Project Providers',
      icon: '$(play)',
      palette: 'resourceScheme == tapline-project-providers',
      menus: [{ menu: 'editor/title', group: 'navigation@1', when: 'resourceScheme == tapline-project-providers' }],
    },
    neverRunProjectProviders: {
      title: 'Never Run These Project Providers',
      icon: '$(circle-slash)',
      palette: 'resourceScheme == tapline-project-providers',
      menus: [{ menu: 'editor/title', group: 'navigation@2', when: 'resourceScheme == tapline-project-providers' }],
    },
    showProjectProviderLog: {
      title: 'Show Log of a Project Provider…',
      icon: '$(output)',
      palette: false,
      menus: [treeRow('tools', 'inline@1', 'providers projectProvider'), toolsGroup('providers', '3_gateway@5')],
    },
    showFileContext: { title: 'Show Context of This File…', icon: '$(info)', palette: 'tapline.contextProvidersShown && editorIsOpen' },
    showOpenCtxItem: { title: 'Show an Item of a Context Provider', palette: false },
    showOpenCtxProviders: { title: 'Show Context Providers' },
    reviewOpenCtxProviders: {
      title: 'Review Context Providers…',
      icon: '$(shield)',
      palette: 'tapline.contextProvidersShown',
      menus: [treeRow('tools', 'inline@1', /^context provider (waits|.* decided$)/), toolsGroup('context', '1_openctx@2')],
    },
    allowOpenCtxProvider: {
      title: 'Allow This Context Provider',
      icon: '$(check)',
      palette: 'resourceScheme == tapline-openctx',
      menus: [{ menu: 'editor/title', group: 'navigation@1', when: 'resourceScheme == tapline-openctx' }],
    },
    neverAllowOpenCtxProvider: {
      title: 'Never Allow This Context Provider',
      icon: '$(circle-slash)',
      palette: 'resourceScheme == tapline-openctx',
      menus: [{ menu: 'editor/title', group: 'navigation@2', when: 'resourceScheme == tapline-openctx' }],
    },
    retryOpenCtxProvider: {
      title: 'Try Context Providers Again',
      icon: '$(refresh)',
      palette: 'tapline.contextProvidersShown',
      menus: [
        treeRow('tools', 'inline@2', /^context provider (failed|wrong)/),
        toolsGroup('context', 'inline@1'),
        toolsGroup('context', '1_openctx@1'),
      ],
    },
    letAgentsAskOpenCtx: {
      title: 'Let Agents Ask a Context Provider…',
      palette: 'tapline.contextProvidersShown',
      menus: [treeRow('tools', '2_agents@1', /^context provider (?!off|wrong)/)],
    },
    showOpenCtxLog: {
      title: 'Show Log of Context Providers',
      icon: '$(output)',
      palette: false,
      menus: [treeRow('tools', '2_log', /^(group )?context/)],
    },
    setOpenCtxSecret: {
      title: 'Set a Secret of Context Providers…',
      palette: 'tapline.contextProvidersShown',
      menus: [toolsGroup('context', '2_openctx@1')],
    },
    removeOpenCtxSecret: {
      title: 'Remove a Secret of Context Providers…',
      palette: 'tapline.contextProvidersShown',
      menus: [toolsGroup('context', '2_openctx@2')],
    },
    commentOnLine: { title: 'Comment on Line…', palette: 'tapline.annotatedSessionShown && editorIsOpen' },
    addComment: {
      title: 'Comment',
      palette: false,
      menus: [commentMenu('commentThread', 'context', 'inline@1', 'commentThreadIsEmpty')],
    },
    replyToComment: {
      title: 'Reply',
      palette: false,
      menus: [commentMenu('commentThread', 'context', 'inline@1', '!commentThreadIsEmpty')],
    },
    resolveComments: {
      title: 'Resolve Thread',
      icon: '$(check)',
      palette: false,
      menus: [commentMenu('commentThread', 'title', 'navigation@1', "commentThread == 'open writable'")],
    },
    reopenComments: {
      title: 'Reopen Thread',
      icon: '$(issue-reopened)',
      palette: false,
      menus: [commentMenu('commentThread', 'title', 'navigation@1', "commentThread == 'resolved writable'")],
    },
    deleteComments: {
      title: 'Delete Thread…',
      icon: '$(trash)',
      palette: false,
      menus: [commentMenu('commentThread', 'title', 'navigation@2', 'commentThread =~ /writable$/')],
    },
    editComment: {
      title: 'Edit Comment',
      icon: '$(edit)',
      palette: false,
      menus: [commentMenu('comment', 'title', 'inline@1', 'comment == own')],
    },
    saveComment: {
      title: 'Save',
      palette: false,
      menus: [commentMenu('comment', 'context', 'inline@2')],
    },
    cancelCommentEdit: {
      title: 'Cancel',
      palette: false,
      menus: [commentMenu('comment', 'context', 'inline@1')],
    },
    deleteComment: {
      title: 'Delete Comment…',
      icon: '$(trash)',
      palette: false,
      menus: [commentMenu('comment', 'title', 'inline@2', 'comment == own')],
    },
    showJobs: { title: 'Show Jobs' },
    startJob: {
      title: 'Start a Job…',
      icon: '$(play)',
      palette: 'tapline.portalRunning',
      menus: [toolsGroup('jobs', 'inline@1', 'tapline.portalRunning'), toolsGroup('jobs', '1_jobs@1', 'tapline.portalRunning')],
    },
    openJob: {
      title: 'Open a Job…',
      icon: '$(go-to-file)',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', 'inline@2', /^jobs (run|step)/), treeRow('tools', '1_job@1', /^jobs (run|step)/)],
    },
    pauseJob: {
      title: 'Pause a Job…',
      icon: '$(debug-pause)',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', '1_job@2', /^jobs run.* pause/)],
    },
    continueJob: {
      title: 'Continue a Job…',
      icon: '$(debug-continue)',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', 'inline@1', /^jobs run.* continue/), treeRow('tools', '1_job@3', /^jobs run.* continue/)],
    },
    stopJob: {
      title: 'Stop a Job…',
      icon: '$(debug-stop)',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', 'inline@1', /^jobs run.* stop/), treeRow('tools', '1_job@4', /^jobs run.* stop/)],
    },
    exportJobTimeline: {
      title: 'Export Job Timeline…',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', '2_record@1', /^jobs run/)],
    },
    deleteRun: {
      title: 'Delete a Run…',
      palette: 'tapline.portalRunning',
      menus: [treeRow('tools', '2_record@2', /^jobs run.* ended/)],
    },
    pauseShownJob: {
      title: 'Pause Job',
      icon: '$(debug-pause)',
      palette: jobEditor('tapline.jobCanPause'),
      menus: [{ menu: 'editor/title', group: 'navigation@1', when: jobEditor('tapline.jobCanPause') }],
    },
    continueShownJob: {
      title: 'Continue Job',
      icon: '$(debug-continue)',
      palette: jobEditor('tapline.jobCanContinue'),
      menus: [{ menu: 'editor/title', group: 'navigation@2', when: jobEditor('tapline.jobCanContinue') }],
    },
    stopShownJob: {
      title: 'Stop Job',
      icon: '$(debug-stop)',
      palette: jobEditor('tapline.jobCanStop'),
      menus: [{ menu: 'editor/title', group: 'navigation@3', when: jobEditor('tapline.jobCanStop') }],
    },
    showShownJobChanges: {
      title: 'Show All Job Changes',
      icon: '$(diff-multiple)',
      palette: jobEditor('tapline.jobHasChanges'),
      menus: [{ menu: 'editor/title', group: 'navigation@4', when: jobEditor('tapline.jobHasChanges') }],
    },
    commitShownJob: {
      title: 'Commit Job Changes…',
      palette: jobEditor('tapline.jobCanCommit'),
      menus: [{ menu: 'editor/title', group: '1_result@1', when: jobEditor('tapline.jobCanCommit') }],
    },
    requestPullForShownJob: {
      title: 'Open a Pull Request for This Job…',
      palette: jobEditor('tapline.jobCanRequest'),
      menus: [{ menu: 'editor/title', group: '1_result@2', when: jobEditor('tapline.jobCanRequest') }],
    },
    newPortalEntry: {
      title: 'New File with Jobs…',
      icon: '$(new-file)',
      menus: [toolsGroup('jobs', '1_jobs@2')],
    },
    showEntryChart: {
      title: 'Show Chart of Jobs',
      icon: '$(type-hierarchy)',
      palette: 'editorLangId == json || editorLangId == jsonc',
      menus: [{ menu: 'editor/title', group: 'navigation', when: String.raw`resourceFilename =~ /^(.*\.)?tapline-portal\.json$/` }],
    },
    tryEntryJob: { title: 'Try Job with a Scripted Model', palette: 'editorLangId == json || editorLangId == jsonc' },
    openPortal: {
      title: 'Open Portal',
      menus: [toolsGroup('jobs', '2_portal@1')],
    },
    stopPortal: {
      title: 'Stop Portal',
      palette: 'tapline.portalRunning',
      menus: [toolsGroup('jobs', '2_portal@2', 'tapline.portalRunning')],
    },
    showPortalLog: {
      title: 'Show Log of the Portal',
      palette: false,
      menus: [toolsGroup('jobs', '2_portal@3')],
    },
    showLog: { title: 'Show Log…', menus: [viewTitle('sessions', '3_log')] },
    showHostLog: {
      title: 'Show Log of the Built-in Agent Host',
      palette: false,
      menus: [treeRow('sessions', '2_log', /^host.*embedded/)],
    },
    startWireLog: { title: 'Start Wire Log', palette: '!tapline.wireLogRunning' },
    stopWireLog: { title: 'Stop Wire Log and Open It', palette: 'tapline.wireLogRunning' },
    replayWireLog: { title: 'Replay Wire Log…', menus: [viewTitle('sessions', '2_hosts')] },
    getStarted: { title: 'Get Started' },
    openSettings: { title: 'Open Settings', menus: [viewTitle('sessions', '4_help@1')] },
    copyDiagnostics: { title: 'Copy Diagnostics' },
    reportIssue: { title: 'Report an Issue…', menus: [viewTitle('sessions', '4_help@2')] },
    removeData: { title: 'Remove Tapline’s Data…' },
  }) satisfies Readonly<Record<string, CommandEntry>>)();

export type CommandId = keyof typeof commandTable;

/** What each command does, with the arguments that VS Code passes. */
export type Commands = Readonly<Record<CommandId, (argument: unknown, more: unknown) => unknown>>;

/** Marked for the same reason. */
export const commandIds = /* @__PURE__ */ Object.keys(commandTable) as readonly CommandId[];

const PREFIX = 'tapline.';

/** The id as VS Code knows it. */
export function commandName(id: CommandId): string {
  return `${PREFIX}${id}`;
}

/** Of a command that the manifest has. */
export function commandIdOf(name: string): CommandId {
  return name.slice(PREFIX.length) as CommandId;
}
