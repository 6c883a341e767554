import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';
import { linearRegex } from './scripts/lint/linearRegex.mjs';
import { regexExceptions } from './scripts/lint/regexExceptions.mjs';
import { translatedTexts } from './scripts/lint/translatedTexts.mjs';

// The folders of src/ and what each may import. docs/layout.md has the same table.
const folders = {
  base: [],
  ahp: ['base'],
  models: ['base'],
  tap: ['base'],
  gateway: ['base', 'tap'],
  mcp: ['base', 'tap'],
  openctx: ['base'],
  openctxServer: ['base', 'tap', 'openctx'],
  host: ['base', 'ahp', 'models'],
  portal: ['base', 'ahp', 'views', 'pages', 'webviews'],
  portalProcess: ['base', 'ahp', 'models', 'tap', 'host', 'portal'],
  cli: ['base', 'ahp', 'tap', 'gateway', 'views'],
  views: ['base', 'ahp', 'models', 'tap'],
  webviews: ['base', 'ahp', 'views'],
  pages: ['base', 'ahp', 'views', 'webviews'],
  extension: ['base', 'ahp', 'models', 'tap', 'openctx', 'views', 'webviews', 'pages'],
};
// What these folders may import of the portal.
const ofEntries = { extension: 'entry/|chart/|prompts/|trial/', cli: 'entry/|entryFile/|trial/' };
const noVscode = { group: ['vscode'], message: 'Only extension/ knows VS Code.' };
const noNode = [
  { group: ['node:*', 'ws', '@lydell/node-pty'], message: 'This code runs in browsers too: no Node API. Inject it.' },
  {
    regex: '/base/(daemon|node|server)/|/models/copilotEngine|^\\./(daemon|node|server)/',
    message: 'This code runs in browsers too, and that module needs Node.',
  },
];
// Everything here runs in browsers, or may.
const browserFiles = [
  'src/base/*.ts',
  'src/base/connection/*.ts',
  'src/base/text/*.ts',
  'src/base/traces/*.ts',
  'src/ahp/**/*.ts',
  'src/models/modelEndpoints.ts',
  'src/tap/wire/**/*.ts',
  'src/tap/provider/**/*.ts',
  'src/views/**/*.ts',
  'src/webviews/**/*.{ts,tsx}',
];
// Tasks and jobs without HTTP and without the host's sessions.
const portalCore = ['entry', 'prompts', 'runs', 'work', 'tasks', 'jobs', 'limits', 'chart', 'live', 'store', 'worktrees', 'trial'].map(
  (name) => `src/portal/${name}/**/*.ts`,
);
const onlyBase = [{ regex: '^(\\.\\./)+ahp/', message: 'The core of the portal imports base/ only.' }];
const noShell = [
  { group: ['node:http*', 'node:net', 'ws', 'hono', 'hono/*', '@hono/*'], message: 'Pages know no shell: they get a port.' },
];
const protocolsOnly = [
  {
    regex: '/webviews/(?!focus/|\\w+/(protocol|parseWebviewMessage)\\.ts$)',
    message: 'Of the webviews only their protocols: the rest runs in browsers.',
  },
];
const nodeFiles = ['src/ahp/client/nodeTransport.ts', 'src/tap/provider/providerNode.ts'];
const tests = ['src/**/*.test.ts', 'src/**/*.test.tsx'];

const importRules = Object.entries(folders).flatMap(([folder, allowed]) => {
  const forbidden = Object.keys(folders).filter((other) => other !== folder && !allowed.includes(other));
  const patterns = [
    ...forbidden.map((other) => ({
      // An entry is checked and tried where it is written, with the same rules: they need no host and no server.
      regex: other === 'portal' && ofEntries[folder] ? `^(\\.\\./)+portal/(?!${ofEntries[folder]})` : `^(\\.\\./)+${other}/`,
      message: `${folder}/ may import ${allowed.join(', ') || 'nothing of ours'}, not ${other}/.`,
    })),
    ...(folder === 'extension' ? [] : [noVscode]),
  ];
  const rule = (files, ignores, extra) => ({
    files,
    ignores,
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ...extra] }] },
  });
  const inBrowsers = browserFiles.filter((path) => path.startsWith(`src/${folder}/`));
  return [
    rule([`src/${folder}/**/*.{ts,tsx}`], tests, [
      ...(folder === 'pages' ? noShell : []),
      ...(folder === 'pages' || folder === 'portal' ? protocolsOnly : []),
    ]),
    ...(folder === 'portal' ? [rule(portalCore, tests, onlyBase)] : []),
    ...(inBrowsers.length > 0 ? [rule(inBrowsers, [...tests, ...nodeFiles], noNode)] : []),
  ];
});

