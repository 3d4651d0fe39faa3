from torch import nn

LOSSES = {
    "bce": nn.BCEWithLogitsLoss,
    "soft_margin": nn.MultiLabelSoftMarginLoss,
    "cross_entropy": nn.CrossEntropyLoss,
}


def make_loss(name, **options):
    return LOSSES[name](**options)
