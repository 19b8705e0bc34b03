/// The owner of a client connection. Called on the loop's thread.
package protocol ClientConnectionOwner: AnyObject {
    /// There may be room now, or the connection drains. The owner may send, drain and end.
    func connectionTurned(_ connection: ClientConnection)
    /// Queued requests were sent, so `room` may have grown. Called for each connection at the end
    /// of the loop's turn.
    func connectionFlushed(_ connection: ClientConnection)
    /// A request ended without a response. The owner may only record it, because the session may be
    /// active. `connectionTurned` or `connectionEnded` follows.
    func connection(
        _ connection: ClientConnection, returned submission: Submission, as failure: HTTP2Failure)
    /// The connection has ended; every request got its response or was returned before.
    func connectionEnded(_ connection: ClientConnection, because reason: String)
}
