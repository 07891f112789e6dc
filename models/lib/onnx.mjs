/**
 * Writes the one ONNX graph this model needs:
 *
 *   input_ids ─┬─ Gather(codes, int8) ── Cast(float) ─┐
 *              └─ Gather(scales, float) ──────────────┴─ Mul ── last_hidden_state
 *
 * An ONNX file is a protocol buffer: fields of (number, wire type, value). Field numbers are those of
 * onnx.proto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */

const INT8 = 3;
const INT64 = 7;
const FLOAT = 1;

function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

const int = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);

function bytes(field, value) {
  const body = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
}

const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

/** TensorProto: dims 1, data_type 2, name 8, raw_data 9 (little-endian). */
const tensor = (name, type, dims, array) =>
  message(
    5,
    ...dims.map((dim) => int(1, dim)),
    int(2, type),
    bytes(8, name),
    bytes(9, Buffer.from(array.buffer, array.byteOffset, array.byteLength)),
  );

/** NodeProto: input 1, output 2, name 3, op_type 4, attribute 5. */
const node = (type, inputs, output, ...attributes) =>
  message(
    1,
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(3, output),
    bytes(4, type),
    ...attributes,
  );

/** AttributeProto of an integer: name 1, i 3, type 20 (INT = 2). */
const attribute = (name, value) => message(5, bytes(1, name), int(3, value), int(20, 2));

/** ValueInfoProto: name 1, type 2 → tensor_type 1 → elem_type 1, shape 2 → dim 1 → dim_value 1 or dim_param 2. */
const value = (field, name, type, dims) =>
  message(
    field,
    bytes(1, name),
    message(
      2,
      message(
        1,
        int(1, type),
        message(2, ...dims.map((dim) => message(1, typeof dim === 'number' ? int(1, dim) : bytes(2, dim)))),
      ),
    ),
  );

/** The model file for a table of `codes` (int8, rows × size) and `scales` (f32, one a row). */
export function gatherModel({ codes, scales, size }) {
  const rows = scales.length;
  const graph = message(
    7,
    node('Gather', ['codes', 'input_ids'], 'code_rows', attribute('axis', 0)),
    node('Cast', ['code_rows'], 'float_rows', attribute('to', FLOAT)),
    node('Gather', ['scales', 'input_ids'], 'scale_rows', attribute('axis', 0)),
    node('Mul', ['float_rows', 'scale_rows'], 'last_hidden_state'),
    bytes(2, 'glove-static'),
    tensor('codes', INT8, [rows, size], codes),
    tensor('scales', FLOAT, [rows, 1], scales),
    value(11, 'input_ids', INT64, ['batch', 'tokens']),
    value(12, 'last_hidden_state', FLOAT, ['batch', 'tokens', size]),
  );
  // ModelProto: ir_version 1, producer_name 2, graph 7, opset_import 8 → version 2. Opset 13 is old enough
  // for every ONNX Runtime that transformers.js has shipped.
  return Buffer.concat([int(1, 7), bytes(2, 'shelfmark'), graph, message(8, int(2, 13))]);
}
