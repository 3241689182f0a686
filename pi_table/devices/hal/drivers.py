"""The lookup of drivers by their names in the configuration.

A driver is opened only if the configuration names it. Only then is its module imported, so a table
without a device does not need that device's packages. The module has a function `open_driver`,
which opens the device that the configuration describes.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from pi_table.common.errors import DeviceError, InputError
from pi_table.common.language import did_you_mean, join_texts, say

Opener = TypeVar("Opener", bound=Callable[..., object])


class Registry(Generic[Opener]):
    """The drivers of one part of the table. ``modules`` maps each driver's name to its module."""

    def __init__(self, section: str, key: str, modules: dict[str, str]) -> None:
        """``section`` and ``key`` name the configuration entry that contains the driver's name."""
        self.section = section
        self.key = key
        self.modules = modules

    def opener(self, name: str, others: "Iterable[Registry[Any]]" = ()) -> Opener:
        """Return the function that opens this driver. If a driver serves several parts of the
        table, their registries return the same function.

        Raises InputError for a driver that is not in this registry. If the driver is in some of the
        registries ``others``, the error names them. Raises DeviceError if a package that the driver
        needs is not installed.
        """
        if name not in self.modules:
            fault = self._fault(name, others)
            raise InputError(say("[{section}] {fault}", section=self.section, fault=fault))
        try:
            module = import_module(self.modules[name])
        except ImportError as error:
            raise DeviceError(
                say(
                    "[{section}] {key} names the driver {name}, which needs the Python package "
                    "{name_2}, and that is not installed. Install it, or name another.",
                    section=self.section,
                    key=self.key,
                    name=repr(name),
                    name_2=repr(error.name),
                )
            ) from error
        return cast(Opener, module.open_driver)

    def _fault(self, name: str, others: "Iterable[Registry[Any]]") -> str:
        elsewhere = [other for other in others if name in other.modules]
        if not elsewhere:
            guess = did_you_mean(name, [*self.modules])
            return say("has no driver {name}; {guess}", name=repr(name), guess=guess)
        parts = join_texts(" and ", (f"[{other.section}]" for other in elsewhere))
        names = ", ".join(self.modules)
        return say(
            "cannot have the driver {name}, which is for {parts}; choose one of: {names}.",
            name=repr(name),
            parts=parts,
            names=names,
        )
