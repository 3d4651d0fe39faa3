"""Where weights get their first values and where data come from: lines that findings about them point at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from .holders import written_at
from .names import Names
from .patching import wrap
from .session import Session

NAMES = ("uniform_", "normal_", "trunc_normal_", "constant_", "ones_", "zeros_", "eye_", "xavier_uniform_",
         "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_")  # fmt: skip
BY_HAND = r"\.(fill_|normal_|uniform_|zero_|copy_|mul_)\(|torch\.(randn?|zeros|ones|full|empty)\([^)]*\)\s*\*"
READ = (
    r"^(?!\s*def )(?=.*(np\.load\(|loadtxt\(|genfromtxt\(|fromfile\(|memmap\("
    r"|read_(csv|table|parquet|excel|feather|image)\(|csv\.(Dict)?[rR]eader\())"
    r"|^(?!.*(json|conf|cfg|toml)).*\.read_text\("
)
FETCHED = (
    r"^(?!\s*def )(?!.*(conf|cfg|setting|param|option)).*(torch\.load\(|\bload_\w+\(|\bmake_\w+\(|json\.load)"
)
WEIGHTS = r"(freq|count|share)\w*\s*[*/].*sum\(|\bweights?\s*=.*(freq|count|share)"
MADE = r"from_numpy\(|torch\.tensor\("
NO_ACTIVATION = r"(\.get|getattr)\(.*\bIdentity\b"
CLIP = r"^(?!\s*def ).*\b\w*clip\w*\(.*(param|grad|model|net|named)"
LOSS = r"\*\*\s*2|\.pow\(2|\.square\(|\.abs\(\)\.(mean|sum)"
ROLES = {
    "init_by_hand": (BY_HAND,),
    "class_weights": (WEIGHTS,),
    "clip_by_hand": (CLIP,),
    "read": (READ,),
    "data": (READ, FETCHED, MADE),
    "loss_by_hand": (LOSS,),
    "no_activation": (NO_ACTIVATION,),
}
MOST = 200


class Beginnings:
    """Notes lines in the roles ``init`` (calls of torch's init functions from the user's code), ``init_by_hand`` (what
    sets values), ``class_weights`` (weights from counts), ``clip_by_hand`` (a call that is named so), ``loss_by_hand``
    (a squared or absolute difference), ``read`` (the first line that reads a file of numbers or text), ``data`` (the
    same, else what fetches or makes data) and ``no_activation`` (a look-up of activations by name that answers unknown
    names with the identity).
    """

    def __init__(self, session: Session, names: Names) -> None:
        self.s, self.names = session, names
        self._count = 0

    def install(self) -> None:
        for name in NAMES:
            wrap(nn.init, name, self._wrap)
        self.s.on_stop.append(self._note)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def fill(*args: Any, **kwargs: Any) -> Any:
            if self._count >= MOST or not self.s.here():
                self.names.all_drawn = False
                return original(*args, **kwargs)
            self._count += 1
            if self.s.steps == 0:
                self.s.safely(self._own, args[0] if args else kwargs.get("tensor"))
            filled = original(*args, **kwargs)
            self.s.safely(self.names.draw, filled)
            return filled

        return fill

    def _own(self, tensor: Any) -> None:
        place = self.s.sites.calling()  # torch's layers call the same functions when they are made
        if place is not None:
            self.names.initialised[id(tensor)] = self.s.place("init", place)

    def _note(self) -> None:
        for role, patterns in ROLES.items():  # the more telling pattern first
            place = written_at(self.s.sites, *patterns)
            if place is not None:
                self.s.place(role, place)
