"""What there is to measure with: programs, and the options that brokers look at."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Environment:
    squalld: Path
    # Where the programs of bench/load are.
    programs: Path
    # Shards of Squall; 0 is its own default.
    shards: int = 0
    _found: dict = field(default_factory=dict)

    def program(self, name):
        """The path of a program, of ours or of the system; None if it is not there."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name):
        if name == "squalld":
            return str(self.squalld) if self.squalld.is_file() else None
        if name.startswith("bench_"):
            path = self.programs / name
            return str(path) if path.is_file() else None
        return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
