internal import GameLogic
package import PartyStore
package import PushPolicy

/// Spectators: everyone who follows the party's broadcast channel.
extension PartyChange {
    /// The activity behind the channel that spectators may follow now.
    package var spectators: ActivityRegistration? { stored.spectators }

    /// Adds a channel to the party. Once committed, it is tracked until it is deleted at Apple some
    /// time after its end.
    package mutating func open(_ spectators: ActivityRegistration) {
        if let channel = ChannelRecord(of: spectators, overSince: nil) {
            parts.channels.append(channel)
        }
        register(spectators)
    }

    /// Ends the spectators' activity with its current content.
    package mutating func closeChannel() {
        guard let spectators else { return }
        let party = stored.party
        let version = stored.version + 1
        for index in stored.activities.indices
        where stored.activities[index].registration.id == spectators.id {
            stored.activities[index].outbox?.end(in: party, version: version, now: now)
        }
    }

    /// Shows spectators the current leader if the hero they see has left, so that they can follow
    /// the party as long as it exists. Call it before the change is planned.
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

    /// Notes the end of an activity. Nothing is published to its channel any more; it only awaits
    /// deletion.
    mutating func noteEnd(of activity: ActivityRegistration) {
        if let channel = ChannelRecord(of: activity, overSince: now) {
            parts.channels.append(channel)
        }
    }
}

extension StoredParty {
    /// The activity behind the party's channel, while its content still changes.
    package var spectators: ActivityRegistration? {
        activities.first { activity in
            guard let outbox = activity.outbox else { return false }
            let registration = activity.registration
            return registration.recipient == .spectator && !registration.state.isFinal
                && !outbox.isEnding
        }?.registration
    }

    /// Whether the spectators' activity has ended and the channel's row does not record it yet. The
    /// row must record it, so that the channel is deleted in time.
    var hasUnnotedEnd: Bool {
        // In place: every change checks this, and a copy of an activity costs more than the check.
        activities.indices.contains { index in
            activities[index].registration.channel != nil
                && activities[index].outbox?.isDone == true
                && !activities[index].registration.state.isFinal
        }
    }
}
