/** `shelfmark/answer`: answers with evidence, and what writes them. */
export { type Answer, type AnswerOptions, answer } from './answer.ts';
export { type Augmented, type AugmentOptions, augment } from './augment.ts';
export type { AnswerCitation } from './evidence.ts';
export { type ExtractiveOptions, extractive } from './extractive.ts';
export type { ChatMessage, Excerpt, Generate, Generated, GenerateRequest, Piece } from './generate.ts';
export { type OpenAIGeneratorOptions, openAIGenerator } from './openai.ts';
export {
  type PromptApi,
  type PromptApiGeneratorOptions,
  type PromptSession,
  promptApiGenerator,
} from './prompt-api.ts';
export {
  type GenerationPipeline,
  type TransformersGeneratorOptions,
  transformersGenerator,
} from './transformers.ts';
