// What the client imports for collections that are given texts, in vain here.
export class DefaultEmbeddingFunction {}
