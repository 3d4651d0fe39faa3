"""Spoken clock times -> digital notation, e.g. 'twenty past nine in the evening' -> '21:20'."""
from tokenizers import Tokenizer, models, pre_tokenizers
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

SPECIAL = ["<pad>", "</s>", "<unk>"]


def read_pairs(path):
    with open(path) as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def word_tokenizer(pairs):
    vocab = SPECIAL + sorted({w for s, t in pairs for w in s.split() + list(t)})
    tok = Tokenizer(models.WordLevel({t: i for i, t in enumerate(vocab)}, unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("isolated"),
        pre_tokenizers.Digits(individual_digits=True)])
    tok.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
