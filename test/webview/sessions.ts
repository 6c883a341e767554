/** Session states for the webview's tests. */
import type { RootState } from '../../src/ahp/v1/root.ts';
import type { ResponsePart, SessionState, Turn } from '../../src/ahp/v1/session.ts';
import type { ToolCallState } from '../../src/ahp/v1/toolCall.ts';

export const uri = 'copilot:/00000000-0000-4000-8000-000000000001';

export function session(fields: Partial<SessionState> = {}): SessionState {
  return {
    summary: {
      resource: uri,
      provider: 'copilot',
      title: 'Fix the login redirect',
      status: 1,
      createdAt: 1_795_000_000_000,
      modifiedAt: 1_795_000_000_000,
      workingDirectory: 'file:///home/ada/web-app',
      model: { id: 'gpt-5' },
    },
    lifecycle: 'ready',
    turns: [],
    ...fields,
  };
}

export const root: RootState = {
  agents: [
    {
      provider: 'copilot',
      displayName: 'Copilot CLI',
      description: '',
      models: [
        { id: 'gpt-5', provider: 'copilot', name: 'GPT-5' },
        { id: 'claude-sonnet-4.5', provider: 'copilot', name: 'Claude Sonnet 4.5' },
        { id: 'old', provider: 'copilot', name: 'Old', policyState: 'disabled' },
      ],
    },
  ],
};

/** The same host without one of its models or without all (`models`), and with the resources that could provide models. */
export function rootWithout(what: string): RootState {
  const protectedResources = [{ resource: 'https://api.github.com' }, { resource: 'https://tapline.invalid/models', required: false }];
  const agents = root.agents.map((agent) => ({
    ...agent,
    models: agent.models.filter(({ id }) => what !== 'models' && id !== what),
    protectedResources,
  }));
  return { agents };
}

let ids = 0;
export const markdown = (content: string): ResponsePart => ({ kind: 'markdown', id: `m${++ids}`, content });
export const reasoning = (content: string): ResponsePart => ({ kind: 'reasoning', id: `r${++ids}`, content });
export const toolCall = (call: ToolCallState): ResponsePart => ({ kind: 'toolCall', toolCall: call });
export const turn = (id: string, text: string, responseParts: ResponsePart[], fields: Partial<Turn> = {}): Turn => ({
  id,
  userMessage: { text },
  responseParts,
  state: 'complete',
  ...fields,
});

/** A session with an active turn that has these parts. */
export const active = (responseParts: ResponsePart[], fields: Partial<SessionState> = {}): SessionState =>
  session({ activeTurn: { id: 't', userMessage: { text: 'Go' }, responseParts }, ...fields });

type Call<S extends ToolCallState['status']> = Extract<ToolCallState, { status: S }>;

export function completed(id: string, fields: Partial<Call<'completed'>> = {}): Call<'completed'> {
  return {
    status: 'completed',
    toolCallId: id,
    toolName: 'bash',
    displayName: 'Bash',
    confirmed: 'not-needed',
    success: true,
    invocationMessage: { markdown: 'Running `npm test`' },
    pastTenseMessage: { markdown: 'Ran `npm test`' },
    toolInput: 'npm test',
    ...fields,
  };
}
export function waitingCall(id: string, fields: Partial<Call<'pending-confirmation'>> = {}): Call<'pending-confirmation'> {
  return {
    status: 'pending-confirmation',
    toolCallId: id,
    toolName: 'bash',
    displayName: 'Bash',
    invocationMessage: { markdown: 'Running `rm -rf build`' },
    confirmationTitle: 'Run in terminal',
    toolInput: 'rm -rf build && npm run build',
    _meta: { toolKind: 'terminal' },
    ...fields,
  };
}

export const runningCall = (id: string): ResponsePart =>
  toolCall({ ...waitingCall(id), status: 'running', confirmed: 'user-action' } as ToolCallState);

