import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

import synthetic  # noqa: E402

from rntrajrec.data import DataSet  # noqa: E402


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> DataSet:
    return DataSet(synthetic.write(tmp_path_factory.mktemp("data")))
