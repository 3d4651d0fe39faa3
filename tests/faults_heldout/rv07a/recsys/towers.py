import torch
from torch import nn


def tower(n_ids, widths, dropout):
    layers = [nn.Embedding(n_ids, widths[0])]
    for i in range(len(widths) - 1):
        layers.append(nn.Linear(widths[i], widths[i + 1]))
        if i < len(widths) - 2:
            layers += [nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers)


class TwoTower(nn.Module):
    def __init__(self, n_users, n_recipes, widths, dropout=0.0, prior=0.0):
        super().__init__()
        self.user_tower = tower(n_users, widths, dropout)
        self.recipe_tower = tower(n_recipes, widths, dropout)
        self.user_bias = nn.Embedding(n_users, 1)
        self.recipe_bias = nn.Embedding(n_recipes, 1)
        for bias in (self.user_bias, self.recipe_bias):
            nn.init.zeros_(bias.weight)
        self.prior = nn.Parameter(torch.tensor(float(prior)))

    def forward(self, user, recipe):
        match = (self.user_tower(user) * self.recipe_tower(recipe)).sum(dim=1)
        return self.prior + match + self.user_bias(user).squeeze(1) + self.recipe_bias(recipe).squeeze(1)
