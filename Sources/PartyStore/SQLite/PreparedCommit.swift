internal import GameLogic
internal import PushPolicy

/// A party's commit with everything encoded: made by the caller's task, so that the writer only
/// writes.
struct PreparedCommit: Sendable {
    let party: PartyRow
    let events: [JSONRow]
    let command: JSONRow?
    let decisions: [JSONRow]
    let joined: [HeroID]
    let left: [HeroID]
    let changedHeroes: [JSONRow]
    let activities: [JSONRow]
    let removedActivities: [String]
    let startDevices: [StartDeviceRow]
    let channels: [JSONRow]

    init(_ commit: PartyCommit) throws(StoreError) {
        let record = commit.record
        let id = record.id.rawValue
        let at = commit.at.milliseconds
        party = try PartyRow(record)
        events = try commit.events.map { event throws(StoreError) in
            try JSONRow(
                table: "events", keys: [id], numbers: [Int64(event.sequence), at],
                encoding: event)
        }
        command = try commit.command.map { command throws(StoreError) in
            try JSONRow(
                table: "commands", keys: [id], numbers: [record.version], encoding: command)
        }
        decisions = try commit.decisions.map { decision throws(StoreError) in
            try JSONRow(
                table: "decisions", keys: [id, decision.activity.rawValue],
                numbers: [Int64(decision.sequence), at], encoding: decision)
        }
        joined = commit.joined.map(\.id)
        left = commit.left
        changedHeroes = try commit.changedHeroes.map(JSONRow.init(hero:))
        activities = try commit.activities.map(JSONRow.init(activity:))
        removedActivities = commit.removedActivities.map(\.rawValue)
        startDevices = try commit.startDevices.map(StartDeviceRow.init)
        channels = try commit.channels.map(JSONRow.init(channel:))
    }
}
