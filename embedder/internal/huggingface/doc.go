// Package huggingface reads the tokenizer.json of a model and splits texts into
// the tokens that the model itself would see: byte-pair encodings (GPT-2, Llama,
// Qwen, Gemma, ModernBERT) and Unigram (XLM-RoBERTa, T5 and what was made of them,
// among others bge-m3 and the multilingual E5).
//
// Such a file is a pipeline. Added tokens are cut out of the text; what is between
// them is normalised (Unicode forms, replacements), split into words by the
// pre-tokenizer, and each word is split into tokens by the model. Every stage keeps
// for each byte which byte of the text it came from.
//
// A count is only worth something if it is the model's, so a part of a file that is
// not known here, down to a single field, is an error that names it.
//
// The reference is the library tokenizers of Hugging Face in Rust, oddities
// included; testdata has texts with the tokens that it made of them.
package huggingface
