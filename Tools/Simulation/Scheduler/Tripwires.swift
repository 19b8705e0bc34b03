internal import Glibc

// The C library's functions that a simulated world must not call. The dynamic linker finds these
// before the C library's; threads without a world are passed on.

/// Reads a clock of the machine, as the C library does.
@_cdecl("clock_gettime")
public func readClockUnsimulated(_ clock: Int32, _ time: UnsafeMutableRawPointer?) -> Int32 {
    // Times of work are figures for people; no decision depends on them.
    if clock != CLOCK_THREAD_CPUTIME_ID, clock != CLOCK_PROCESS_CPUTIME_ID {
        Tripwires.note("clock_gettime")
    }
    return Tripwires.clock?(clock, time) ?? -1
}

/// Draws random bytes, as the C library does.
@_cdecl("getrandom")
public func drawUnsimulated(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ flags: UInt32) -> Int
{
    Tripwires.note("getrandom")
    return Tripwires.random?(bytes, count, flags) ?? -1
}

/// Draws random bytes, as the C library does.
@_cdecl("getentropy")
public func drawEntropyUnsimulated(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    Tripwires.note("getentropy")
    return Tripwires.entropy?(bytes, count) ?? -1
}

/// Swift's own random numbers come from `syscall(SYS_getrandom)`. So do the waits of its globals, so
/// that this one looks its successor up each time, without a global.
@_cdecl("syscall")
public func callSystemUnsimulated(
    _ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int
) -> Int {
    #if arch(x86_64)
        if number == 318 { Tripwires.note("getrandom") }
    #else
        if number == 278 { Tripwires.note("getrandom") }
    #endif
    let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "syscall")
    return unsafeBitCast(next, to: Tripwires.System?.self)?(number, a, b, c, d, e, f) ?? -1
}

/// Starts a thread, as the C library does.
@_cdecl("pthread_create")
public func startThreadUnsimulated(
    _ thread: UnsafeMutableRawPointer?, _ attributes: UnsafeRawPointer?,
    _ start: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    Tripwires.note("pthread_create")
    return Tripwires.thread?(thread, attributes, start, argument) ?? EAGAIN
}

/// Who called what cannot be simulated, and the functions that do it.
private enum Tripwires {
    typealias Clock = @convention(c) (Int32, UnsafeMutableRawPointer?) -> Int32
    typealias Random = @convention(c) (UnsafeMutableRawPointer?, Int, UInt32) -> Int
    typealias Entropy = @convention(c) (UnsafeMutableRawPointer?, Int) -> Int32
    typealias System = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    typealias Thread =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?,
            UnsafeMutableRawPointer?
        ) -> Int32

    typealias Frames =
        @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
    typealias Place =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafePointer<CChar>?>)
        -> Int32

    static let clock = unsafeBitCast(next("clock_gettime"), to: Clock?.self)
    static let random = unsafeBitCast(next("getrandom"), to: Random?.self)
    static let entropy = unsafeBitCast(next("getentropy"), to: Entropy?.self)
    static let thread = unsafeBitCast(next("pthread_create"), to: Thread?.self)
    static let frames = unsafeBitCast(next("backtrace"), to: Frames?.self)
    static let place = unsafeBitCast(next("dladdr"), to: Place?.self)

    /// Returns the function that this program's hides: a sanitizer's, or the C library's.
    private static func next(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(nil, "___interceptor_" + name)
            ?? dlsym(UnsafeMutableRawPointer(bitPattern: -1), name)
    }

    static func note(_ name: String) {
        guard let scheduler = SimulatedExecutors.current, !scheduler.isBurying else { return }
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 12)
        let count = Int(self.frames?(&frames, Int32(frames.count)) ?? 0)
        let callers = frames.prefix(count).dropFirst(2).map { describe($0) }
        // Signatures are random, as the standard wants them, and in no trace.
        if callers.prefix(3).contains(where: { $0.object.hasSuffix("/libcrypto.so.3") }) { return }
        scheduler.trip(name, by: callers.map(\.symbol))
    }

    private static func describe(
        _ frame: UnsafeMutableRawPointer?
    ) -> (object: String, symbol: String) {
        // A `Dl_info`: the object's name and address, the symbol's name and address.
        var info = [UnsafePointer<CChar>?](repeating: nil, count: 4)
        guard let frame, let place, place(frame, &info) != 0 else { return ("", "?") }
        let object = info[0].map { String(cString: $0) } ?? ""
        return (object, info[2].map { String(cString: $0) } ?? object)
    }
}
