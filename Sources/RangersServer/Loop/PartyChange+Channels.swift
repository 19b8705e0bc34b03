internal import GameLogic
package import PartyStore
package import PushPolicy

/// Spectators: whoever listens to the party's broadcast channel.
extension PartyChange {
    /// The activity behind the channel that spectators may listen to now.
    package var spectators: ActivityRegistration? { stored.spectators }

    /// Takes a channel into the party's care. From this commit on it is known, and will be
    /// deleted at Apple some time after its end.
    package mutating func open(_ spectators: ActivityRegistration) {
        if let channel = ChannelRecord(of: spectators, overSince: nil) {
            commit.channels.append(channel)
        }
        register(spectators)
    }

    /// Ends the spectators' cards, with what they show now.
    package mutating func closeChannel() {
        guard let spectators else { return }
        for index in record.outbox.indices where record.outbox[index].activity == spectators.id {
            record.outbox[index].end(in: party, version: record.version + 1, now: now)
        }
    }

    /// Shows spectators the hero who leads now, if the one whom they see has left: they watch as
    /// long as there is a party to watch. Call it before the change is planned.
    mutating func followLeader() {
        guard let spectators, party.member(spectators.hero) == nil,
            let leader = party.members.first?.hero.id
        else { return }
        for index in record.outbox.indices where record.outbox[index].activity == spectators.id {
            record.outbox[index].show(leader)
        }
        update(spectators.seen(through: leader))
    }

    /// The spectators' cards have had their end, and the channel's row does not say so yet: it
    /// must, so that the channel is deleted in time.
    var hasUnnotedEnd: Bool {
        record.outbox.contains { entry in
            guard entry.isDone, let known = registrations[entry.activity] else { return false }
            return known.watcher == .spectator && !known.state.isFinal
        }
    }

    /// Nothing is published any more: from here on the channel only waits to be deleted.
    mutating func noteEnd(of activity: ActivityRegistration) {
        if let channel = ChannelRecord(of: activity, overSince: now) {
            commit.channels.append(channel)
        }
    }
}

extension StoredParty {
    /// The activity behind the party's channel, as long as its cards still change.
    package var spectators: ActivityRegistration? {
        registrations.first { activity in
            guard activity.watcher == .spectator, !activity.state.isFinal else { return false }
            return record.outbox.contains { $0.activity == activity.id && !$0.isEnding }
        }
    }
}
