import { Component, type ReactNode } from "react";
import { Failing } from "../parts/Failing";

/** A page that breaks leaves the rest of the dashboard standing. */
export class Fence extends Component<{ children: ReactNode }, { error?: unknown; at?: string }> {
  override state: { error?: unknown; at?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error, at: location.pathname };
  }

  override componentDidUpdate() {
    if (this.state.error !== undefined && this.state.at !== location.pathname) this.setState({ error: undefined, at: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Failing error={this.state.error} again={() => this.setState({ error: undefined, at: undefined })} />;
  }
}
