"""Drops files on a window as a file manager does, by the XDND protocol.

usage: xdnd.py WINDOW FILE...   (WINDOW: a part of the window's title)
"""
import sys
import time
from pathlib import Path

from Xlib import X, Xatom, display, error
from Xlib.protocol import event


def name_of(window):
    """A window's title; the older property cannot hold every character."""
    name = window.get_full_text_property(d.intern_atom("_NET_WM_NAME")) or window.get_wm_name() or ""
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name


def find(window, title):
    """The window whose title holds a text, itself or a child of a frame."""
    try:
        if title in name_of(window) and window.get_full_property(d.intern_atom("XdndAware"), X.AnyPropertyType):
            return window
        for child in window.query_tree().children:
            if found := find(child, title):
                return found
    except error.BadWindow:
        pass
    return None


def send(kind, data):
    """Sends one message of the protocol to the target."""
    message = event.ClientMessage(window=target, client_type=d.intern_atom(kind), data=(32, data))
    target.send_event(message, event_mask=0)
    d.flush()


def wait(seconds, wanted):
    """The next event that is wanted; None after some seconds."""
    end = time.time() + seconds
    while time.time() < end:
        while d.pending_events():
            e = d.next_event()
            if wanted(e):
                return e
            if e.type == X.SelectionRequest:
                answer(e)
        time.sleep(0.01)
    return None


def answer(request):
    """Hands the list of files to who asks for it."""
    request.requestor.change_property(request.property, request.target, 8, uris)
    request.requestor.send_event(event.SelectionNotify(
        time=request.time, requestor=request.requestor, selection=request.selection,
        target=request.target, property=request.property))
    d.flush()


d = display.Display()
root = d.screen().root
target = find(root, sys.argv[1])
if target is None:
    sys.exit("no window that takes drops has this title")
uris = "".join(Path(f).resolve().as_uri() + "\r\n" for f in sys.argv[2:]).encode()

source = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
uri_list = d.intern_atom("text/uri-list")
action = d.intern_atom("XdndActionCopy")
source.set_selection_owner(d.intern_atom("XdndSelection"), X.CurrentTime)

place = target.translate_coords(root, 0, 0)
x, y = -place.x + 300, -place.y + 300
send("XdndEnter", [source.id, 5 << 24, uri_list, 0, 0])
send("XdndPosition", [source.id, 0, (x << 16) | y, X.CurrentTime, action])
status = d.intern_atom("XdndStatus")
if wait(10, lambda e: e.type == X.ClientMessage and e.client_type == status) is None:
    sys.exit("the window did not answer")
send("XdndDrop", [source.id, 0, X.CurrentTime, 0, 0])
finished = d.intern_atom("XdndFinished")
if wait(20, lambda e: e.type == X.ClientMessage and e.client_type == finished) is None:
    sys.exit("the window did not take the drop")
