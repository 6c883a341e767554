/** The views, what they say while they are empty, and the walkthrough. */
import type { Text } from './text.ts';

const ICON = 'media/tapline.svg';
const NAME = 'Tapline';

interface Step {
  readonly title: string;
  readonly description: string;
  /** What the picture shows, for those who do not see it. */
  readonly altText: string;
  readonly doneOn: string;
}

/** By id, which is also the name of the picture. */
const steps: Readonly<Record<string, Step>> = {
  demo: {
    title: 'See the demo agent work',
    description:
      'It needs no account and no model, but what it does in your folder is real: it runs commands, edits files and asks questions.\n[Start a demo session](command:tapline.startDemo)\nThen send it the message “tour”: a command, an edit and a question. “help” lists what else it understands.',
    altText: 'A conversation: your message, the work of the agent below it, and a question with two buttons.',
    doneOn: 'demoStarted',
  },
  answer: {
    title: 'Answer what needs you',
    description:
      'An agent asks before it runs a command or changes a file. A card shows exactly what would happen, and the badge and the status bar show how many things need you.\n[Show what needs you](command:tapline.showNeedsYou)\nCtrl+Enter (⌘Enter) approves the call that has the focus, Ctrl+Backspace (⌘Backspace) denies it, and Ctrl+Shift+F8 (⇧⌘F8) goes to the next thing that needs you.',
    altText: 'A card with a command that waits, a button that allows it and a button that denies it. The badge of the view shows 1.',
    doneOn: 'answeredOnce',
  },
  model: {
    title: 'Connect a model or GitHub',
    description:
      'The built-in agent does real work with a model on your computer (Ollama, LM Studio), on a server that you choose, or of a GitHub account with Copilot.\n[Connect a model](command:tapline.connectCopilot)\nBoth ways need the engine, the npm package `@github/copilot-sdk` (MIT license). Tapline installs it into its own folder when you agree.',
    altText: 'Tapline in the middle, joined with a computer, a server and a cloud.',
    doneOn: 'modelsConnected',
  },
  hosts: {
    title: 'Connect other agent hosts',
    description:
      'An agent host is a program that runs agents, on this computer or on another one. You can add any that speaks the Agent Host Protocol. You need its WebSocket address and, if it requires one, its token, which is kept in the secret storage.\n[Add an agent host](command:tapline.addHost)',
    altText: 'The list of sessions, grouped by two agent hosts: one is connected, and one is being connected again.',
    doneOn: 'otherHostAdded',
  },
  lend: {
    title: 'Lend a tool to your agents',
    description:
      'A provider is a program or a page of yours that lends its functions to your sessions as tools, such as a query of your database. The agent asks you before it calls one.\n[Copy a ready-made provider](command:tapline.copyProvider)\n[Show providers](command:tapline.showProviders)',
    altText: 'A program and a page, joined by a plug, and through the gateway with the conversation.',
    doneOn: 'providerFound',
  },
};

export function viewContributions(text: Text) {
  const view = (id: string, name: string, more: object) => ({
    ...{ id: `tapline.${id}`, name: text(`view.${id}`, name), ...more, icon: ICON, contextualTitle: NAME },
  });
  const welcome = (id: string, contents: string, when: string, of = 'sessions') => ({
    ...{ view: `tapline.${of}`, contents: text(`welcome.${id}`, contents), when },
  });
  return {
    views: {
      tapline: [
        view('needsYou', 'Needs You', { type: 'webview', when: 'tapline.inboxNeeded', visibility: 'visible', initialSize: 3 }),
        view('sessions', 'Sessions', { initialSize: 2 }),
        view('changes', 'Changes', { when: 'tapline.changesShown', initialSize: 2 }),
        view('tools', 'Tools & Jobs', { when: 'tapline.toolsShown', visibility: 'collapsed', initialSize: 0.01 }),
      ],
      taplineConversation: [view('session', 'Conversation', { type: 'webview' })],
    },
    viewsWelcome: [
      welcome(
        'noHost',
        'No agent host is set up, so there are no sessions.\n[Use the built-in host](command:workbench.action.openSettings?%5B%22tapline.embeddedHost.enabled%22%5D)\n[Add an agent host](command:tapline.addHost)\n[Get started](command:tapline.getStarted) shows what Tapline does.',
        'tapline.ready && tapline.hostCount == 0',
      ),
    ],
    walkthroughs: [
      {
        id: 'start',
        title: text('walkthrough.title', 'Get started with Tapline'),
        description: text('walkthrough.description', 'See what your agents do, and answer what they ask.'),
        icon: ICON,
        steps: Object.entries(steps).map(([id, { title, description, altText, doneOn }]) => ({
          id,
          title: text(`walkthrough.${id}.title`, title),
          description: text(`walkthrough.${id}.description`, description),
          media: { svg: `media/walkthrough/${id}.svg`, altText: text(`walkthrough.${id}.altText`, altText) },
          completionEvents: [`onContext:tapline.${doneOn}`],
        })),
      },
    ],
  };
}
