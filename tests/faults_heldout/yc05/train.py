from pathlib import Path

import torch

from minilm import Engine, build_model, load_settings
from minilm.data import CharCorpus

HERE = Path(__file__).parent


def main():
    s = load_settings(HERE / "lm.yaml")
    torch.manual_seed(s["seed"])
    corpus = CharCorpus.from_file(HERE / s["data"]["path"], s["data"]["val_fraction"])
    model = build_model(len(corpus.chars), s["data"]["block"], s["model"])
    print(f"vocab {len(corpus.chars)}, train {len(corpus.train)} chars, params {model.num_parameters()}")
    engine = Engine(model, corpus, s)
    engine.run()
    prompt = "the "
    print(repr(engine.sample(prompt, 120)))


if __name__ == "__main__":
    main()
