/** Most files taken from folders at once. */
const mostFiles = 2000;

/** A file, and its path within the folder it came in, or its name. */
export interface Found {
  path: string;
  file: File;
}

const skipped = /^(\.|node_modules$)/;

/** The entries of a drop. They have to be asked for while the event lasts. */
export const entriesOf = (transfer: DataTransfer): FileSystemEntry[] =>
  [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ? [entry] : [];
  });

/** All files under entries, folders walked, hidden ones and `node_modules` left out, in the order of their paths. */
export async function filesUnder(entries: readonly FileSystemEntry[]): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = [...entries].reverse();
  while (waiting.length > 0 && found.length < mostFiles) {
    const entry = waiting.pop()!;
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      ).catch(() => undefined);
      if (file) found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    } else {
      const inside = await childrenOf(entry as FileSystemDirectoryEntry);
      waiting.push(
        ...inside.filter(({ name }) => !skipped.test(name)).sort((a, b) => (a.name < b.name ? 1 : -1)),
      );
    }
  }
  return found;
}

/** A folder is read in parts, until one is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    ).catch(() => []);
    if (part.length === 0) return all;
    all.push(...part);
  }
}

/** Files of a picker: of a chosen folder under their paths, hidden ones left out. */
export const pickedFiles = (files: readonly File[]): Found[] =>
  files
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) =>
      path
        .split('/')
        .slice(1)
        .every((name) => !skipped.test(name)),
    )
    .slice(0, mostFiles);
