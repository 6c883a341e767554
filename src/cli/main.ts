#!/usr/bin/env node
/** `tapline`: the portal from a terminal or a script, and a terminal for authors of providers. */
import { messageOf, UserError } from '../base/errors.ts';
import { pointInTime } from '../base/text/pointInTime.ts';
import { wholeNumber } from '../base/server/serverArguments.ts';
import { answer } from './answer.ts';
import { CliError, type ExitCode, exitCodes } from './cliError.ts';
import { commandLine } from './commandLine.ts';
import { dev } from './dev/dev.ts';
import { findPortal } from './findPortal.ts';
import { processOutput } from './output.ts';
import { PortalClient } from './portalClient.ts';
import { ps } from './ps.ts';
import { commitResult } from './result/commitResult.ts';
import { requestPull } from './result/requestPull.ts';
import { showResult } from './result/showResult.ts';
import { continueRun, stopRun } from './runs/changeRun.ts';
import { pauseRun, skipStep, steerStep } from './runs/changeStep.ts';
import { listJobs, listTasks, logs, show } from './runs/showRun.ts';
import { type RunOptions, runJob, runTask } from './runs/startRun.ts';
import { tryEntry } from './trial/tryEntry.ts';
import { visiblePlain } from '../views/text/visibleText.ts';

const HELP = `tapline: tasks and jobs of Tapline's portal, and what waits for a person.

  tapline ps                    what runs, and what waits for you; --all: also jobs that have ended
  tapline tasks                 what “run” can start
  tapline jobs                  what “job” can start
  tapline run TASK              runs a task in a new session, and waits for its end
  tapline job NAME              runs a job, and waits for its end
  tapline show RUN              a run with its steps; RUN is the id of a job or task, of a job also its beginning
  tapline logs RUN              what happened in it, in order; -f, --follow: until its end
  tapline stop RUN              stops it
  tapline pause RUN             starts nothing new; it is paused once what runs has ended
  tapline continue RUN          goes on from the steps that failed or have not begun, and waits for the end
  tapline retry RUN --from STEP goes on from this step, and does again all that began after it: the number or name
                                of a step, as “show” has them; with --input or --prompt that step gets another one
  tapline skip RUN STEP         a step that runs, or has failed, counts as done, and the job goes on
  tapline steer RUN STEP TEXT   tells the agent of a step that runs something
  tapline answer [ID]           shows what waits, with the exact text of what would run, and asks
  tapline result RUN            which files each step of a job has changed, and its documents; --diff: with what has
                                changed in them
  tapline commit RUN            says what it would commit of that, on a new branch or that of a work tree of the run,
                                and asks
  tapline pull-request RUN      says which branch of it it would push where, and what it would open with gh, and asks
  tapline try ENTRY [JOB]       what a job of this file would do, with a script in place of its models: nothing is run,
                                no portal is needed, and all tasks succeed but those of --fail
  tapline dev PROVIDER.mjs      runs your provider with a gateway and a demo session; you call its tools by hand, and it
                                is started again when you save it

  --folder PATH                 run, job, try: where the work is done (the current folder)
  --input TEXT                  run, job, retry, try: what “$user-input” stands for
  --fail TASK[:N]               try: this task fails, or so many of its rounds from the first one on; more than one
                                may be given; of a task that is a condition it is the answer no
  --unavailable TASK[:N]        try: the condition of its availability is answered with no, as often
  --prompt FILE                 retry: what the step is told, instead of the prompt of its task
  --edit STEP                   retry: --input and --prompt are for this step, and not for that of --from
  --model ID                    run: the model of the session (the first one of the portal)
  --keep                        run: keep the session at the end
  --detach                      run, job, continue, retry: do not wait
  --not-before TIME             job: it is queued until then: 22:30, which is today or tomorrow, or 2026-11-28T06:00
  --loop-cap N                  continue, retry, try: how often a loop may go round before it fails the job
  --approve REVISION            answer: approve exactly what was shown with this revision; for a question with
                                --answers, for a failed turn it means that you have seen it
  --deny                        answer: deny it, or decline the question
  --option ID                   answer: one of the options that are shown
  --reason TEXT                 answer: why it is denied, for the model
  --answers JSON                answer: answers by the ids of the questions
  --yes                         commit, pull-request: do it, and do not ask
  --branch NAME                 commit: another new branch; pull-request: another one of the run
  --message TEXT                commit: another message
  --worktree ID                 commit: in which work tree of the run, where there are several
  --remote NAME                 pull-request: another remote than “origin”
  --into BRANCH                 pull-request: another one than the portal suggests, as are --title and --body
  --push-only                   pull-request: opens none; with --yes it is needed where gh cannot open one
  --json                        JSON lines on stdout
  --data FOLDER                 the portal that runs with this data; without it, your usual one
  --url URL, --token TOKEN      another one; TAPLINE_PORTAL_URL and TAPLINE_PORTAL_TOKEN do the same, and keep
                                the token out of the list of processes
  --help

Without a terminal nothing is asked: “answer” needs --approve or --deny, “commit” and “pull-request” need --yes; with
--json and without --yes these two tell what they would do, and do nothing. Ctrl+C stops waiting, and not the work.

Exit codes: 0 done; 1 the work has failed, or was stopped or paused, you have said no, or something unexpected happened;
2 the arguments make no sense, or a person is needed; 3 the portal has refused it, or it does not wait any more; 4 no
portal answers, or it does not know the token; 130 Ctrl+C.
`;

const interrupted = new AbortController();
let goesOn = 'nothing was started or answered';

