/** Keeps one row that cannot be drawn (a host may send any shape) from taking the rest of the page with it. */
import { Component, type ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

interface ErrorBoundaryProps {
  what: string;
  /** Once this is another one, it is tried again. */
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
    this.setState({ failure: { message: error instanceof Error ? error.message : String(error), of: this.props.of } });
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
