export const engineRows = [];
