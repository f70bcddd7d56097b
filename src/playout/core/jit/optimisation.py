"""How much LLVM optimises what is compiled."""

from __future__ import annotations

from llvmlite.binding import ModulePassManager, create_new_module_pass_manager
from numba import config

__all__ = ["LITTLE", "optimisation", "simplifying_passes"]

#: LLVM's level, and those below, at which compiling counts more than running does.
LITTLE = 0


def optimisation(checked: bool) -> int:
    """LLVM's level for what is compiled now, 0 to 3.

    It is Numba's setting (NUMBA_OPT in the environment, else 3). Checked code runs for
    some milliseconds, so it is only simplified.
    """
    level = int(config.OPT)
    return min(level, LITTLE) if checked else level


def simplifying_passes() -> ModulePassManager:
    """What is done at level 0.

    It takes a seventh of level 1's time, and what it leaves becomes machine code in
    less time than what no pass has touched.
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
