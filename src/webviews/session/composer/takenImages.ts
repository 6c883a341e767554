/** Images that were pasted or dropped, one after the other into the draft. What is not taken is said, and the others are attached. */
import { messageOf } from '../../../base/errors.ts';
import { imageProblem, roomProblem } from '../../../views/session/composer/images.ts';
import { request } from '../page/requests.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import type { Draft } from '../protocol.ts';
import { withAttachments } from '../drafts/drafts.ts';

/** Empty where there is also text, which is what is meant then: a spreadsheet copies its cells as an image, too. */
export function imagesOf(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return [];
  return [...data.files].filter(({ type }) => type.startsWith('image/'));
}

/** `change` changes the draft as it is when an image is there. Returns what could not be attached, as a text for the user; undefined where all were. */
export async function takeImages(
  files: readonly File[],
  post: SessionPort['post'],
  change: (how: (draft: Draft) => Draft) => void,
): Promise<string | undefined> {
  const problems: string[] = [];
  for (const file of files) {
    const problem =
      imageProblem(file) ??
      (await dataOf(file)
        .then(async (data) => {
          const attachment = await request(post, 'attachImage', { name: file.name, data });
          let full: string | undefined;
          change((draft) => {
            full = roomProblem(draft.attachments, attachment);
            return full === undefined ? withAttachments(draft, [attachment]) : draft;
          });
          return full;
        })
        .catch(messageOf));
    if (problem !== undefined) problems.push(problem);
  }
  return problems.length > 0 ? problems.join(' ') : undefined;
}

/** Base64. */
function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`“${file.name}” could not be read.`));
    reader.readAsDataURL(file);
  });
}
