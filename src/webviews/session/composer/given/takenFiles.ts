/** Files that were pasted, dropped or picked in a browser, one after the other into the draft. What is not taken is said, and the others are attached. */
import { messageOf } from '../../../../base/errors.ts';
import {
  fileProblem,
  givenName,
  needsAnotherForm,
  pictureProblem,
  roomFor,
  roomProblem,
} from '../../../../views/session/composer/givenFile.ts';
import { counted } from '../../../../views/text/counted.ts';
import { request } from '../../page/requests.ts';
import type { SessionPort } from '../../page/sessionPort.ts';
import type { Draft } from '../../protocol.ts';
import { withAttachments } from '../../drafts/drafts.ts';

/** Of those that are given at once. */
const MAX_GIVEN = 30;

/** Empty where there is also text, which is what is meant then: a spreadsheet copies its cells as an image, too. */
export function filesOf(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return [];
  return [...data.files];
}

/** Lets the user pick files of their own computer. Empty when the picker was left. */
export function pickFiles(): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

/** As it is at that moment. */
interface ChangingDraft {
  current(): Draft;
  replace(next: Draft): void;
}

/** Returns what could not be attached, as a text for the user; undefined where all were. */
export async function takeFiles(files: readonly File[], post: SessionPort['post'], draft: ChangingDraft): Promise<string | undefined> {
  const problems: string[] = [];
  for (const file of files.slice(0, MAX_GIVEN)) {
    const problem = fileProblem(file) ?? (await take(file, post, draft).catch(messageOf));
    if (problem !== undefined) problems.push(problem);
  }
  if (files.length > MAX_GIVEN)
    problems.push(`Not attached: ${counted(files.length - MAX_GIVEN, 'more file')}. Give at most ${MAX_GIVEN} at once.`);
  return problems.length > 0 ? problems.join(' ') : undefined;
}

async function take(file: File, post: SessionPort['post'], draft: ChangingDraft): Promise<string | undefined> {
  const fitting = await fittingFile(file, roomFor(draft.current().attachments));
  const attachment = await request(post, 'attachContent', { name: fitting.name, data: await dataOf(fitting) });
  const current = draft.current();
  const full = roomProblem(current.attachments, attachment);
  if (full === undefined) draft.replace(withAttachments(current, [attachment]));
  return full;
}

/** A picture that is larger than the room for it, or of a type that models do not take, is made a JPEG that is not. */
async function fittingFile(file: File, room: number): Promise<File> {
  if (!needsAnotherForm(file, room)) return file;
  const { pictureMadeSmaller } = await import('../../../picture/pagePictures.ts');
  const answer = await pictureMadeSmaller({ picture: file, room });
  if ('problem' in answer) throw new Error(pictureProblem(file, answer.problem));
  return new File([answer.smaller], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
}

/** Base64. */
function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    // Also of a folder.
    reader.onerror = () => reject(new Error(`“${givenName(file.name)}” could not be read.`));
    reader.readAsDataURL(file);
  });
}
