from pathlib import Path

import torch
import yaml

from corpus import load
from net import CharGRU
from trainer import BestWeights, EarlyStop, fit
from trainer.loop import evaluate

HERE = Path(__file__).resolve().parent


def main():
    cfg = yaml.safe_load((HERE / "config.yaml").read_text())
    torch.manual_seed(cfg["fit"]["seed"])
    torch.set_num_threads(1)

    data, alphabet, regions = load(HERE / "names")
    model = CharGRU(len(alphabet), len(regions), **cfg["model"])
    optimizer = torch.optim.RMSprop(model.parameters(), lr=cfg["fit"]["lr"])
    print(f"{len(data['train'])} names, {len(regions)} regions, {len(alphabet)} symbols")

    keeper = BestWeights()
    best = fit(model, optimizer, data["train"], data["valid"], cfg["fit"], EarlyStop(**cfg["early_stop"]), keeper)
    result = evaluate(model, data["test"])
    print(f"test with the weights of epoch {best}: " + ", ".join(f"{k} {v:.4f}" for k, v in result.items()))


if __name__ == "__main__":
    main()
