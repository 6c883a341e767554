/**
 * Prompt files of a project, which `/` in the composer offers. Their text becomes the message, which the user reads and changes before it is
 * sent. They are files of the project, so what they say is untrusted.
 */
import { parse } from 'yaml';
import type { URI } from '../../../ahp/common/shapes.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { splitFrontMatter } from '../../../base/text/frontMatter.ts';
import { oneLine } from '../../text/oneLine.ts';

/** Where GitHub Copilot and Claude Code keep them, from the folder of the session, and how their names end. */
export const PROMPT_FOLDERS = [
  { folder: '.github/prompts', ending: '.prompt.md' },
  { folder: '.claude/commands', ending: '.md' },
] as const;

/** Of a file, in characters. A longer one is no message. */
export const MAX_PROMPT = 64_000;
const MAX_HEADING = 4_000;
const MAX_DESCRIPTION = 200;
const MAX_NAME = 100;
/** How many are offered. */
const MAX_OFFERED = 20;

export interface PromptFile {
  /** What is typed after the slash. */
  name: string;
  uri: URI;
  /** From the folder of the session. */
  path: string;
}

/** What is offered for what was typed. `description`: one line. */
export interface OfferedPrompt {
  name: string;
  path: string;
  description?: string;
}

type PromptFolder = (typeof PROMPT_FOLDERS)[number];

/** `folder`: the URI of the session's. */
export function promptFolderUri(folder: URI, place: PromptFolder): URI {
  return `${folder.replace(/\/$/, '')}/${place.folder}`;
}

/** The prompt files among the names of a folder. `folder`: the URI of the session's. */
export function promptFiles(folder: URI, place: PromptFolder, names: readonly string[]): PromptFile[] {
  const { ending } = place;
  return names.flatMap((fileName): PromptFile[] => {
    const name = fileName.slice(0, -ending.length);
    if (!fileName.endsWith(ending) || !/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) || name.length > MAX_NAME) return [];
    const path = `${place.folder}/${fileName}`;
    return [{ name, path, uri: `${promptFolderUri(folder, place)}/${encodeURIComponent(fileName)}` }];
  });
}

/** The prompt file of a path that was offered. Undefined for any other path. */
export function promptFileAt(folder: URI, path: string): PromptFile | undefined {
  const place = PROMPT_FOLDERS.find(({ folder: below }) => path.startsWith(`${below}/`));
  return place && promptFiles(folder, place, [path.slice(place.folder.length + 1)])[0];
}

/** Those whose name has what was typed, best first: what begins with it, then what is short. */
export function matchingPrompts(files: readonly OfferedPrompt[], query: string): OfferedPrompt[] {
  const typed = query.toLowerCase();
  const rank = ({ name }: OfferedPrompt) => (name.toLowerCase().startsWith(typed) ? 0 : MAX_NAME) + name.length;
  return files
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_OFFERED);
}

/** What a prompt file says of itself. A heading that cannot be read says nothing. */
export function descriptionOf(content: string): string | undefined {
  const { yaml } = splitFrontMatter(content.slice(0, MAX_HEADING).replace(/^\uFEFF/, ''));
  if (yaml === undefined) return undefined;
  try {
    const heading: unknown = parse(yaml);
    const description = isRecord(heading) ? heading['description'] : undefined;
    return typeof description === 'string' ? oneLine(description).slice(0, MAX_DESCRIPTION) || undefined : undefined;
  } catch {
    // Many write what YAML does not take, such as a colon in a sentence. The text is what counts.
    return undefined;
  }
}

/** The message that a prompt file makes, of at most {@link MAX_PROMPT}: without its heading, and without what a field would not show. */
export function promptText(content: string): string {
  return shownText(splitFrontMatter(content.replace(/^\uFEFF/, '')).text).trim();
}

/** Controls, marks that turn the direction or have no width, private characters and tags. */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\p{Co}\p{Cs}\u00ad\u034f\u061c\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e00ff}]/gu;
/** What joins or varies the characters around it. A long run of them says something that nobody sees. */
const JOINERS = /[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

function shownText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\p{Zs}/gu, ' ')
    .replace(HIDDEN, '')
    .replace(JOINERS, (run) => (/^[\ufe0e\ufe0f]?[\u200c\u200d]?$/.test(run) ? run : ''));
}
