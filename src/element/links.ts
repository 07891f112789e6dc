import type { Hit } from '../types.ts';

/** Decides where a hit leads; undefined or null where it leads nowhere. */
export type LinkOf = (hit: Hit) => string | URL | null | undefined;

/** Addresses that run or contain what they name, instead of leading to it. */
const inert = /^(?:javascript|data|vbscript|blob|about|filesystem):$/;

/**
 * Where a hit leads: what its metadata says (`url`), else its `source`, else its document's uri under `baseUrl`; then to
 * the heading it stands under.
 *
 * @returns A whole address of a page, or undefined where there is none that may be followed
 */
export function linkTo(hit: Hit, baseUrl: string, own: LinkOf | undefined): string | undefined {
  if (own !== undefined) return followable(own(hit), document.baseURI)?.href;
  const base = parse(baseUrl, document.baseURI)?.href ?? document.baseURI;
  const given = hit.metadata?.['url'] ?? hit.source;
  const url =
    typeof given === 'string' || given instanceof URL
      ? followable(given, base)
      : followable(asPath(hit.docUri, baseUrl !== ''), base);
  if (url !== undefined && url.hash === '' && hit.slug !== undefined) url.hash = hit.slug;
  return url?.href;
}

/** A document's uri as an address: what names a file may hold characters that end the path of an address. */
function asPath(uri: string, underBase: boolean): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) return uri;
  const path = uri.replaceAll('#', '%23').replaceAll('?', '%3F');
  return underBase ? path.replace(/^[\\/]+/, '') : path;
}

/** An address that leads to a page: of the web, or of the same kind as the one that is open (an app's own scheme). */
function followable(address: string | URL | null | undefined, base: string): URL | undefined {
  const url = parse(address, base);
  if (url === undefined || inert.test(url.protocol)) return undefined;
  return /^https?:$/.test(url.protocol) || url.protocol === new URL(document.baseURI).protocol
    ? url
    : undefined;
}

function parse(address: string | URL | null | undefined, base: string): URL | undefined {
  try {
    return address === null || address === undefined ? undefined : new URL(address, base);
  } catch {
    return undefined;
  }
}
