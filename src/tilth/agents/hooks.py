"""The files and folders that hooks share with the rest of Tilth."""

from pathlib import Path
from typing import Self

from tilth.agents.codex_rollouts import Rollouts
from tilth.agents.hook_record import HookRecord
from tilth.agents.injections import Injections
from tilth.agents.read_record import parse_items
from tilth.agents.receipt_folder import ReceiptFolder
from tilth.agents.spool import SpoolFolder
from tilth.agents.state_folder import StateFolder
from tilth.core.clock import Ids
from tilth.core.dataclass import dataclass
from tilth.core.io.atomic_file import Disk
from tilth.transfer.model import Item


@dataclass(frozen=True, slots=True)
class Hooks:
    """The spool and what reads it, the state that hooks look at, and where hosts are set up."""

    spool: SpoolFolder
    state: StateFolder
    injections: Injections
    receipts: ReceiptFolder
    files: Disk
    rollouts: Rollouts

    @classmethod
    def within(cls, data: Path, state: Path, ids: Ids) -> Self:
        """Return those in a user's data and state folders."""
        shared = StateFolder(state)
        return cls(
            SpoolFolder(data / "spool"),
            shared,
            Injections(shared.injected, ids),
            ReceiptFolder(shared.receipts),
            Disk(),
            Rollouts(),
        )

    def reading(self, record: HookRecord) -> list[Item]:
        """Return what a record becomes, without what Tilth itself put there."""
        return parse_items(self.rollouts.completed(record), self.injections.stripped)
