from .convnet import ConvNet
from .mlp import MLP

_MODELS = {"convnet": ConvNet, "mlp": MLP}


def build_model(cfg):
    kwargs = dict(cfg)
    return _MODELS[kwargs.pop("name")](**kwargs)
