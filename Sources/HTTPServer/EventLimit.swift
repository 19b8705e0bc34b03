internal import CLinux
internal import Glibc

/// Waits like `epoll_wait`, but returns at most one event less than fills libmicrohttpd's list.
///
/// A thread of libmicrohttpd 0.9.75 that gets exactly 128 events waits again, without handling them
/// first, until another event or a timeout wakes it: 128 requests that come at once to an idle
/// thread stand still. The dynamic linker finds this function before the C library's; others that
/// call it lose nothing, because the events left out come with the next call.
@_cdecl("epoll_wait")
public func waitForEventsThatLeaveRoom(
    _ descriptor: Int32, _ events: UnsafeMutableRawPointer?, _ countMax: Int32,
    _ milliseconds: Int32
) -> Int32 {
    // With no mask of signals it is the same call.
    epoll_pwait(
        descriptor, events?.assumingMemoryBound(to: epoll_event.self),
        min(countMax, EventLimit.countMax), milliseconds, nil)
}

/// The list of events of libmicrohttpd: `MAX_EVENTS` in its daemon.c is 128.
private enum EventLimit { static let countMax: Int32 = 127 }
