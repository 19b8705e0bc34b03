internal import CCurl
internal import HTTPServer
internal import Isolation

/// What the forwarder's thread shares with others.
struct ForwardShared: Sendable {
    let settings: RequestForwarder.Settings
    let inbox: ForwardInbox
    let load: Locked<ForwardLoad>
}

/// The forwarder's thread.
actor ForwardThread {
    private let executor = QueueExecutor(label: "NodeLink forwarding")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Forwards until `stop`. Takes over libcurl's multi handle.
    func run(_ multi: UInt, _ shared: ForwardShared) {
        guard let multi = UnsafeMutableRawPointer(bitPattern: multi) else { return }
        ForwardLoop(multi, shared).run()
    }
}

/// All transfers, on one thread.
private final class ForwardLoop {
    private let multi: UnsafeMutableRawPointer
    private let shared: ForwardShared
    private var transfers: [UInt64: Transfer] = [:]
    private var handles: ForwardHandles
    /// No transfer is due before.
    private var nextDeadline = ContinuousClock.now
    private var isStopping = false

    /// The longest wait for something to happen, in milliseconds.
    private static let waitMilliseconds = 1000

    init(_ multi: UnsafeMutableRawPointer, _ shared: ForwardShared) {
        self.multi = multi
        self.shared = shared
        handles = ForwardHandles(max: shared.settings.idleConnectionsMax)
    }

    func run() {
        while true {
            for work in shared.inbox.take() { perform(work) }
            if isStopping { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            endFinished()
            endOverdue()
            curl_multi_poll(multi, nil, 0, waitMilliseconds, nil)
        }
        for work in shared.inbox.end() { perform(work) }
        for transfer in transfers.values { end(transfer, CURLE_ABORTED_BY_CALLBACK) }
        handles.release()
        curl_multi_cleanup(multi)
    }

    private func perform(_ work: ForwardInbox.Work) {
        switch work {
        case .send(let outgoing): send(outgoing)
        case .drop(let id):
            guard let transfer = transfers[id] else { return }
            end(transfer, CURLE_ABORTED_BY_CALLBACK)
        case .readOn(let id): transfers[id]?.readOn()
        case .stop: isStopping = true
        }
    }

    private func send(_ outgoing: OutgoingRequest) {
        guard let handle = handles.take() else {
            shared.load.withLock { $0.end(to: outgoing.address) }
            let fault = ForwardFault.notReached("no memory for a request")
            return outgoing.continuation.resume(returning: .failure(fault))
        }
        let transfer = Transfer(outgoing, on: handle, shared)
        var code = transfer.prepare()
        if code == CURLE_OK, curl_multi_add_handle(multi, handle) != CURLM_OK {
            code = CURLE_FAILED_INIT
        }
        guard code == CURLE_OK else {
            handles.give(handle)
            return transfer.finish(code)
        }
        transfers[transfer.id] = transfer
        if let deadline = transfer.deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    private func endFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = Transfer.of(handle)
            else { continue }
            end(transfer, message.pointee.data.result)
        }
    }

    /// Ends what waited too long. Looks only when something may be due.
    private func endOverdue() {
        let now = ContinuousClock.now
        guard now >= nextDeadline else { return }
        var next = now.advanced(by: .milliseconds(Self.waitMilliseconds))
        for transfer in transfers.values {
            guard let deadline = transfer.deadline else { continue }
            if deadline <= now {
                end(transfer, CURLE_OPERATION_TIMEDOUT)
            } else {
                next = min(next, deadline)
            }
        }
        nextDeadline = next
    }

    private var waitMilliseconds: Int32 {
        let rest = ContinuousClock.now.duration(to: nextDeadline) / .milliseconds(1)
        return Int32(max(0, min(Double(Self.waitMilliseconds), rest.rounded(.up))))
    }

    /// Closes an unfinished transfer's connection.
    private func end(_ transfer: Transfer, _ code: CURLcode) {
        transfers[transfer.id] = nil
        curl_multi_remove_handle(multi, transfer.handle)
        handles.give(transfer.handle)
        transfer.finish(code)
    }
}

/// libcurl's handles without a transfer. Each keeps the buffers of the one before.
private struct ForwardHandles {
    private var idle: [UnsafeMutableRawPointer] = []
    private let max: Int

    init(max: Int) { self.max = max }

    /// Returns a handle without options; `nil`: there is no memory.
    mutating func take() -> UnsafeMutableRawPointer? { idle.popLast() ?? curl_easy_init() }

    /// Takes a handle back, and all that it points to out of it.
    mutating func give(_ handle: UnsafeMutableRawPointer) {
        guard idle.count < max else { return curl_easy_cleanup(handle) }
        curl_easy_reset(handle)
        idle.append(handle)
    }

    mutating func release() {
        for handle in idle { curl_easy_cleanup(handle) }
        idle = []
    }
}
