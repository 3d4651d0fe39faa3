from transformers import BertConfig, BertLMHeadModel


def build_model(path, vocab):
    config = BertConfig.from_json_file(path)
    config.vocab_size = len(vocab)
    config.pad_token_id = vocab.pad_id
    return BertLMHeadModel(config)
