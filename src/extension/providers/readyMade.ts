/** Providers that are ready to run, made of the examples: the text of one file each, with how to run it at its top. */
import * as l10n from '../../base/l10n.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Language = 'node' | 'python' | 'browser';

export interface ReadyMade {
  /** What to save the text as. */
  readonly fileName: string;
  /** How to run it, in one line. */
  readonly steps: string;
}

// eslint-disable-next-line texts/translated -- as the examples have it
const README = 'How to run it: README.md beside this file.';

export const readyMades: Readonly<Record<Language, ReadyMade>> = {
  node: { fileName: 'provider.mjs', steps: l10n.t('Save it as provider.mjs, and run “node provider.mjs” in a terminal.') },
  python: {
    fileName: 'provider.py',
    steps: l10n.t(
      'Save it as provider.py. Run “python3 -m venv .venv && .venv/bin/pip install websockets”, then “.venv/bin/python provider.py”.',
    ),
  },
  browser: {
    fileName: 'provider.html',
    steps: l10n.t(
      'Save it as provider.html, and run “python3 -m http.server 8080 --bind 127.0.0.1” beside it. Open http://127.0.0.1:8080/provider.html, press Connect, and type the code that VS Code shows.',
    ),
  },
};

export interface ReadyMadePlaces {
  /** Of the extension. */
  readonly dist: string;
  /** Tapline's own folder: where the SDK is kept for programs, because the folder of the extension goes with its next update. */
  readonly home: string;
  /** Of the gateway that runs, for the page, which cannot find it. */
  readonly gatewayUrl: string | undefined;
}

/** The page has the SDK in it; the program in Python needs none. */
export async function readyMade(language: Language, { dist, home, gatewayUrl }: ReadyMadePlaces): Promise<string> {
  const example = (file: string) => readFile(join(dist, 'providers', file), 'utf8');
  const { steps } = readyMades[language];
  switch (language) {
    case 'node': {
      const sdk = await keepSdk(home, await example('sdk.cjs'));
      return replaced(await example('node.mjs'), [README, steps], ["'tapline/provider'", JSON.stringify(pathToFileURL(sdk).href)]);
    }
    case 'python':
      return replaced(await example('python.py'), [README, steps]);
    case 'browser': {
      const sdk = `data:text/javascript;base64,${Buffer.from(await readFile(join(dist, 'lib', 'providerBrowser.js'), 'utf8')).toString('base64')}`;
      return replaced(
        await example('browser.html'),
        [README, steps],
        ["'../../dist/lib/providerBrowser.js'", JSON.stringify(sdk)],
        ...(gatewayUrl === undefined ? [] : ([["'ws://127.0.0.1:9400'", JSON.stringify(gatewayUrl)]] as const)),
      );
    }
  }
}

async function keepSdk(home: string, text: string): Promise<string> {
  const folder = join(home, 'sdk');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'provider.cjs');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** Each of them is in the text once; a test reads the real examples. */
function replaced(text: string, ...pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((done, [from, to]) => {
    // eslint-disable-next-line texts/translated -- of a package that was not built rightly
    if (done.split(from).length !== 2) throw new Error(`the example does not hold “${from}” once`);
    return done.replace(from, () => to);
  }, text);
}
