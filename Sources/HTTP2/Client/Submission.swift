/// A request of a batch on its way through the connections, with what its owner has to remember.
/// Confined to the loop's thread.
package struct Submission {
    package let batch: any HTTP2Batch
    package let index: Int
    /// When it was handed in; also its place in the queue.
    package let order: UInt64
    /// When it must be settled, in the loop's milliseconds.
    package let deadline: Int64
    /// What went wrong so far. Apart, because it is rare, and requests are moved around a lot.
    package private(set) var trouble: Trouble?

    /// The tries of a request that came back.
    package final class Trouble {
        /// How often it reached a peer that refused it.
        package let refusals: Int
        /// The last safe failure, told when there is no further try.
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

    /// Notes a safe failure, and whether it counts as one of the peer's refusals.
    package mutating func note(_ failure: HTTP2Failure, countedRefusals: Int) {
        trouble = Trouble(
            refusals: (trouble?.refusals ?? 0) + countedRefusals, lastFailure: failure)
    }

    /// Copies a part of the body, as much as there is room for.
    func copyBody(from offset: Int, to room: UnsafeMutableRawBufferPointer) {
        batch.copyBody(of: index, from: offset, to: room)
    }

    /// Tells whoever handed it in.
    package func fail(as failure: HTTP2Failure) {
        batch.failed(index, as: failure)
    }
}