async function main(): Promise<ExitCode> {
  const { values, positionals } = commandLine(process.argv.slice(2));
  const [command, name] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(HELP);
    return command === undefined && !values.help ? exitCodes.usage : exitCodes.done;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort());
  const { signal } = interrupted;
  const output = processOutput(values.json);
  // The folder of data is that of the portal, and not where the work is done.
  const client = () => new PortalClient(findPortal(values, process.env), signal);
  const run = (what: string): RunOptions => {
    if (name === undefined) throw new CliError(exitCodes.usage, `Name the ${what}: tapline ${command} NAME.`);
    const { folder, input, model, keep, detach, 'not-before': given } = values;
    const notBefore = given === undefined ? undefined : pointInTime(given, Date.now());
    if (given !== undefined && notBefore === undefined)
      throw new CliError(exitCodes.usage, `--not-before must be a time such as 22:30 or 2026-11-28T06:00, not “${given}”.`);
    return { name, folder, input, model, keep, detach, notBefore };
  };
  const onStarted = (what: string) => (goesOn = what);
  const named = () => {
    if (name === undefined) throw new CliError(exitCodes.usage, `Name the run: tapline ${command} RUN.`);
    return name;
  };
  const ofStep = (rest: string) => {
    const step = positionals[2];
    if (step === undefined) throw new CliError(exitCodes.usage, `Name the run and the step: tapline ${command} RUN ${rest}.`);
    return step;
  };
  const loopCap = () => {
    try {
      return wholeNumber('--loop-cap', values['loop-cap'], 1_000_000);
    } catch (error) {
      throw new CliError(exitCodes.usage, messageOf(error));
    }
  };
  const consent = () => ({ yes: values.yes, isTerminal: Boolean(process.stdin.isTTY && process.stdout.isTTY), signal });
  switch (command) {
    case 'ps':
      return ps(client(), output, values.all);
    case 'run':
      return runTask(client(), output, run('task'), onStarted);
    case 'job':
      return runJob(client(), output, run('job'), onStarted);
    case 'answer': {
      const { approve, deny, option, reason, answers } = values;
      if (approve !== undefined && deny) throw new CliError(exitCodes.usage, '--approve and --deny do not go together.');
      onStarted('what you have not answered still waits');
      const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
      return answer(client(), output, { id: name, approve, deny, option, reason, answers }, { isTerminal, signal });
    }
    case 'tasks':
      return listTasks(client(), output);
    case 'jobs':
      return listJobs(client(), output);
    case 'show':
      return show(client(), output, named());
    case 'result':
      onStarted('nothing was changed');
      return showResult(client(), output, named(), values.diff);
    case 'commit': {
      const { branch, message, worktree } = values;
      onStarted('whether it was committed, “tapline result” and Git say');
      return commitResult(client(), output, named(), { branch, message, worktree }, consent());
    }
    case 'pull-request': {
      const { branch, remote, into, title, body, 'push-only': pushOnly } = values;
      onStarted('what was pushed until then stays');
      return requestPull(client(), output, named(), { branch, remote, into, title, body, pushOnly }, consent());
    }
    case 'logs':
      onStarted('the run goes on');
      return logs(client(), output, named(), values.follow);
    case 'stop':
      return stopRun(client(), output, named());
    case 'continue':
    case 'retry': {
      if ((command === 'retry') !== (values.from !== undefined))
        throw new CliError(exitCodes.usage, 'Name a step: tapline retry RUN --from STEP. Without one: tapline continue RUN.');
      const { from, edit: step, input: userInput, prompt: promptFile, detach } = values;
      const isEdited = userInput !== undefined || promptFile !== undefined;
      if ((isEdited || step !== undefined) && command === 'continue')
        throw new CliError(exitCodes.usage, '--input, --prompt and --edit change a step: tapline retry RUN --from STEP.');
      if (step !== undefined && !isEdited) throw new CliError(exitCodes.usage, '--edit needs --input TEXT or --prompt FILE.');
      return continueRun(client(), output, named(), { from, edit: { step, userInput, promptFile }, loopCap: loopCap(), detach }, onStarted);
    }
    case 'pause':
      return pauseRun(client(), output, named());
    case 'skip':
      return skipStep(client(), output, named(), ofStep('STEP'));
    case 'steer': {
      const step = ofStep('STEP TEXT');
      const text = positionals[3];
      if (text === undefined || text.trim() === '')
        throw new CliError(exitCodes.usage, 'Say what to tell the agent: tapline steer RUN STEP TEXT.');
      return steerStep(client(), output, named(), step, text);
    }
    case 'try': {
      if (name === undefined) throw new CliError(exitCodes.usage, 'Name the file with jobs: tapline try ENTRY JOB.');
      const { fail = [], unavailable = [], folder, input } = values;
      return tryEntry(output, { file: name, job: positionals[2], fail, unavailable, folder, input, loopCap: loopCap() });
    }
    case 'dev':
      if (name === undefined) throw new CliError(exitCodes.usage, 'Name your provider: tapline dev provider.mjs');
      return dev(output, name, signal);
    default:
      throw new CliError(exitCodes.usage, `There is no command “${command}”: tapline --help has them all.`);
  }
}

function end(code: ExitCode): void {
  process.exitCode = code;
}

main().then(end, (error: unknown) => {
  if (interrupted.signal.aborted) {
    process.stderr.write(`\nStopped waiting: ${visiblePlain(goesOn)}.\n`);
    end(exitCodes.interrupted);
    return;
  }
  process.stderr.write(`${visiblePlain(messageOf(error))}\n`);
  if (error instanceof CliError) end(error.code);
  else end(error instanceof UserError ? exitCodes.notRunning : exitCodes.failed);
});
