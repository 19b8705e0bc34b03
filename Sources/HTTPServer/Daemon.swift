internal import CMicroHTTPD
internal import Isolation

/// The library's server: one epoll loop per thread, with hardened options.
struct Daemon: Sendable {
    private let bits: UInt
    /// The core for the library's callbacks, retained from `init` to `stop`.
    private let context: UInt

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    /// Starts the server; nil if the library fails (it does not report why: threads or epoll are
    /// lacking).
    init?(on listener: ListeningSocket, core: ServerCore) {
        let context = Unmanaged.passRetained(core).toOpaque()
        let options = Self.options(core.settings, listener: listener, context: context)
        let pointer = Self.start(options, context: context)
        guard let pointer else {
            Unmanaged<ServerCore>.fromOpaque(context).release()
            return nil
        }
        bits = UInt(bitPattern: pointer)
        self.context = UInt(bitPattern: context)
    }

    /// Closes all connections, joins the threads and closes the listening socket. Blocks. No
    /// connection may be suspended.
    ///
    /// It does not call `MHD_quiesce_daemon` first, as the library recommends: in 0.9.75 that call
    /// removes the socket from its threads' epoll sets while they may be doing the same, and the
    /// second removal ends the process. `ListeningSocket.refuse` stops accepting instead.
    func stop() {
        MHD_stop_daemon(pointer)
        guard let context = UnsafeMutableRawPointer(bitPattern: context) else { return }
        Unmanaged<ServerCore>.fromOpaque(context).release()
    }

    private static func start(
        _ options: [MHD_OptionItem], context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let flags =
            MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue
        var options = options + [MHD_OptionItem(option: .END, value: 0, ptr_value: nil)]
        return options.withUnsafeMutableBufferPointer { options in
            guard let first = options.baseAddress else { return nil }
            let arguments: [any CVarArg] = [
                MHD_OPTION.ARRAY.rawValue, first, MHD_OPTION.END.rawValue,
            ]
            return withVaList(arguments) { arguments in
                MHD_start_daemon_va(
                    flags, 0, Callbacks.accept, context, Callbacks.access, context, arguments)
            }
        }
    }

    private static func options(
        _ settings: HTTPServer.Settings, listener: ListeningSocket,
        context: UnsafeMutableRawPointer
    ) -> [MHD_OptionItem] {
        func number(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: value, ptr_value: nil)
        }
        func callback(_ option: MHD_OPTION, _ function: Int) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: function, ptr_value: context)
        }
        var options = [
            number(.LISTEN_SOCKET, Int(listener.descriptor)),
            number(.STRICT_FOR_CLIENT, 1),
            // Room for headers up to the limit that `RequestHead` checks, so that it can report the
            // reason, and for the library's list of them. The library clears it after each request.
            number(.CONNECTION_MEMORY_LIMIT, 16 * 1024),
            // The library divides this limit by its threads and leaves further clients waiting; the
            // core's own limit applies first.
            number(
                .CONNECTION_LIMIT,
                (settings.connectionsMax * 2 + settings.streamsMax) * max(1, settings.threads)),
            number(.CONNECTION_TIMEOUT, settings.idleTimeoutSeconds),
            callback(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.firstLine, to: Int.self)),
            callback(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self)),
            callback(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self)),
            callback(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self)),
        ]
        // The library rejects a pool of one thread.
        if settings.threads > 1 { options.append(number(.THREAD_POOL_SIZE, settings.threads)) }
        return options
    }
}

/// A thread that waits for the library's threads.
actor DaemonStopper {
    private let executor = QueueExecutor(label: "HTTPServer stop")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func stop(_ daemon: Daemon) { daemon.stop() }
}
