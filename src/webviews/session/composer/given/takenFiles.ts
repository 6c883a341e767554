/** Files that were pasted, dropped or picked in a browser, one after the other into the draft. What is not taken is said, and the others are attached. */
import * as l10n from '../../../../base/l10n.ts';
import { messageOf, unlessAborted } from '../../../../base/errors.ts';
import type { MessageAttachment } from '../../../../ahp/channels/shapes/message.ts';
import {
  fileProblem,
  fullOfPictures,
  givenName,
  mayFitSmaller,
  needsAnotherForm,
  notMadeSmaller,
  pictureProblem,
  pictureRoom,
  roomFor,
  roomProblem,
} from '../../../../views/session/composer/givenFile.ts';
import { MADE_SMALLER } from '../../../../views/session/composer/imageTypes.ts';
import { pictureMadeSmaller } from '../../../picture/pagePictures.ts';
import { request } from '../../page/pageRequests.ts';
import type { SessionPort } from '../../page/sessionPort.ts';
import type { Draft } from '../../protocol.ts';
import { withAttachments } from '../../drafts/chatDrafts.ts';

/** Of those that are given at once. */
const MAX_GIVEN = 30;

/** As it is at that moment. */
interface ChangingDraft {
  current(): Draft;
  replace(next: Draft): void;
}

export interface TakeOptions {
  readonly post: SessionPort['post'];
  readonly draft: ChangingDraft;
  /** Whatever is taken goes along in the message. */
  readonly embeds: boolean;
  /** Aborted: what is not attached by then is left out. */
  readonly signal: AbortSignal;
}

/** Returns what could not be attached, as a text for the user; undefined where all were. */
export async function takeFiles(files: readonly File[], options: TakeOptions): Promise<string | undefined> {
  const problems: string[] = [];
  const given = files.slice(0, MAX_GIVEN);
  for (const [index, file] of given.entries()) {
    const problem = fileProblem(file) ?? (await take(file, options).catch(messageOf));
    if (options.signal.aborted && problem !== undefined) {
      const left = given.length - index;
      problems.push(
        l10n.plural(
          left,
          l10n.t`Not attached, because you stopped it: ${l10n.countText(left)} file.`,
          l10n.t`Not attached, because you stopped it: ${l10n.countText(left)} files.`,
        ),
      );
      break;
    }
    if (problem !== undefined) problems.push(problem);
  }
  const more = files.length - MAX_GIVEN;
  if (more > 0)
    problems.push(
      l10n.plural(
        more,
        l10n.t`Not attached: ${l10n.countText(more)} more file. Give at most ${MAX_GIVEN} at once.`,
        l10n.t`Not attached: ${l10n.countText(more)} more files. Give at most ${MAX_GIVEN} at once.`,
      ),
    );
  return problems.length > 0 ? l10n.sentencesText(problems) : undefined;
}

async function take(file: File, { post, draft, embeds, signal }: TakeOptions): Promise<string | undefined> {
  signal.throwIfAborted();
  const taken = () => draft.current().attachments;
  const give = async (room: number): Promise<MessageAttachment> => {
    const fitting = await fittingFile(file, room, signal);
    const asked = request(post, 'attachContent', { name: fitting.name, data: await dataOf(fitting) });
    const attachment = await unlessAborted(asked, signal);
    return fitting.size < file.size ? ({ ...attachment, _meta: { [MADE_SMALLER]: true } } as MessageAttachment) : attachment;
  };
  const full = fullOfPictures(taken(), file, embeds);
  if (full !== undefined) return full;
  let attachment = await give(pictureRoom(taken(), embeds));
  if (mayFitSmaller(taken(), file, attachment)) attachment = await give(roomFor(taken()));
  const current = draft.current();
  const problem = roomProblem(current.attachments, attachment);
  if (problem === undefined) draft.replace(withAttachments(current, [attachment]));
  return problem;
}

/** A picture that is larger than the room for it, or of a type that models do not take, is made a JPEG that is not. */
async function fittingFile(file: File, room: number, signal: AbortSignal): Promise<File> {
  if (!needsAnotherForm(file, room)) return file;
  const answer = await pictureMadeSmaller({ picture: file, room }, signal).catch((error: unknown) => {
    throw new Error(notMadeSmaller(file.name, messageOf(error)));
  });
  if ('problem' in answer) throw new Error(pictureProblem(file, answer.problem));
  return new File([answer.smaller], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
}

/** Base64. */
function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    // Also of a folder.
    reader.onerror = () => reject(new Error(l10n.t`“${givenName(file.name)}” could not be read.`));
    reader.readAsDataURL(file);
  });
}
