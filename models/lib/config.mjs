/** The JSON files that stand beside the graph. */

/** Rows 0 to 3. All are zero, so that none of them moves a vector. */
export const specialTokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Tokens of a text that are read; it bounds memory, the model itself knows no window. */
const maxTokens = 2048;

/**
 * Lower case, accents off, runs of ASCII letters and digits; everything else is dropped. A word that isn't in
 * the vocabulary is `[UNK]`, since no continuing (`##`) pieces are listed. `[CLS]` and `[SEP]` are there
 * so that no text, not even an empty one, is a tensor of no tokens.
 */
function tokenizer(vocabulary) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: false,
      handle_chinese_chars: false,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'Split', pattern: { Regex: '[a-z0-9]+' }, behavior: 'Removed', invert: true },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 40,
      vocab: Object.fromEntries([...specialTokens, ...vocabulary].map((token, id) => [token, id])),
    },
  };
}

/** Name and content of each JSON file of the model. */
export function jsonFiles(vocabulary, size) {
  const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'config.json': pretty({
      architectures: ['BertModel'],
      model_type: 'bert',
      hidden_size: size,
      max_position_embeddings: maxTokens,
      pad_token_id: 0,
      vocab_size: specialTokens.length + vocabulary.length,
    }),
    'tokenizer_config.json': pretty({
      tokenizer_class: 'BertTokenizer',
      do_lower_case: true,
      model_max_length: maxTokens,
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      cls_token: '[CLS]',
      sep_token: '[SEP]',
    }),
    'modules.json': pretty([
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
      { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
    ]),
    '1_Pooling/config.json': pretty({
      word_embedding_dimension: size,
      pooling_mode_cls_token: false,
      pooling_mode_mean_tokens: true,
      pooling_mode_max_tokens: false,
      pooling_mode_mean_sqrt_len_tokens: false,
    }),
    // One line: it is 0.9 MB as it is.
    'tokenizer.json': `${JSON.stringify(tokenizer(vocabulary))}\n`,
  };
}
