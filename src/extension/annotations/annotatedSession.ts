/** The annotations of one session, as far as its host has any. */
import { follow, type Follower } from '../../ahp/client/model/follow.ts';
import type { ClientAction, ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { Dispatched } from '../../ahp/client/resources/subscription.ts';
import type { AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type AnnotationThreads, annotationThreads } from '../../views/annotations/annotationThreads.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';

const NONE: AnnotationThreads = { threads: [], omitted: 0 };

export class AnnotatedSession implements Disposable {
  readonly #store = new DisposableStore();
  readonly onDidChange: Event<void>;
  readonly #session: SessionModel;
  #last:
    { readonly state: AnnotationsState; readonly confirmed: AnnotationsState | undefined; readonly threads: AnnotationThreads } | undefined;
  readonly #annotations: Follower<ResourceModel<'annotations'>>;

  constructor(
    readonly ref: SessionRef,
    readonly host: RegisteredHost,
  ) {
    this.#session = this.#store.add(host.client.session(ref.uri));
    const named = () => this.#session.state?.annotations?.resource;
    this.#annotations = this.#store.add(follow(this.#session, named, (uri) => host.client.model('annotations', uri)));
    this.onDidChange = this.#annotations.onDidChange;
  }

  /** As the host has it. */
  get confirmed(): AnnotationsState | undefined {
    return this.#annotations.model?.confirmed;
  }

  /** As it is shown. Undefined where the session has none, or its host does not give them. */
  get state(): AnnotationsState | undefined {
    return this.#isThere ? this.#annotations.model?.state : undefined;
  }

  get threads(): AnnotationThreads {
    const { state, confirmed } = this;
    if (!state) return NONE;
    if (this.#last?.state !== state || this.#last.confirmed !== confirmed)
      this.#last = { state, confirmed, threads: annotationThreads(state, confirmed) };
    return this.#last.threads;
  }

  /** The session's folders, in the host's words. */
  get folders(): readonly URI[] {
    return this.#session.state?.workingDirectories ?? [];
  }

  /** False where there are none, and where the host takes no changes of them. */
  get takesComments(): boolean {
    return this.state !== undefined && this.host.readOnly === undefined && (this.#annotations.model?.can('annotations/set') ?? false);
  }

  /** Undefined where the session has no annotations any more. */
  perform(action: ClientAction): Dispatched | undefined {
    return this.takesComments ? this.#annotations.model?.perform(action) : undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #isThere(): boolean {
    const isKnown = ({ status }: Pick<SessionModel, 'status'>) => status.kind === 'live' || status.kind === 'stale';
    const { model } = this.#annotations;
    return model !== undefined && isKnown(this.#session) && isKnown(model);
  }
}
