/**
 * What VS Code's terminal sends to a program without the user: answers to what the program has asked, and reports that it has the focus. The
 * output of a command could make it send them, and old output that is shown again would be answered again.
 */
const REPORTS =
  /\u001b\[[?>=][\d;]*\$?[a-zA-Z]|\u001b\[\d+(?:;\d+)*\$?[Rnty]|\u001b\[[IO]|\u001b[\]P^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** Only what the user has typed or pasted. */
export function typedText(data: string): string {
  return data.replace(REPORTS, '');
}
