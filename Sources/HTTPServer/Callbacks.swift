internal import CMicroHTTPD
internal import Glibc

/// The library's callbacks: from C pointers to our objects and back.
///
/// A `Connection` is retained from the first notice of it to the last, an `Exchange` from its
/// first line until it is completed.
enum Callbacks {
    /// Called for each new connection: one too many is closed at once.
    static let accept: MHD_AcceptPolicyCallback = { context, _, _ in
        guard let context else { return .NO }
        return Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue().mayAccept ? .YES : .NO
    }

    /// Called for headers, for each piece of the body, at its end, and after being resumed.
    static let access: MHD_AccessHandlerCallback = {
        _, handle, path, method, version, bytes, count, context in
        guard let handle, let path, let method, let version, let count,
            let object = context?.pointee
        else { return .NO }
        let exchange = Unmanaged<Exchange>.fromOpaque(object).takeUnretainedValue()
        if exchange.isFresh {
            return exchange.headArrived(
                MHDConnection(handle).head(
                    method: method, path: path, target: exchange.target, version: version))
        }
        guard count.pointee > 0 else { return exchange.continued() }
        let body = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
        count.pointee = 0
        return exchange.bodyArrived(body)
    }

    /// Called with the undecoded target as soon as the first line has come in.
    static let firstLine:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, handle in
            guard let context, let target, let handle else { return nil }
            let connection = MHDConnection(handle)
            guard let object = connection.context else { return nil }
            let exchange = Exchange(
                Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue(),
                on: Unmanaged<Connection>.fromOpaque(object).takeUnretainedValue(),
                connection, target: String(cString: target))
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    /// Leaves the target alone: the router splits first and decodes after.
    static let unescape:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, _, text in
            text.map { strlen($0) } ?? 0
        }

    static let connection: MHD_NotifyConnectionCallback = { context, handle, object, code in
        guard let context, let handle, let object else { return }
        let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
        switch code {
        case .CONNECTION_NOTIFY_STARTED:
            let connection = Connection(
                descriptor: MHDConnection(handle).descriptor, deadline: engine.requestDeadline,
                standing: engine.standingOfNext)
            engine.traffic.opened(connection)
            object.pointee = Unmanaged.passRetained(connection).toOpaque()
        case .CONNECTION_NOTIFY_CLOSED:
            guard let pointer = object.pointee else { return }
            object.pointee = nil
            let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
            connection.closed()
            engine.traffic.closed(connection)
        @unknown default:
            return
        }
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, context, _ in
        guard let context, let object = context.pointee else { return }
        context.pointee = nil
        Unmanaged<Exchange>.fromOpaque(object).takeRetainedValue().completed()
    }
}
