/** Whether all are finite. Several times as fast as asking each: nought times anything else is no nought. */
export function isFinite32(values: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * 0;
  return sum === 0;
}
