import torch

from .nets import build_net

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def build_model(cfg, n_classes):
    model = build_net(cfg["model"], cfg["data"]["buckets"], n_classes)
    return model.to(DTYPES[cfg["trainer"].get("dtype", "float32")])


def build_optimizer(model, cfg):
    options = {k: v for k, v in cfg.items() if k != "kind"}
    kinds = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam, "sgd": torch.optim.SGD}
    return kinds[cfg["kind"]](model.parameters(), **options)
