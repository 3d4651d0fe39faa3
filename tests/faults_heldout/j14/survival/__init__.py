from .data import load_cohort
from .loss import hazard_nll
from .net import HazardNet
