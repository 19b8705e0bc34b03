internal import GameLogic
package import PartyStore
package import PushPolicy

/// Spectators: everybody who listens to the party's broadcast channel.
extension PartyChange {
    /// The activity behind the channel that spectators may listen to now.
    package var spectators: ActivityRegistration? { stored.spectators }

    /// Takes a channel into the party's care. From this commit on it is known, and will be
    /// deleted at Apple some time after its end.
    package mutating func open(_ spectators: ActivityRegistration) {
        if let channel = ChannelRecord(of: spectators, overSince: nil) {
            parts.channels.append(channel)
        }
        register(spectators)
    }

    /// Ends the spectators' activity, with what it shows now.
    package mutating func closeChannel() {
        guard let spectators else { return }
        let party = stored.party
        let version = stored.version + 1
        for index in stored.activities.indices
        where stored.activities[index].registration.id == spectators.id {
            stored.activities[index].outbox?.end(in: party, version: version, now: now)
        }
    }

    /// Shows spectators the hero who leads now, if the one whom they see has left: they watch as
    /// long as there is a party to watch. Call it before the change is planned.
    mutating func followLeader() {
        guard let spectators, party.member(spectators.hero) == nil,
            let leader = party.members.first?.hero.id
        else { return }
        for index in stored.activities.indices
        where stored.activities[index].registration.id == spectators.id {
            stored.activities[index].outbox?.show(leader)
        }
        update(spectators.seen(through: leader))
    }

    /// Nothing is published any more: from here on the channel only waits to be deleted.
    mutating func noteEnd(of activity: ActivityRegistration) {
        if let channel = ChannelRecord(of: activity, overSince: now) {
            parts.channels.append(channel)
        }
    }
}

extension StoredParty {
    /// The activity behind the party's channel, as long as what it shows still changes.
    package var spectators: ActivityRegistration? {
        activities.first { activity in
            guard let outbox = activity.outbox else { return false }
            let registration = activity.registration
            return registration.recipient == .spectator && !registration.state.isFinal
                && !outbox.isEnding
        }?.registration
    }

    /// The spectators' activity has had its end, and the channel's row does not say so yet: it
    /// must, so that the channel is deleted in time.
    var hasUnnotedEnd: Bool {
        // In place: this is asked at every change, and copying an activity costs more than asking.
        activities.indices.contains { index in
            activities[index].registration.channel != nil
                && activities[index].outbox?.isDone == true
                && !activities[index].registration.state.isFinal
        }
    }
}
