internal import Dispatch
internal import Foundation

/// SIGTERM and Ctrl-C as something to wait for.
///
/// The second Ctrl-C ends the process at once, for whoever is in a hurry.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Int32>

    init() {
        let (arrivals, continuation) = AsyncStream<Int32>.makeStream()
        self.arrivals = arrivals
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(SIGINT, SIG_DFL)
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// Returns when the first signal has come, or the task is cancelled.
    func wait() async {
        for await _ in arrivals { return }
    }
}
