from torch import nn

from .heads import MultiLabelHead, SingleLabelHead

HEADS = {"single": SingleLabelHead, "multi": MultiLabelHead}


class BagTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, dim=48, head="multi"):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab_size, dim, mode="mean", padding_idx=0)
        self.head = HEADS[head](dim, n_tags)

    def forward(self, ids):
        return self.head(self.bag(ids))
