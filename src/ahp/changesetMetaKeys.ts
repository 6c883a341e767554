/** Keys of the `_meta` of a changeset's operations by which our host and our views say what the protocol has no field for. */

/** Of the operation: the message that the host suggests for a commit. Of the request: the one that the user wants. */
export const COMMIT_MESSAGE = 'tapline.commitMessage';
