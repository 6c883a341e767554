/** All settings in their groups, in the order in which the settings editor shows them. */
import { type CommandId, commandName, commandTable } from '../commandTable.ts';

interface Schema {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly enumDescriptions?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export interface Setting extends Omit<Schema, 'description'> {
  readonly markdownDescription: string;
  /** Absent: a folder may set it. */
  readonly scope?: 'application' | 'resource';
  readonly tags?: readonly string[];
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** A link to a command, by its title. */
function command(id: CommandId): string {
  return `[Tapline: ${commandTable[id].title}](command:${commandName(id)})`;
}
/** A link to another setting. */
function setting(name: string): string {
  return `\`#${name}#\``;
}

/** By id. Marked as pure, so that no bundle of the extension holds it. */
export const settingGroups = /* @__PURE__ */ ((): Readonly<Record<string, SettingGroup>> => ({
  sessions: {
    title: 'Sessions and Notifications',
    settings: {
      'tapline.sessions.groupBy': {
        type: 'string',
        enum: ['date', 'project'],
        enumDescriptions: ['Today, yesterday, last week and older, of all agent hosts.', 'By agent host, and there by project.'],
        default: 'date',
        markdownDescription: 'How the list of sessions is grouped. Pinned sessions come first in both.',
      },
      'tapline.sessions.showArchived': {
        type: 'boolean',
        default: false,
        markdownDescription: `List archived sessions too, dimmed. ${command('toggleArchived')} changes this.`,
      },
      'tapline.notifyWhenNeeded': {
        type: 'boolean',
        default: true,
        markdownDescription:
          'Show a notification, once, of each thing that starts to wait for you and is not in view. It disappears when it is answered anywhere. The badge and the status bar always show what waits.',
      },
      'tapline.notifyWhenFinishedAfter': {
        type: 'number',
        default: 30,
        minimum: 0,
        markdownDescription:
          'Show a notification, once, when a turn has finished that ran for at least this many seconds, while its session or the window was not in view. Example: `300` speaks of turns of five minutes and more, and `0` of none.',
      },
      'tapline.answerFromComposer': {
        type: 'boolean',
        default: true,
        markdownDescription:
          'Ctrl+Enter (Cmd+Enter on macOS) in the empty message field gives the first answer of the one call that waits in the session, such as *Run once*. If not all of the call has been in view, it shows the rest, and the next press answers.',
      },
      'tapline.shareDrafts': {
        type: 'boolean',
        default: false,
        markdownDescription:
          'Let the other clients of a chat see what you type before you send it, where the agent host can share it. It holds for sessions that you open from then on. What others type is offered to you in any case.',
      },
    },
  },
  hosts: {
    title: 'Agent Hosts',
    settings: {
      'tapline.embeddedHost.enabled': {
        type: 'boolean',
        default: true,
        scope: 'application',
        markdownDescription:
          'Start Tapline’s own agent host on this computer and list its sessions. One agent host serves all windows; it ends a minute after the last one has closed.',
      },
      'tapline.hosts': {
        type: 'array',
        default: [],
        scope: 'application',
        markdownDescription: `Other agent hosts to connect to. ${command('addHost')} adds one, and keeps the token in the secret storage and not here. Example: \`[{"name": "Build machine", "url": "wss://build.example.com:8443"}]\`.`,
        items: {
          type: 'object',
          required: ['name', 'url'],
          additionalProperties: false,
          properties: {
            name: { type: 'string', description: 'What the agent host is called in the views.' },
            url: {
              type: 'string',
              pattern: String.raw`^(wss?://|ws\+unix:)`,
              description:
                'WebSocket address without the token: ws://, wss://, or ws+unix: with the path of a socket on this computer (ws+unix:/path/to/host.sock, ws+unix://./pipe/name on Windows).',
            },
          },
        },
      },
      'tapline.offerVsCodeHosts': {
        type: 'boolean',
        default: true,
        scope: 'application',
        markdownDescription: `Offer the agent hosts of VS Code that run on this computer in the Sessions view, once. Tapline connects to one only after you say so. ${command('connectVsCodeHost')} works in any case.`,
      },
      'tapline.experimental.ahp11': {
        type: 'boolean',
        default: false,
        scope: 'application',
        tags: ['experimental'],
        markdownDescription:
          'Speak version 1.1 of the Agent Host Protocol with agent hosts that know it. It is in development and may change, so this may stop working with an update. Applies to windows that are loaded from now on, and to Tapline’s own agent host when it starts the next time.',
      },
    },
  },
  models: {
    title: 'Models',
    settings: {
      'tapline.models': {
        type: 'array',
        default: [],
        scope: 'application',
        markdownDescription: `Models of your own for the Copilot agent of the built-in agent host. ${command('addModel')} adds one and tests it, and ${command('editModel')} changes it. Keys are kept in the secret storage and not here. Example: \`[{"id": "qwen3", "name": "Qwen 3", "baseUrl": "http://127.0.0.1:11434/v1"}]\`.`,
        items: {
          type: 'object',
          required: ['id', 'name', 'baseUrl'],
          additionalProperties: false,
          properties: {
            id: {
              type: 'string',
              description:
                'Names the model in Tapline, so that each id is used once. It is also what the server calls the model, unless “model” says otherwise.',
            },
            model: {
              type: 'string',
              description: 'What the server calls the model, where that is not the id. Two servers may have a model of the same name.',
            },
            name: { type: 'string', description: 'What the model is called in the views.' },
            baseUrl: { type: 'string', pattern: '^https?://', description: 'Address of the server, usually ending in /v1.' },
            wireApi: {
              type: 'string',
              enum: ['completions', 'responses'],
              enumDescriptions: ['Chat Completions, which nearly all servers have.', 'Responses, the newer one.'],
              default: 'completions',
              description: 'Which of OpenAI’s APIs the server has.',
            },
            type: {
              type: 'string',
              enum: ['openai', 'azure', 'anthropic'],
              enumDescriptions: [
                'An API like that of OpenAI: Ollama, LM Studio and most others.',
                'Azure OpenAI.',
                'An API like that of Anthropic.',
              ],
              default: 'openai',
              description: 'The kind of server.',
            },
            contextWindow: { type: 'integer', minimum: 1, description: 'Context window of the model, in tokens.' },
            vision: { type: 'boolean', description: 'Whether the model accepts images.' },
            reasoningEffort: {
              type: ['boolean', 'string'],
              enum: [true, false, 'low', 'medium', 'high', 'xhigh', 'max'],
              enumDescriptions: [
                'The model has a reasoning effort.',
                'The model has none.',
                ...['low', 'medium', 'high', 'xhigh', 'max'].map((effort) => `Unless you choose another: ${effort}.`),
              ],
              description: 'Whether the model has a reasoning effort, or the default reasoning effort.',
            },
          },
        },
      },
    },
  },
  providers: {
    title: 'Providers of Tools',
    settings: {
      'tapline.gateway.enabled': {
        type: 'boolean',
        default: true,
        scope: 'application',
        markdownDescription: `Lend tools of local programs and browser pages, the providers, to your agent sessions, through the gateway on this computer. It starts when the first session is opened, and one serves all windows. When this is off, there is no connection to it and sessions get no tools from it. ${command('showProviders')} shows how it stands.`,
      },
      'tapline.editorTools.enabled': {
        type: 'boolean',
        default: true,
        scope: 'application',
        markdownDescription: `Lend this window’s editor to the agent sessions that work in its folders: what is open, selected and reported as a problem, search, showing a place or a diff, and what commands in terminals printed. Only files of the window’s folders are read. Sessions that work elsewhere get it with ${command('lendEditorTools')} only. ${command('reviewTools')} switches single tools off.`,
      },
    },
  },
  context: {
    title: 'Context Providers',
    settings: {
      'tapline.context.maxTokens': {
        type: 'integer',
        default: 8000,
        minimum: 0,
        maximum: 100_000,
        markdownDescription:
          'How much context goes along with one message to an agent: selections, problems, changes, and what context providers know. Also how much of those is given to an agent that asks. Counted in tokens of four characters. What has no room is left out, and the session says so. Example: `20000` for a model with a large context window.',
      },
      'tapline.context.ofAttachedFiles': {
        type: 'boolean',
        default: true,
        markdownDescription: `When you attach a file to a message, what the context providers of the folder (${setting('openctx.providers')}) know about it goes along. It is shown at the composer, where you can read and remove it.`,
      },
      'openctx.enable': {
        type: 'boolean',
        default: true,
        markdownDescription:
          'Ask context providers, those of [OpenCtx](https://openctx.org), what they know about your files, and show it in the editor. A workspace can switch this off, and not on where your own settings say off.',
      },
      'openctx.providers': {
        type: 'object',
        scope: 'resource',
        default: {},
        markdownDescription: `Context providers of [OpenCtx](https://openctx.org), by URI: \`https://…\` is a server; \`./file.mjs\`, an absolute path (\`.js\`, \`.mjs\`, \`.cjs\`) and the name of a package that is installed in the folder are programs. \`true\` switches one on, \`false\` off, and an object switches it on with settings for it, in which \`\${secret:NAME}\` stands for a value of ${command('setOpenCtxSecret')}. A server gets the text of the files that it asks for. What a workspace names, and every program in one, is asked about first. Example: \`{"./notes.mjs": true}\`.`,
        additionalProperties: { type: ['boolean', 'object'] },
      },
      'openctx.debug': {
        type: 'boolean',
        default: false,
        markdownDescription: `Write each question to a context provider to its log, with how long it took, without texts of files. ${command('showLog')} opens it.`,
      },
    },
  },
  portal: {
    title: 'Portal and Jobs',
    settings: {
      'tapline.portal.entry': {
        type: 'string',
        default: '',
        scope: 'application',
        markdownDescription: `The file with the tasks and jobs of the portal, as JSON. ${command('openPortal')} starts the portal with it, and asks for it while this is empty. ${command('newPortalEntry')} begins one from a template. Example: \`/home/me/jobs/tapline-portal.json\`.`,
      },
      'tapline.portal.agent': {
        type: 'string',
        enum: ['copilot', 'demo'],
        enumDescriptions: ['The Copilot agent, with your models or your GitHub account.', 'The demo agent, which needs no model.'],
        default: 'copilot',
        scope: 'application',
        markdownDescription: `The agent that runs the sessions of a portal that ${command('openPortal')} starts.`,
      },
    },
  },
  traces: {
    title: 'Traces',
    settings: {
      'tapline.traces.enabled': {
        type: 'boolean',
        default: false,
        scope: 'application',
        markdownDescription: `Measure turns, tool calls and emitters (what is watched), and keep that as traces in the gateway’s records on this computer, without prompts, arguments and results. Also on where an endpoint or a file is named (${setting('tapline.traces.endpoint')}, ${setting('tapline.traces.file')}).`,
      },
      'tapline.traces.endpoint': {
        type: 'string',
        default: '',
        scope: 'application',
        pattern: '^$|^https?://',
        patternErrorMessage: 'An address that begins with http:// or https://.',
        markdownDescription:
          'Send traces to this address too, as OTLP over HTTP. Example: `http://localhost:4318`. Headers come from the environment variable `OTEL_EXPORTER_OTLP_HEADERS`. Empty: they are not sent.',
      },
      'tapline.traces.file': {
        type: 'string',
        default: '',
        scope: 'application',
        markdownDescription:
          'Write traces to this file too, as lines of OTLP JSON. An absolute path. Example: `/home/me/traces.jsonl`. Empty: they are not written.',
      },
      'tapline.traces.content': {
        type: 'boolean',
        default: false,
        scope: 'application',
        markdownDescription:
          'Add the prompts of turns, the commands of emitters, and the arguments and results of tools to traces, each up to 4,000 characters. They may hold secrets.',
      },
    },
  },
}))();