const privateMember = {
  selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
  message: 'Write `#name`. The keyword is for constructors and their parameters, which have no other way.',
};

// A browser adds nothing to what a page asks of its portal, so each request needs the session of the page.
const withoutSession = (name) => ({ name, message: 'The portal refuses it: read, call or pageFetch send the session of the page.' });
const apiPath = '/^\\u002Fapi\\b/';
const sessionRules = [
  {
    files: ['src/webviews/**/*.{ts,tsx}'],
    ignores: [...tests, 'src/webviews/pageSession/pageSession.ts'],
    rules: {
      'no-restricted-globals': ['error', ...['fetch', 'EventSource', 'XMLHttpRequest', 'WebSocket'].map(withoutSession)],
      'no-restricted-properties': [
        'error',
        ...['window', 'globalThis', 'self'].flatMap((object) =>
          ['fetch', 'EventSource', 'XMLHttpRequest', 'WebSocket'].map((property) => ({
            object,
            property,
            message: withoutSession(property).message,
          })),
        ),
        { object: 'navigator', property: 'sendBeacon', message: withoutSession('').message },
      ],
      'no-restricted-syntax': [
        'error',
        privateMember,
        ...[`:not(CallExpression[callee.name="pageFetch"]) > Literal[value=${apiPath}]`, `TemplateElement[value.raw=${apiPath}]`].map(
          (selector) => ({ selector, message: 'An address of the interface without the session of the page, such as in a link.' }),
        ),
      ],
    },
  },
  // The files of pages need no session, and in VS Code there is none.
  { files: ['src/webviews/late/startWorker.ts'], rules: { 'no-restricted-globals': 'off' } },
  // It sends the session as a subprotocol.
  { files: ['src/webviews/port/browserPort.ts'], rules: { 'no-restricted-globals': 'off' } },
];

const regexRules = [
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: tests,
    plugins: { tapline: { rules: { 'linear-regex': linearRegex } } },
    rules: { 'tapline/linear-regex': 'error' },
  },
  ...Object.entries(regexExceptions).map(([file, exceptions]) => ({
    files: [file],
    rules: { 'tapline/linear-regex': ['error', exceptions.map(({ code }) => code)] },
  })),
];

// What people see. A host, a model, a file and a log get English.
const textRules = [
  {
    files: [
      'src/{extension,webviews,views,pages}/**/*.{ts,tsx}',
      // Elsewhere the host speaks to models and programs too, mostly.
      'src/host/{agents/demo,changes}/**/*.ts',
      'src/host/agents/copilot/{copilotOptions.ts,{asking,permissions,turn}/**/*.ts}',
    ],
    ignores: [
      ...tests,
      // Those of the manifest are in package.nls.json, and the tools of the editor speak to models.
      ...['src/extension/manifest/**', 'src/extension/commandTable.ts', 'src/extension/editorTools/{shared,tools}/**'],
      // What the model reads of messages and turns.
      'src/host/agents/copilot/turn/{engineMessage,recap}.ts',
    ],
    plugins: { texts: { rules: { translated: translatedTexts } } },
    rules: { 'texts/translated': 'error' },
  },
];

export default tseslint.config(
  { ignores: ['dist/**', 'dist-test/**', 'artifacts/**', 'data/**', 'tools/vscode-web/node_modules/**', 'node_modules/**'] },
  ...tseslint.configs.strict,
  {
    languageOptions: { parserOptions: { project: false } },
    rules: {
      '@typescript-eslint/no-invalid-void-type': 'off',
      // A name for the type of a schema, which errors and hovers then show.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': ['error', privateMember],
    },
  },
  ...importRules,
  ...sessionRules,
  ...regexRules,
  ...textRules,
  { files: ['**/*.test.ts', 'test/**', 'bench/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.cjs', 'tools/vscode-web/stubs/**'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['*.js', '*.mjs', 'scripts/**', 'test/**', 'examples/openctx/**'], rules: { 'no-restricted-exports': 'off' } },
  prettier,
);
