internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// One open stream: of a party, for a player.
struct PartyStream: Sendable {
    let number: Int
    let party: PartyID
    let player: PlayerID
    /// The widest network of its client.
    let network: ClientAddress
    /// The SHA-256 of the token that has opened it.
    let token: [UInt8]
    let feed: PartyFeed
    let response: ResponseStream

    /// Offers the party's newest snapshot. Ends the stream if its player is no longer a member, and
    /// cuts it if its client is too far behind.
    @discardableResult
    func offer(_ snapshot: PartySnapshot) -> StreamProgress.Offer {
        guard snapshot.hasMember(of: player) else {
            close(.membership)
            return .taken
        }
        let offer = feed.update { $0.offer(snapshot) }
        switch offer {
        case .ignored: break
        case .taken: response.wake()
        case .cut: response.cut()
        }
        return offer
    }

    func take(_ events: [LoggedEvent]) {
        feed.update { $0.take(events) }
        response.wake()
    }

    func beat() {
        feed.update { $0.beat() }
        response.wake()
    }

    func close(_ end: StreamProgress.End) {
        feed.update { $0.close(end) }
        response.wake()
    }
}
