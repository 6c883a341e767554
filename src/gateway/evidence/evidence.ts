/** Compares what a model says with what can be seen of it. Nothing is executed and nothing is changed. */
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import type { EvidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import type { CheckAnswer } from '../../tap/wire/evidence/verdict.ts';
import { CompileBudgets } from '../limits/compileBudget.ts';
import { CannotAnswer, type Session } from '../sessions/session.ts';
import { checkCommand } from './commandCheck.ts';
import { type Decision, quotedPart, shown, undecided } from './checkDecision.ts';
import { checkFile } from './fileChecks.ts';
import { checkStream } from './streamCheck.ts';

/** For all patterns of one call. */
const PATTERNS_MS = 1_000;

export class Evidence {
  readonly #budgets: CompileBudgets;

  constructor(now: () => number) {
    this.#budgets = new CompileBudgets(now);
  }

  /** In their order. */
  async check(session: Session, checks: readonly EvidenceCheck[]): Promise<CheckAnswer[]> {
    const files = { cwd: session.cwd, budget: this.#budgets.of(session), left: { ms: PATTERNS_MS } };
    const answers: CheckAnswer[] = [];
    for (const check of checks) {
      const decision =
        check.kind === 'command'
          ? await this.#command(session, check)
          : check.kind === 'streamContains'
            ? checkStream(check, session.streams)
            : await checkFile(check, files);
      answers.push({ check: wordsFor(check), ...decision });
      await setImmediate(); // everything else goes on between two
    }
    return answers;
  }

  async #command({ id, owner }: Session, check: Extract<EvidenceCheck, { kind: 'command' }>): Promise<Decision> {
    try {
      const { runs } = await owner.ask('session/commands', { sessionId: id, command: check.command });
      return checkCommand(check, runs);
    } catch (error) {
      if (error instanceof CannotAnswer) return checkCommand(check, undefined);
      return undecided(`the record of the session could not be asked: ${messageOf(error)}`);
    }
  }
}

function wordsFor(check: EvidenceCheck): string {
  switch (check.kind) {
    case 'fileExists':
      return `${shown(check.path)} exists`;
    case 'fileContains':
      return `${shown(check.path)} contains ${quotedPart(check.text)}`;
    case 'fileMatches':
      return `a line of ${shown(check.path)} matches ${quotedPart(check.pattern)}`;
    case 'jsonEquals':
      return `${shown(check.path)} has ${quotedPart(JSON.stringify(check.value))} at ${quotedPart(check.pointer)}`;
    case 'streamContains':
      return `the stream ${shown(check.stream)} contains ${quotedPart(check.text)}`;
    case 'command':
      return `${quotedPart(check.command)} ends with code ${check.expectExitCode}`;
  }
}
