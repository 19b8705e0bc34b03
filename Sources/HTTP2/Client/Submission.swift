/// A request of a batch on its way through the connections, with the owner's state for it. Confined
/// to the loop's thread.
package struct Submission {
    package let batch: any HTTP2Batch
    package let index: Int
    /// The order of submission, and its place in the queue.
    package let order: UInt64
    /// When it must be settled, in the loop's milliseconds.
    package let deadline: Int64
    /// The failures so far. Separate, because they are rare and requests are moved often.
    package private(set) var failedAttempts: FailedAttempts?

    /// The failed attempts of a request.
    package final class FailedAttempts {
        /// How often a peer refused it.
        package let refusals: Int
        /// The last safe failure, reported when no attempt is left.
        package let lastFailure: HTTP2Failure

        fileprivate init(refusals: Int, lastFailure: HTTP2Failure) {
            self.refusals = refusals
            self.lastFailure = lastFailure
        }
    }

    package init(_ batch: any HTTP2Batch, _ index: Int, order: UInt64, deadline: Int64) {
        self.batch = batch
        self.index = index
        self.order = order
        self.deadline = deadline
    }

    /// Records a safe failure, and whether it counts as a refusal by the peer.
    package mutating func note(_ failure: HTTP2Failure, countedRefusals: Int) {
        failedAttempts = FailedAttempts(
            refusals: (failedAttempts?.refusals ?? 0) + countedRefusals, lastFailure: failure)
    }

    /// Copies as much of the body as fits into `room`.
    func copyBody(from offset: Int, to room: UnsafeMutableRawBufferPointer) {
        batch.copyBody(of: index, from: offset, to: room)
    }

    /// Reports the failure to the batch.
    package func fail(as failure: HTTP2Failure) {
        batch.failed(index, as: failure)
    }
}
