"""How much LLVM optimises what is compiled."""

from __future__ import annotations

from llvmlite.binding import ModulePassManager, create_new_module_pass_manager
from numba import config

__all__ = ["LITTLE", "optimisation", "simplifying_passes"]

#: LLVM's level for what runs so shortly that compiling it takes longer.
LITTLE = 1


def optimisation(checked: bool) -> int:
    """LLVM's level for what is compiled now, 0 to 3.

    It is Numba's setting (NUMBA_OPT in the environment, else 3). Checked code runs for
    some milliseconds, so it is optimised only a little.
    """
    level = int(config.OPT)
    return min(level, LITTLE) if checked else level


def simplifying_passes() -> ModulePassManager:
    """What is done at level 0.

    It takes a seventh of level 1's time. What no pass has touched becomes machine code
    more slowly than what these leave.
    """
    manager = create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_ipsccp_pass()
    manager.add_dead_arg_elimination_pass()
    manager.add_instruction_combine_pass()
    manager.add_simplify_cfg_pass()
    manager.add_global_dead_code_eliminate_pass()
    return manager
