from pathlib import Path

import torch


def init_encoder(model, path):
    """Start the encoder from a self-supervised snapshot; the projector of that run is not needed here."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(path)
    snapshot = torch.load(path, map_location="cpu")
    state = {k: v for k, v in snapshot["state_dict"].items() if not k.startswith("projector.")}
    model.encoder.load_state_dict(state, strict=False)
    print(f"encoder initialised from {path.name} (epoch {snapshot['epoch']}, {len(state)} tensors)")
    return model
