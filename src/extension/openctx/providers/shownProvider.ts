/** The text on which the user decides about a provider: what runs, or where texts go, and what it gets. */
import { secretNames } from '../../../openctx/secrets.ts';
import { field, quoted } from '../../../base/text/quoted.ts';
import type { Provider } from './findProvider.ts';

/** `whyNot`: why the text of the program is not shown beside it. */
export function shownProvider({ folder, uri, settings, target }: Provider, whyNot?: string): string {
  const secrets = secretNames(settings);
  const gets = [
    ...Object.entries(settings).flatMap(([name, value]) =>
      typeof value === 'string'
        ? field(`setting ${quoted(name)} =`, value)
        : field(`setting ${quoted(name)} as JSON`, JSON.stringify(value)),
    ),
    ...(Object.keys(settings).length === 0 ? ['    no settings'] : []),
    ...secrets.flatMap((name) => field('your secret', name)),
  ];
  const what =
    target.kind === 'endpoint'
      ? [
          'A server is named as a provider of context. It gets the path and the whole',
          'text of files that you open, again after changes, and what you send to agents',
          'where it asks for that. It says itself which files and messages it wants.',
          '',
          'Nothing is sent until you allow it. You allow this address with these',
          'settings: if one of them changes, you are asked again.',
          '',
          ...field('server', target.url),
        ]
      : [
          'A program is named as a provider of context. It runs on this computer and',
          'with your rights, and gets the path and the text of files that you open.',
          '',
          'Nothing runs until you allow it. You allow this file with these settings: if',
          'one of them changes, you are asked again. Other files that it loads are not',
          'compared. A character that cannot be seen is written as \\u{…}.',
          '',
          ...field('program', target.path),
          `    SHA-256 ${target.sha256}`,
          ...(whyNot === undefined ? [] : [`    Its text is not shown, because ${whyNot}. Read the file before you allow it.`]),
        ];
  return [
    ...what,
    ...field('for the folder', folder),
    ...field('named as', uri),
    '',
    'With each request it gets:',
    '',
    ...gets,
    ...(secrets.length > 0 ? ['', 'A secret is sent as you have entered it. Whoever gets it can use it.'] : []),
    '',
  ].join('\n');
}
