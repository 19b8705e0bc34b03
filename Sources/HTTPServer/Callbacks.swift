internal import CMicroHTTPD
internal import Glibc

/// The library's callbacks, which convert C pointers to our objects and back.
///
/// A `Connection` is retained from its first callback to its last, and so while it has requests.
enum Callbacks {
    /// Called for each new connection; closes those beyond the limit.
    static let accept: MHD_AcceptPolicyCallback = { context, address, _ in
        guard let context else { return .NO }
        let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        return core.mayAccept(core.client(at: address.flatMap { ClientAddress($0) })) ? .YES : .NO
    }

    /// Called for headers, for each piece of the body, at its end, and after a resume.
    static let access: MHD_AccessHandlerCallback = {
        _, _, path, method, version, bytes, count, context in
        guard let path, let method, let version, let count, let object = context?.pointee
        else { return .NO }
        let connection = Unmanaged<Connection>.fromOpaque(object).takeUnretainedValue()
        if connection.isFresh {
            return connection.headArrived(method: method, path: path, version: version)
        }
        guard count.pointee > 0 else { return connection.continued() }
        let body = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
        count.pointee = 0
        return connection.bodyArrived(body)
    }

    /// Called with the undecoded target once the first line has arrived; returns the request's
    /// context.
    static let firstLine:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, handle in
            guard let target, let handle else { return nil }
            guard let object = MHDConnection(handle).context else { return nil }
            Unmanaged<Connection>.fromOpaque(object).takeUnretainedValue()
                .firstLineArrived(UnsafeRawBufferPointer(text: target))
            return object
        }

    /// Leaves the target encoded: the router splits it before decoding.
    static let unescape:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, _, text in
            text.map { strlen($0) } ?? 0
        }

    static let connection: MHD_NotifyConnectionCallback = { context, handle, object, code in
        guard let context, let handle, let object else { return }
        let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        switch code {
        case .CONNECTION_NOTIFY_STARTED:
            let connection = Connection(MHDConnection(handle), core)
            core.traffic.opened(connection.watch, by: connection.counted)
            object.pointee = Unmanaged.passRetained(connection).toOpaque()
        case .CONNECTION_NOTIFY_CLOSED:
            guard let pointer = object.pointee else { return }
            object.pointee = nil
            let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
            connection.watch.closed()
            core.traffic.closed(connection.watch, by: connection.counted)
        @unknown default:
            return
        }
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, context, _ in
        guard let context, let object = context.pointee else { return }
        context.pointee = nil
        Unmanaged<Connection>.fromOpaque(object).takeUnretainedValue().completed()
    }
}
