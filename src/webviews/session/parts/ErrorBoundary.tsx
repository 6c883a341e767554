/** Contains an error of one row, so that the rest of the page is rendered. A host may send anything. */
import { messageOf } from '../../../base/errors.ts';
import { Component, type ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

interface ErrorBoundaryProps {
  what: string;
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
        <span class="row-text">
          This {what} could not be shown: {failure.message}
        </span>
      </div>
    );
  }
}
