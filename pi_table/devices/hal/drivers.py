"""Drivers by name: how the configuration's name of a driver becomes the driver.

A driver is opened because the configuration names it, and for no other reason. Its module is
imported only then, so that a table without a device needs nothing that the device does. The module
has a function `open_driver`, which opens the device that the configuration describes.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from pi_table.common.errors import DeviceError, InputError, did_you_mean

Opener = TypeVar("Opener", bound=Callable[..., object])


class Registry(Generic[Opener]):
    """The drivers of one part of the table: by name, the module of each."""

    def __init__(self, section: str, key: str, modules: dict[str, str]) -> None:
        """``section`` and ``key`` are where the configuration names the driver of this part."""
        self.section = section
        self.key = key
        self.modules = modules

    def opener(self, name: str, others: "Iterable[Registry[Any]]" = ()) -> Opener:
        """The function that opens the driver of this name. A driver of several parts has one of
        them.

        Raises InputError for a name that no driver of this part bears, whatever drivers of
        ``others`` do; DeviceError where a package that the driver needs is not installed.
        """
        if name not in self.modules:
            raise InputError(f"[{self.section}] {self._fault(name, others)}")
        try:
            module = import_module(self.modules[name])
        except ImportError as error:
            raise DeviceError(
                f"[{self.section}] {self.key} names the driver {name!r}, which needs the Python "
                f"package {error.name!r}, and that is not installed. Install it, or name another."
            ) from error
        return cast(Opener, module.open_driver)

    def _fault(self, name: str, others: "Iterable[Registry[Any]]") -> str:
        elsewhere = [other for other in others if name in other.modules]
        if not elsewhere:
            guess = did_you_mean(name, [*self.modules])
            return f"has no driver {name!r}; {guess}"
        parts = " and ".join(f"[{other.section}]" for other in elsewhere)
        names = ", ".join(self.modules)
        return f"cannot have the driver {name!r}, which is one for {parts}; choose one of: {names}."
