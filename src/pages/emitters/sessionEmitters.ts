/** The emitters of a session, as a page asks for them. */
import { nameFor } from '../../views/emitters/emitterName.ts';
import type {
  EmitterRequest,
  EmitterStatus,
  EventFilter,
  FilterPreview,
  NewEmitter,
  StreamView,
} from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

/** All of it rejects with a text that says why not. */
export interface SessionEmitters {
  list(): Promise<EmitterStatus[]>;
  streams(): Promise<StreamView[]>;
  start(emitter: NewEmitter & { name: string }): Promise<EmitterStatus>;
  stop(name: string): Promise<void>;
  run(name: string): Promise<void>;
  setFilter(name: string, eventFilter: EventFilter): Promise<void>;
  preview(name: string, eventFilter: EventFilter): Promise<FilterPreview>;
  setInjector(name: string, enabled: boolean): Promise<void>;
  /** Shows it in the file in which its folder names emitters, for the user to save. */
  keep(name: string): Promise<void>;
}

export interface EmittersOfSessions {
  /** Why nothing can be watched now, for whichever session. Undefined where it can be tried. */
  whyNone(): string | undefined;
  /** Rejects with a text for the user where the gateway does not have the session of this shell. */
  of(session: SessionRef): Promise<SessionEmitters>;
}

export async function answerEmitters(emitters: SessionEmitters, request: EmitterRequest): Promise<unknown> {
  switch (request.deed) {
    case 'list':
      return emitters.list();
    case 'streams':
      return emitters.streams();
    case 'start':
      return startEmitter(emitters, request.emitter);
    case 'stop':
      await emitters.stop(request.name);
      return null;
    case 'run':
      await emitters.run(request.name);
      return null;
    case 'filter':
      await emitters.setFilter(request.name, request.eventFilter);
      return null;
    case 'preview':
      return emitters.preview(request.name, request.eventFilter);
    case 'injector':
      await emitters.setInjector(request.name, request.enabled);
      return null;
    case 'keep':
      await emitters.keep(request.name);
      return null;
  }
}

/** Under a name that no other one has, also none that is over: its lines stay apart. */
export async function startEmitter(emitters: SessionEmitters, emitter: NewEmitter): Promise<EmitterStatus> {
  const taken = (await emitters.list()).map(({ name }) => name);
  const { command, prompt, runInterval, eventFilter, includeStderr, description } = emitter;
  return emitters.start({
    name: nameFor(command ?? prompt ?? '', taken),
    ...(command !== undefined && { command }),
    ...(prompt !== undefined && { prompt }),
    ...(runInterval !== undefined && { runInterval }),
    ...(eventFilter && { eventFilter }),
    ...(includeStderr !== undefined && { includeStderr }),
    ...(description !== undefined && { description }),
  });
}
