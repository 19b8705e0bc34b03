import ByteCoding
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite struct FormatTests {
    @Test("a played party is read as it was written, after every change", arguments: UInt64(1)...30)
    func party(seed: UInt64) throws {
        for commit in try PlayedParty(seed: seed).commits {
            let row = StoredRow(.party, columns: commit.stored) {
                PartyStateFormat.write(commit.stored, to: &$0)
            }
            #expect(try row.party() == commit.stored)
            #expect(try row.rewritten() == row.bytes)
        }
    }

    @Test("a journal entry is read as it was written", arguments: UInt64(1)...30)
    func journal(seed: UInt64) throws {
        for commit in try PlayedParty(seed: seed).commits {
            let entry = JournalEntry(commit)
            let row = bytes { JournalEntry.write(commit, to: &$0) }
            #expect(
                try row.withUnsafeBytes { try JournalEntry.read($0, packs: FormatSample.packs) }
                    == entry)
        }
    }

    @Test("every kind of event is read as it was written")
    func events() throws {
        let kinds = PartyEvent.Kind.samples(of: FormatSample.panda.tag, with: FormatSample.bear.tag)
        #expect(Set(kinds.map(\.name)).count == EventName.allCases.count)
        let events = kinds.enumerated().map { index, kind in
            PartyEvent(sequence: 1 + index, time: .seconds(Int64(index)), kind: kind)
        }
        let entry = JournalEntry(events: events)
        let row = bytes { JournalEntry.write(entry, to: &$0) }
        #expect(
            try row.withUnsafeBytes { try JournalEntry.read($0, packs: FormatSample.packs) }.events
                == events)
    }

    @Test("a party's other rows are read as they were written", arguments: UInt64(1)...10)
    func others(seed: UInt64) throws {
        let played = try PlayedParty(seed: seed)
        for activity in played.stored.activities.map(\.registration) {
            let row = bytes { RegistrationFormat.write(activity, to: &$0) }
            #expect(try row.withUnsafeBytes { try RegistrationFormat.read($0) } == activity)
        }
        let snapshot = FoldedParty(party: played.stored.party, version: played.stored.version)
        let row = bytes { FoldedPartyFormat.write(snapshot, to: &$0) }
        #expect(
            try row.withUnsafeBytes { try FoldedPartyFormat.read($0, packs: FormatSample.packs) }
                == snapshot)
        let outcomes = bytes { OutcomesFormat.write(played.outcomes, to: &$0) }
        #expect(try outcomes.withUnsafeBytes { try OutcomesFormat.read($0) } == played.outcomes)
    }

    @Test("a party with every field is read as it was written")
    func everyField() throws {
        let stored = try FormatSample.stored()
        let row = StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
        #expect(try row.party() == stored)
    }

    @Test("what is not a party's is read as it was written")
    func devices() throws {
        let device = FormatSample.device
        let traits = bytes { StartDeviceFormat.write(traits: device.traits, to: &$0) }
        #expect(try traits.withUnsafeBytes { try StartDeviceFormat.traits($0) } == device.traits)
        let starts = bytes { StartDeviceFormat.write(starts: device.starts, to: &$0) }
        #expect(try starts.withUnsafeBytes { try StartDeviceFormat.starts($0) } == device.starts)
        let channel = bytes { ChannelFormat.write(FormatSample.channel, to: &$0) }
        #expect(try channel.withUnsafeBytes { try ChannelFormat.read($0) } == FormatSample.channel)
        let token = bytes { ProviderTokenFormat.write(FormatSample.token, to: &$0) }
        #expect(
            try token.withUnsafeBytes { try ProviderTokenFormat.read($0) } == FormatSample.token)
        let hero = bytes { HeroFormat.write(FormatSample.bear, to: &$0) }
        #expect(try hero.withUnsafeBytes { try HeroFormat.read($0) } == FormatSample.bear)
    }

    @Test("all outcomes are read as they were written")
    func outcomes() throws {
        let row = bytes { OutcomesFormat.write(FormatSample.outcomes, to: &$0) }
        #expect(
            try row.withUnsafeBytes { try OutcomesFormat.read($0) } == FormatSample.outcomes)
    }

    @Test("an activity of which the row says nothing has ended")
    func ended() throws {
        var stored = try FormatSample.stored()
        var row = StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
        var late = FormatSample.registration
        late = ActivityRegistration.spectators(
            on: ChannelName("late"), in: .sandbox, openedBy: late.player, through: late.hero,
            of: late.party, language: .english, at: late.createdAt)
        stored.activities.append(LiveActivity(registration: late, outbox: nil))
        row.columns = stored
        #expect(try row.party() == stored)
    }

    @Test("an activity that nobody registered is a fault")
    func unregistered() throws {
        var stored = try FormatSample.stored()
        var row = StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
        stored.activities.removeFirst()
        row.columns = stored
        #expect(throws: FormatError.invalid("it has an activity that is not registered")) {
            try row.party()
        }
    }

    @Test("the order of the registrations' rows does not matter")
    func order() throws {
        let stored = try FormatSample.stored()
        var row = StoredRow(.party, columns: stored) { PartyStateFormat.write(stored, to: &$0) }
        row.columns?.activities.reverse()
        #expect(try row.party() == stored)
    }

    @Test("another format is refused: what was found, what is read, what to do")
    func otherFormat() throws {
        for (name, row) in try GoldenRows.all() {
            for format in [0, 2, 255] as [UInt8] {
                var row = row
                row.bytes[0] = format
                #expect(throws: FormatError.unknownFormat(format, newest: 1), "\(name)") {
                    try row.rewritten()
                }
            }
        }
        let refusal = FormatError.unknownFormat(7, newest: 1)
        #expect(
            refusal.description
                == "its format is 7, and this program reads formats up to 1: use the program that "
                + "wrote it")
    }

    @Test("a commit without events, command and decisions needs no journal entry")
    func nothingToTell() throws {
        let commit = PartyCommit(
            stored: try FormatSample.stored(), isAwake: true, at: FormatSample.noon)
        #expect(!JournalEntry.isNeeded(for: commit))
        #expect(JournalEntry(commit).through == .seconds(61))
    }
}
