"""Names of the package load on first use, and two threads may use one at the same time."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = f"""
import sys
sys.path[:0] = {sys.path!r}
import threading, time
from concurrent.futures import ThreadPoolExecutor
from importlib.abc import MetaPathFinder

class Slow(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "ptxgen.packages":
            begun.set()
            time.sleep(0.2)  # while the package of the function is half loaded

begun = threading.Event()
sys.meta_path.insert(0, Slow())
import ptxgen
assert "ptxgen.packages" not in sys.modules

def use(first):
    if not first:
        begun.wait()
    return ptxgen.parse(".version 8.3 .target sm_90").target

with ThreadPoolExecutor(2) as pool:
    print(*pool.map(use, (True, False)))
"""


def test_two_threads_use_a_name_first() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("sm_90 sm_90\n", "")
