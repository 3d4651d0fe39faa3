from pathlib import Path

import torch


def load_pretrained(model, path: Path):
    """Initialise from a pretraining checkpoint; the head is new for every task."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    state = {k: v for k, v in checkpoint["state_dict"].items() if not k.startswith("head.")}
    model.load_state_dict(state, strict=False)
    print(f"initialised from {path.name} (pretrained for {checkpoint['epochs']} epochs)")
    return model
