/** Comments on files, in the annotations of sessions. */
import type { Commands } from '../commandTable.ts';
import type { WindowServices } from '../windowServices.ts';
import { OwnComments } from './ownComments.ts';
import { SessionComments } from './sessionComments.ts';

export function registerAnnotations({ context, hosts, keys, logger, own, views }: WindowServices) {
  const ownComments = new OwnComments(context.workspaceState);
  const onTakesComments = (takes: boolean) => keys.set('tapline.annotatedSessionShown', takes);
  const comments = own(new SessionComments({ hosts, views, own: ownComments, logger, onTakesComments }));
  const load = async () => {
    const { CommentCommands } = await import('./commentCommands.ts');
    return new CommentCommands(comments, ownComments);
  };
  const commands = {
    commentOnLine: async () => (await load()).commentOnLine(),
    addComment: async (argument) => (await load()).add(argument),
    replyToComment: async (argument) => (await load()).reply(argument),
    resolveComments: async (argument) => (await load()).setResolved(argument, true),
    reopenComments: async (argument) => (await load()).setResolved(argument, false),
    deleteComments: async (argument) => (await load()).deleteThread(argument),
    editComment: async (argument) => (await load()).edit(argument),
    saveComment: async (argument) => (await load()).save(argument),
    cancelCommentEdit: async (argument) => (await load()).cancelEdit(argument),
    deleteComment: async (argument) => (await load()).deleteComment(argument),
  } satisfies Partial<Commands>;
  return { commands };
}