/** Tool calls of our host's Copilot agent that wait for approval, with their options. */
export function permissions(): Call<'pending-confirmation'>[] {
  const approve = (id: string, label: string) => ({ id, label, kind: 'approve' as const, group: 0 });
  const options = (...lasting: ReturnType<typeof approve>[]) => [
    approve('once', 'Allow once'),
    ...lasting,
    { id: 'deny', label: 'Deny', kind: 'deny' as const, group: 1 },
    { id: 'deny-stop', label: 'Deny and stop', kind: 'deny' as const, group: 1 },
  ];
  const file = 'file:///home/ada/web-app/src/auth.ts';
  return [
    waitingCall('write', {
      toolName: 'edit',
      displayName: 'Edit',
      _meta: { toolKind: 'edit' },
      confirmationTitle: { markdown: 'Change `src/auth.ts`?' },
      invocationMessage: { markdown: 'Edit `src/auth.ts`' },
      toolInput: '{"path":"src/auth.ts","old_str":"return redirect(target);","new_str":"return redirect(safe(target));"}',
      edits: {
        items: [
          {
            before: { uri: file, content: { uri: 'session-db://before' } },
            after: { uri: file, content: { uri: 'session-db://after' } },
            diff: { added: 3, removed: 1 },
          },
        ],
      },
      options: options(
        approve('session', 'Allow writing in the working directory in this session'),
        approve('folder', 'Allow writing in /home/ada/web-app/src in this session'),
      ),
    }),
    waitingCall('shell', {
      confirmationTitle: 'Run this command?',
      invocationMessage: { markdown: 'Run `npm test`' },
      toolInput: 'npm test -- --grep "afterLogin" && git push --force-with-lease origin fix/login-redirect',
      options: options(approve('session', 'Allow this command in this session')),
    }),
    waitingCall('url', {
      toolName: 'web_fetch',
      displayName: 'Fetch',
      _meta: { toolKind: 'fetch' },
      confirmationTitle: { markdown: 'Fetch `https://owasp.org/www-community/attacks/Unvalidated_Redirects?page=2`?' },
      invocationMessage: {
        markdown: 'Following `https://owasp.org/r/1` to `https://owasp.org/www-community/attacks/Unvalidated_Redirects?page=2`',
      },
      toolInput: '{"url":"https://owasp.org/www-community/attacks/Unvalidated_Redirects?page=2","max_length":5000}',
      options: options(approve('session', 'Allow https://owasp.org in this session')),
    }),
    waitingCall('read', {
      toolName: 'view',
      displayName: 'View',
      _meta: { toolKind: 'read' },
      confirmationTitle: { markdown: 'Read `/etc/ssl/openssl.cnf`, outside the working directory (`/usr/lib/ssl/openssl.cnf`)?' },
      invocationMessage: { markdown: 'Read `/etc/ssl/openssl.cnf`' },
      toolInput: '{"path":"/etc/ssl/openssl.cnf"}',
      options: options(
        approve('session', 'Allow reading this file in this session'),
        approve('folder', 'Allow reading in /usr/lib/ssl in this session'),
      ),
    }),
  ];
}

/** A session with everything that the view can show. */
export function richSession(): SessionState {
  return session({
    turns: [
      turn(
        't1',
        'The login page redirects to /home even when the user came from a deep link. Find out why and fix it.',
        [
          reasoning('The redirect is probably decided in `auth.ts`. Let me look at how `returnTo` is handled.'),
          markdown(
            'I looked at the redirect. The `returnTo` parameter is read **after** the session cookie is set, and by then the URL was already replaced:\n\n```ts\nexport function afterLogin(url: URL) {\n  const target = url.searchParams.get("returnTo") ?? "/home";\n  return redirect(target);\n}\n```\n\nTwo things follow:\n\n1. Read the parameter first\n2. Refuse targets on [another origin](https://owasp.org/open-redirect)\n',
          ),
          toolCall(
            completed('c1', {
              _meta: { toolKind: 'terminal' },
              success: false,
              content: [{ type: 'text', text: 'Exit code: 1\n\n  14 passing\n  1 failing\n\n  1) afterLogin keeps the deep link' }],
            }),
          ),
          toolCall(
            completed('c2', {
              toolName: 'edit',
              displayName: 'Edit',
              pastTenseMessage: 'Edited 2 files',
              toolInput: '{"path":"src/auth.ts"}',
              content: [
                {
                  type: 'fileEdit',
                  before: { uri: 'file:///home/ada/web-app/src/auth.ts', content: { uri: 'session-db://1/before' } },
                  after: { uri: 'file:///home/ada/web-app/src/auth.ts', content: { uri: 'session-db://1/after' } },
                  diff: { added: 12, removed: 4 },
                },
                {
                  type: 'fileEdit',
                  after: { uri: 'file:///home/ada/web-app/test/unit/afterLogin.test.ts', content: { uri: 'session-db://2/after' } },
                  diff: { added: 31 },
                },
              ],
            }),
          ),
          toolCall(
            completed('c3', {
              toolName: 'task',
              displayName: 'Task',
              pastTenseMessage: 'Asked a reviewer',
              content: [{ type: 'subagent', resource: `${uri}/subagent/c3`, title: 'Review the redirect', agentName: 'reviewer' }],
            }),
          ),
          { kind: 'holographic', beam: 7 } as unknown as ResponsePart,
          markdown('All tests pass now. The deep link survives the login.'),
        ],
        { usage: { inputTokens: 10_034, outputTokens: 842, model: 'gpt-5', cacheReadTokens: 512 } },
      ),
      turn('t2', 'Run it in production mode', [markdown('I will try.')], {
        state: 'error',
        error: { errorType: 'quota', message: 'The model refused: the quota of this month is used up.' },
      }),
    ],
  });
}
