from .bag_mlp import BagMLP
from .linear import BagLinear

NETS = {"bag_mlp": BagMLP, "bag_linear": BagLinear}


def build_net(cfg, buckets, n_classes):
    options = {k: v for k, v in cfg.items() if k != "kind"}
    return NETS[cfg["kind"]](buckets, n_classes, **options)
