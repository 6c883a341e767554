/** All parts of `package.json` that users read, with a key in the place of each text, and the English texts. `npm run manifest` writes both. */
import { commandContributions } from './commandContributions.ts';
import { settingContributions } from './settingContributions.ts';
import { viewContributions } from './viewContributions.ts';

/** As in the names of the files, `package.nls.LANGUAGE.json`. */
export const languages = ['de', 'zh-cn'] as const;

export function manifestParts() {
  const texts: Record<string, string> = {};
  const text = (key: string, english: string) => {
    if (key in texts) throw new Error(`The key ${key} is used twice.`);
    texts[key] = english;
    return `%${key}%`;
  };
  const description = text(
    'description',
    'Live sessions of coding agents in VS Code: connect to any agent host, answer what needs you, see everything else.',
  );
  const untrusted = text('untrusted', 'Agents run commands in the workspace, and a workspace can name programs that lend tools to them.');
  const contributes = { ...commandContributions(text), ...viewContributions(text), ...settingContributions(text) };
  return { description, untrusted, contributes, texts };
}
