/** What the linter cannot see: circles between files, and between the folders that they stand in. Run by `npm run lint`. */
module.exports = {
  forbidden: [
    {
      name: 'version-1-behind-the-dialect',
      comment: 'Everything else reads the model, in the shapes of the newest dialect. What version 1 has otherwise stays in `ahp/v1`.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(ahp|host)/' },
      to: { path: '^src/ahp/v1/' },
    },
    {
      name: 'portal-outside-of-vscode',
      comment: 'The page of the portal runs in any browser. What it shares with the session view must not need VS Code to be there.',
      severity: 'error',
      from: { path: '^src/webviews/portal/' },
      to: { path: 'vscodeApi', reachable: true },
    },
    {
      name: 'pages-know-no-shell',
      comment: 'What pages are told and may do is the same in VS Code, in a browser and in tests. A shell gives them a port and services.',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: { path: '^(vscode|ws|hono|@hono/.*|node:(http|https|http2|net)|https?|net)$|node_modules/(ws|hono|@hono)/' },
    },
    {
      name: 'no-circle-of-files',
      comment: 'Files that import each other cannot be understood one at a time. Move what both need below them, or pass it in.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'A folder imports downwards only: of two folders, only one may know the other.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.test\\.tsx?$' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
    metrics: true,
  },
};
