/// An exchange on its way through the connections, with what its owner has to remember. A class,
/// because it moves through queues and tables: one reference is counted instead of six. Confined
/// to its loop's thread.
package final class Submission {
    package let exchange: HTTP2Exchange
    /// When it was handed in; also its place in the queue.
    package let order: UInt64
    /// When it must be settled, in the loop's milliseconds.
    package let deadline: Int64
    /// How often it reached a peer that refused it.
    package var refusals = 0
    /// The last safe failure, told when there is no further try.
    package var lastFailure: HTTP2Failure?

    package init(_ exchange: HTTP2Exchange, order: UInt64, deadline: Int64) {
        self.exchange = exchange
        self.order = order
        self.deadline = deadline
    }
}
