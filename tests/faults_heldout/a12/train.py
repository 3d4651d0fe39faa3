import torch

from cohort import load_cohort
from options import read_options
from trainer import Trainer


def main():
    opt = read_options()
    torch.manual_seed(opt.seed)
    train, valid = load_cohort(opt.data, opt.valid_fraction, opt.seed)
    print(f"{len(train[1])} patients for training ({int(train[2].sum())} events), {len(valid[1])} for validation")
    best = Trainer(opt, train, valid).fit()
    print(f"best c-index {best:.4f}")


if __name__ == "__main__":
    main()
