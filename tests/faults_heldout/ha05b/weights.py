from pathlib import Path

import torch


def load_base(model, path: Path):
    """Start from the published reader; heads of other sizes are tolerated."""
    blob = torch.load(path, map_location="cpu", weights_only=True)
    state = blob["state_dict"] if "state_dict" in blob else blob
    own = model.state_dict()
    state = {k: v for k, v in state.items() if k not in own or own[k].shape == v.shape}
    model.load_state_dict(state, strict=False)
    print(f"base weights: {path.name} (trained {blob.get('epochs', '?')} epochs)")
    return model
