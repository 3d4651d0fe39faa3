from .transformer import CharTransformer


def build_model(vocab_size, context, cfg):
    return CharTransformer(vocab_size, context, **cfg)
