import pytest

from playout.core.errors import UsageError
from playout.learning.config import Network, TrainConfig, read_config, read_network


def test_every_key_has_a_default_that_may_be_written():
    assert read_config(None) == TrainConfig()
    assert TrainConfig().shape("onnx").blocks > 0
    assert TrainConfig().shape("native").blocks == 0


def test_a_file_says_what_differs(tmp_path):
    path = tmp_path / "train.toml"
    path.write_text(
        'network = "residual: 4 blocks, 64 channels"\nsimulations = 64\n'
        'opponents = ["random"]\n'
    )
    config = read_config(str(path))
    assert config.shape("onnx") == Network(4, (64,))
    assert (config.simulations, config.opponents) == (64, ("random",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("simulation = 3", "unknown key 'simulation', did you mean simulations?"),
        ('simulations = "3"', "simulations must be a whole number, not '3'"),
        ("simulations = 1", "simulations must be at least 2, not 1"),
        ("value_mix = 1.5", "value_mix must be 0 to 1, not 1.5"),
        ("end_factor = 2.0", "end_factor must be 0 to 1, not 2.0"),
        ("seed = -1", "seed must be at least 0, not -1"),
        ("passes = 0.0", "passes must be above 0"),
        ("learning_rate = nan", "learning_rate must be above 0"),
        ("learning_rate = 1e300", "learning_rate=1e+300 is more than 1"),
        ("weight_decay = 1e300", "weight_decay must be 0 to 1, not 1e+300"),
        ('opponents = "random"', "opponents must be a list, not 'random'"),
        ("opponents = [3]", "opponents must be a tuple in which each is a text"),
        ('network = "big"', "network = 'big' must be like"),
        ('network = "dense: 5000"', "1 to 4096 wide"),
        ('network = "residual: 0 blocks, 8 channels"', "1 to 100 blocks"),
        ("simulations = ", "this is not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path, line, said):
    path = tmp_path / "train.toml"
    path.write_text(line)
    with pytest.raises(UsageError) as caught:
        read_config(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_a_native_network_is_dense():
    config = TrainConfig(network="residual: 2 blocks, 8 channels")
    with pytest.raises(UsageError, match="a native network is dense"):
        config.shape("native")


def test_one_block_is_singular():
    assert read_network("residual: 1 block, 1 channel") == Network(1, (1,))
