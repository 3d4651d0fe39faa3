import logging

import torch


def load_backbone(module, path):
    payload = torch.load(path, map_location="cpu", weights_only=True)
    state = {k.removeprefix("backbone."): v for k, v in payload["state"].items() if k.startswith("backbone.")}
    module.load_state_dict(state, strict=True)
    logging.info("backbone from %s (%d tensors, source accuracy %.3f)", path.name, len(state), payload["accuracy"])
