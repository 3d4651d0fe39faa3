from recsys.data import Ratings
from recsys.model import FactorModel
from recsys.engine import Engine
