"""Events of engine threads reach the window, in order, until it closes; never after."""

from __future__ import annotations

import threading

import shiboken6
from PySide6.QtCore import QCoreApplication, Qt

from auditor.engine import events
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import EventRelay
from tests.gui import fakes
from tests.gui.driving import wait_until


def failed(number: int) -> events.RunFailed:
    return events.RunFailed(number, "late", expected=True)


def test_that_events_arrive_in_order_and_in_the_windows_thread() -> None:
    relay = EventRelay()
    heard: list[int] = []
    threads: set[threading.Thread] = set()

    def hear(event: events.RunEvent) -> None:
        heard.append(event.run)
        threads.add(threading.current_thread())

    relay.arrived.connect(hear, Qt.ConnectionType.QueuedConnection)

    def send_all() -> None:
        for number in range(200):
            relay.send(failed(number))

    sender = threading.Thread(target=send_all)
    sender.start()
    wait_until(lambda: len(heard) == 200)
    sender.join()
    relay.close()
    assert heard == list(range(200))
    assert threads == {threading.main_thread()}


def test_that_a_thread_may_send_while_its_controller_is_deleted() -> None:
    """The thread of a kernel's first compilation ends when it likes, with or without a window."""
    for closed in (True, False) * 10:
        controller = Controller(make_rng=fakes.randomness)
        send, stop, begun = controller.relay.send, threading.Event(), threading.Event()

        def work(send=send, stop=stop, begun=begun) -> None:  # type: ignore[no-untyped-def]
            while not stop.is_set():
                send(failed(10_000))
                begun.set()

        sender = threading.Thread(target=work)
        sender.start()
        assert begun.wait(60)
        if closed:
            controller.close()
        shiboken6.delete(controller)
        stop.set()
        sender.join()
    QCoreApplication.processEvents()
