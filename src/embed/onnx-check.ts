/**
 * Says what is wrong with an ONNX file, or nothing. An ONNX file is a protocol buffer: fields one after the
 * other, each with its length. They must end exactly where the file ends, so a file that was cut off is known
 * without the runtime. That matters: a session that fails to start can leave the runtime unusable until the
 * page is loaded again (transformers.js 4 chains every start onto the last one).
 */
export function onnxFault(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'is empty';
  let at = 0;
  let graph = false;

  /** A base-128 number; its end is marked by a byte below 128. NaN where it doesn't end. */
  function varint(): number {
    let value = 0;
    for (let power = 1; at < bytes.length; power *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * power;
      if (byte < 128) return value;
    }
    return Number.NaN;
  }

  while (at < bytes.length) {
    const key = varint();
    const [field, type] = [Math.floor(key / 8), key % 8];
    if (type === 0) {
      if (Number.isNaN(varint())) return cutOff(bytes);
    } else if (type === 2) {
      const length = varint();
      at += length;
      if (field === 7) graph = true;
    } else if (type === 1 || type === 5) {
      at += type === 1 ? 8 : 4;
    } else {
      return graph ? cutOff(bytes) : 'is no ONNX file';
    }
    if (field === 0) return 'is no ONNX file';
    if (!(at <= bytes.length)) return graph || field < 30 ? cutOff(bytes) : 'is no ONNX file';
  }
  return graph ? undefined : 'is no ONNX file: it holds no graph';
}

const cutOff = (bytes: Uint8Array): string => `is cut off or damaged: it ends after ${bytes.length} bytes`;
