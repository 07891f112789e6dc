/** A compiled kernel module of `build/`, in Node and in a browser alike. */
export async function readBuild(name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof document === 'undefined') {
    const { readFileSync } = await import('node:fs');
    return new Uint8Array(readFileSync(new URL(`../build/${name}`, import.meta.url)));
  }
  const response = await fetch(`/build/${name}`);
  if (!response.ok) throw new Error(`build/${name} answered ${response.status}; run npm run asbuild`);
  return new Uint8Array(await response.arrayBuffer());
}
