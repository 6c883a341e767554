/** Tools with which a model shows that what it says is so. */
import * as z from 'zod';
import { evidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { type TapTool, tapTool } from './tapTool.ts';

const sentence = z
  .string()
  .max(Limit.claimLength)
  .refine((value) => value.trim() !== '', 'must not be blank');
const checks = z.array(evidenceCheck).min(1).max(Limit.evidenceChecks);

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ANSWERS =
  'Nothing is executed or changed. Each check is answered supported, contradicted or unknown, with the line that decides and who has seen it (seenBy: gateway, session, or stated, which is your word alone). For a command, run it first, then give its exact command line and exit code: where the record of the session says otherwise, the record counts.';

const verifyGoalOutput = tapTool(
  {
    name: 'tap_verify_goal_output',
    description: `Check that a goal is reached before you say so: files of the session's folder, event streams, and commands that you have run. ${ANSWERS} The goal is supported only if all of its checks are. Example: {"goal": "The tests pass", "checks": [{"kind": "command", "command": "npm test", "exitCode": 0}, {"kind": "fileContains", "path": "src/sum.js", "text": "a + b"}]}`,
    annotations,
  },
  z.strictObject({ goal: sentence.describe('What is to be true, in one sentence'), checks }),
  async ({ goal, checks: wanted }, { gateway, session }) => {
    const answers = await gateway.evidence.check(session, wanted);
    const { verdict, checks: judged } = gateway.ledger.judged(session, 'goal', goal, answers);
    return { goal, verdict, checks: judged };
  },
);

const auditClaims = tapTool(
  {
    name: 'tap_audit_claims',
    description: `Check several claims at once, such as those of a report, each with its evidence. ${ANSWERS} A claim is supported only if all of its evidence is. Example: {"claims": [{"claim": "The version is 2.0.0", "evidence": [{"kind": "jsonEquals", "path": "package.json", "pointer": "/version", "value": "2.0.0"}]}]}`,
    annotations,
  },
  z
    .strictObject({
      claims: z
        .array(z.strictObject({ claim: sentence.describe('What you say, in one sentence'), evidence: checks }))
        .min(1)
        .max(Limit.claims),
    })
    .refine(
      ({ claims }) => claims.reduce((sum, { evidence }) => sum + evidence.length, 0) <= Limit.evidenceChecks,
      `more than ${Limit.evidenceChecks} checks in one call`,
    ),
  async ({ claims }, { gateway, session }) => {
    const answers = await gateway.evidence.check(
      session,
      claims.flatMap(({ evidence }) => evidence),
    );
    return {
      claims: claims.map(({ claim, evidence }) => {
        const { verdict, checks: judged } = gateway.ledger.judged(session, 'claim', claim, answers.splice(0, evidence.length));
        return { claim, verdict, evidence: judged };
      }),
    };
  },
);

export const evidenceTools: readonly TapTool[] = [verifyGoalOutput, auditClaims];
