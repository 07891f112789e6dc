/**
 * Registers the service worker and tells what it keeps: `state` is 'keeping', 'ready', 'failed' or 'unsupported', with
 * `kept` and `of` as numbers of files. `update` is there when a newer version waits: it loads it, in every tab.
 */
export async function keepOffline(address, show) {
  const { serviceWorker } = navigator;
  let status = { state: 'keeping' };
  const set = (changes) => {
    status = { ...status, ...changes };
    show(status);
  };
  if (serviceWorker === undefined) return set({ state: 'unsupported' });

  serviceWorker.addEventListener('message', ({ data }) => {
    const { checked = false, kept, of } = data;
    // What an update keeps is not yet what this page has.
    if (checked) set({ state: kept === of ? 'ready' : 'failed', kept, of });
    else if (status.state === 'keeping') set({ kept, of });
  });
  let wasControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled) location.reload();
    wasControlled = true;
  });

  try {
    const registration = await serviceWorker.register(address, { updateViaCache: 'none' });
    const follow = (worker) => {
      const look = () => {
        const { active, waiting } = registration;
        if (worker.state === 'redundant' && active === null) set({ state: 'failed' });
        if (active?.state === 'activated') active.postMessage('check');
        if (waiting !== null && active !== null) set({ update: () => waiting.postMessage('take over') });
      };
      worker.addEventListener('statechange', look);
      look();
    };
    const { installing, waiting, active } = registration;
    const newest = installing ?? waiting ?? active;
    if (newest !== null) follow(newest);
    registration.addEventListener('updatefound', () => follow(registration.installing));
  } catch {
    set({ state: 'failed' });
  }
}
