import Testing

@testable import PartyStore

/// The bytes of the format give the same values, and the values the same bytes. A test that fails
/// shows the bytes that this program writes.
@Suite struct GoldenTests {
    private static func kept(_ name: String) throws -> StoredRow {
        try #require(try GoldenRows.kept().first { $0.name == name }?.row)
    }

    private static func journal(_ name: String) throws -> JournalEntry {
        try kept(name).bytes.withUnsafeBytes {
            try JournalEntry.read($0, packs: StorySample.packs)
        }
    }

    @Test("the bytes of every kind of row, event and command")
    func bytes() throws {
        let made = GoldenRows.hex(of: try GoldenRows.all()).split(separator: "\n")
        let kept = GoldenRows.hex(of: try GoldenRows.kept()).split(separator: "\n")
        #expect(made.count == kept.count)
        for (made, kept) in zip(made, kept) { #expect(made == kept) }
    }

    @Test("rows are read, and written as they were")
    func rewritten() throws {
        for (name, row) in try GoldenRows.kept() {
            #expect(try row.rewritten() == row.bytes, "\(name)")
        }
    }

    @Test("the rows of parties have what was written")
    func parties() throws {
        #expect(try Self.kept("party").party() == FormatSample.stored())
        #expect(try Self.kept("story").party() == StorySample.stored())
        #expect(
            try Self.kept("readyCheck").party() == StorySample.stored(StorySample.askedParty()))
        #expect(try Self.kept("inn").party() == StorySample.stored(StorySample.partyWithInn()))
    }

    @Test("the rows of the journal have what was written")
    func journal() throws {
        #expect(try Self.journal("journal") == FormatSample.journal)
        #expect(try Self.journal("pushes") == FormatSample.pushed)
        #expect(try Self.journal("storyEvents") == StorySample.events)
        #expect(try Self.journal("worldEvents") == StorySample.worldEvents)
        #expect(try Self.journal("findEvents") == StorySample.findEvents)
        #expect(try Self.journal("readyEvents") == StorySample.readyEvents)
    }

    @Test("the rows of activities and devices have what was written")
    func activities() throws {
        let registrations =
            [
                ("registration", FormatSample.registration),
                ("confirmedRegistration", FormatSample.confirmedRegistration),
            ] + StorySample.registrations
        for (name, registration) in registrations {
            let row = try Self.kept(name)
            #expect(
                try row.bytes.withUnsafeBytes { try RegistrationFormat.read($0) } == registration)
        }
        let traits = try Self.kept("confirmedTraits")
        #expect(
            try traits.bytes.withUnsafeBytes { try StartDeviceFormat.traits($0) }
                == FormatSample.confirmedTraits)
    }

    @Test("the other rows have what was written")
    func others() throws {
        let hero = try Self.kept("home").bytes.withUnsafeBytes { try HeroFormat.read($0) }
        #expect(hero == (try StorySample.hero()))
        let token = try Self.kept("providerToken").bytes.withUnsafeBytes {
            try ProviderTokenFormat.read($0)
        }
        #expect(token == FormatSample.token)
        let outcomes = try Self.kept("outcomes").bytes.withUnsafeBytes {
            try OutcomesFormat.read($0)
        }
        #expect(outcomes == FormatSample.outcomes)
        for (name, letter) in zip(
            ["tokenLetter", "shareLetter", "stateLetter"], FormatSample.letters)
        {
            let read = try Self.kept(name).bytes.withUnsafeBytes {
                try LetterFormat.read($0, to: letter.party, number: letter.number)
            }
            #expect(read == letter)
        }
        let phone = try Self.kept("phone").bytes.withUnsafeBytes { try PhoneFormat.read($0) }
        #expect(phone == FormatSample.leftOnPhone)
    }

    @Test("pushes and their responses take at most 32 bytes each in the journal")
    func size() throws {
        var (pushes, bytes) = (0, 0)
        for seed in UInt64(1)...10 {
            for commit in try PlayedParty(seed: seed).commits {
                var without = commit
                without.pushes = []
                without.responses = []
                pushes += commit.pushes.count
                bytes += Self.size(commit) - Self.size(without)
            }
        }
        #expect(pushes > 100)
        #expect(bytes <= 32 * pushes, "\(bytes) bytes for \(pushes) pushes")
    }

    private static func size(_ commit: PartyCommit) -> Int {
        StoredRow(.journal) { JournalEntry.write(commit, to: &$0) }.bytes.count
    }
}
