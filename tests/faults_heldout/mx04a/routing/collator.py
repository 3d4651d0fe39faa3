import torch


class RoutingCollator:
    def __init__(self, pad_id):
        self.pad_id = pad_id

    def __call__(self, items):
        longest = max(len(it["input_ids"]) for it in items)
        ids = torch.full((len(items), longest), self.pad_id)
        mask = torch.zeros(len(items), longest, dtype=torch.long)
        for row, it in enumerate(items):
            n = len(it["input_ids"])
            ids[row, :n] = torch.tensor(it["input_ids"])
            mask[row, :n] = 1
        labels = ids.masked_fill(mask == 0, -100)
        return {"input_ids": ids, "attention_mask": mask, "labels": labels}
