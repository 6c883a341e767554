// Opens the workbench of a server in a browser page.
import { resolve } from 'node:path';

/** Defaults that make the workbench quiet for tests, without a change of the user's settings. */
export const QUIET_SETTINGS = {
  'workbench.reduceMotion': 'on',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
};

/**
 * `extensionPath` and `testsPath` are written into the configuration of the page just before the workbench reads it: deferred modules run after
 * `interactive`. A built VS Code ignores the query parameters for this.
 */
export async function openWorkbench(server, browser, { folder, extensionPath, testsPath, viewport, settings = {}, onTestsExit } = {}) {
  const context = await browser.newContext({ viewport: viewport ?? { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] });
  await context.addCookies([{ name: 'vscode-tkn', value: server.token, url: server.origin }]);
  const page = await context.newPage();
  const remote = (path) => ({ scheme: 'vscode-remote', authority: server.authority, path: resolve(path) });
  const additions = {
    developmentOptions: {
      ...(extensionPath && { extensions: [remote(extensionPath)] }),
      ...(testsPath && { extensionTestsPath: remote(testsPath) }),
    },
    configurationDefaults: { ...QUIET_SETTINGS, ...settings },
  };
  await context.addInitScript((extra) => {
    if (window !== window.top) return;
    document.addEventListener('readystatechange', () => {
      const meta = document.getElementById('vscode-workbench-web-configuration');
      if (document.readyState !== 'interactive' || !meta) return;
      const configuration = JSON.parse(meta.getAttribute('data-settings'));
      configuration.developmentOptions = { ...configuration.developmentOptions, ...extra.developmentOptions };
      configuration.configurationDefaults = { ...configuration.configurationDefaults, ...extra.configurationDefaults };
      for (const online of ['extensionsGallery', 'updateEndpoint', 'serviceWorker', 'proxyEndpointTemplate']) {
        delete configuration.productConfiguration?.[online];
      }
      meta.setAttribute('data-settings', JSON.stringify(configuration));
    });
  }, additions);
  if (onTestsExit) await page.exposeFunction('codeAutomationExit', onTestsExit);
  const query = folder ? `?folder=${encodeURIComponent(resolve(folder))}` : '?ew=true';
  await page.goto(`${server.origin}/${query}`, { waitUntil: 'domcontentloaded' });
  return page;
}
