/** Stands in for dpack, which needs the streams of Node. */
export {};
