/** What is kept of the site; see `offline.js`, which docs/offline.md shows as it stands. */
export interface OfflineStatus {
  state: 'keeping' | 'ready' | 'failed' | 'unsupported';
  /** Files kept so far. */
  kept?: number;
  of?: number;
  /** Loads the version that waits. */
  update?: () => void;
}

export function keepOffline(address: string | URL, show: (status: OfflineStatus) => void): Promise<void>;
