/** Keeps one row that cannot be drawn (a host may send any shape) from taking the rest of the page with it. */
import { Component, type ComponentChildren } from 'preact';

export class ErrorBoundary extends Component<{ what: string; children: ComponentChildren }, { message?: string }> {
  override state: { message?: string } = {};

  static override getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(`Tapline could not show ${this.props.what}`, error);
  }

  override render() {
    if (this.state.message === undefined) return this.props.children;
    return (
      <div class="row error-row" role="note">
        <span class="codicon codicon-error" aria-hidden="true" />
        <span>
          This {this.props.what} could not be shown: {this.state.message}
        </span>
      </div>
    );
  }
}
