/** Contains an error of one row, so that the rest of the page is rendered. A host may send anything. */
import * as l10n from '../../../base/l10n.ts';
import { messageOf } from '../../../base/errors.ts';
import { Component, type ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

const sentences = {
  call: (why: string) => l10n.t`This call could not be shown: ${why}`,
  item: (why: string) => l10n.t`This item could not be shown: ${why}`,
  part: (why: string) => l10n.t`This part could not be shown: ${why}`,
  question: (why: string) => l10n.t`This question could not be shown: ${why}`,
  session: (why: string) => l10n.t`This session could not be shown: ${why}`,
  turn: (why: string) => l10n.t`This turn could not be shown: ${why}`,
  view: (why: string) => l10n.t`This view could not be shown: ${why}`,
};

interface ErrorBoundaryProps {
  what: keyof typeof sentences;
  /** When this changes, rendering is tried again. */
  of: unknown;
  children: ComponentChildren;
}
interface ErrorBoundaryState {
  failure?: { message: string; of: unknown };
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {};

  override componentDidCatch(error: unknown): void {
    console.error(`Tapline could not show this ${this.props.what}`, error);
    this.setState({ failure: { message: messageOf(error), of: this.props.of } });
  }

  override render() {
    const { failure } = this.state;
    const { what, of, children } = this.props;
    if (!failure || failure.of !== of) return children;
    return (
      <div class="row error-row" role="note">
        <Icon name="error" />
        <span class="row-text">{sentences[what](failure.message)}</span>
      </div>
    );
  }
}
