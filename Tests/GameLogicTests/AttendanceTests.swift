@testable import GameLogic
import Testing

/// What an adventure notes for its score: who has attended how much, and whether it was assisted.
struct AttendanceTests {
    private static func attendance(of index: Int, in party: Party) throws -> Score.Attendance {
        let adventure = try #require(party.adventure)
        return adventure.attendance(of: party.members[index], in: party)
    }

    /// A shift in which a step of the story comes at 15 s, and blows from 50 s on, 20 s apart.
    private static func shift(of count: Int) throws -> Party {
        try Shift.party(of: Fixtures.heroes(count))
    }

    @Test("who is there from the start attends everything, in whatever condition")
    func whole() throws {
        var party = try Self.shift(of: 2)
        _ = party.advance(to: .seconds(130))
        #expect(party.adventure?.course.told == 6)
        let attendance = try Self.attendance(of: 0, in: party)
        #expect(attendance == Score.Attendance(presence: 100, company: 2))
    }

    @Test("who joins underway has missed what was told before")
    func late() throws {
        var party = try Self.shift(of: 2)
        _ = try party.apply(.join(Fixtures.heroes(3)[2]), at: .seconds(75))
        _ = party.advance(to: .seconds(130))
        #expect(try Self.attendance(of: 2, in: party).presence == 50)
        #expect(try Self.attendance(of: 0, in: party).presence == 100)
        #expect(try Self.attendance(of: 0, in: party).company == 3)
    }

    @Test("who leaves and comes back has missed only what was told meanwhile")
    func away() throws {
        var party = try Self.shift(of: 2)
        let hero = Fixtures.heroes(2)[1]
        _ = try party.apply(.leave(hero.id), at: .seconds(55))
        _ = try party.apply(.join(hero), at: .seconds(75))
        _ = party.advance(to: .seconds(130))
        #expect(party.members[1].outing.missed == 1)
        #expect(try Self.attendance(of: 1, in: party).presence == 500 / 6)
    }

    @Test("a hero who comes and goes attends no more than there is")
    func often() throws {
        var party = try Self.shift(of: 2)
        let hero = Fixtures.heroes(2)[1]
        for second in stride(from: 20, to: 120, by: 10) as StrideTo<Int64> {
            if party.members.count == 2 {
                _ = try party.apply(.leave(hero.id), at: .seconds(second))
            } else {
                _ = try party.apply(.join(hero), at: .seconds(second))
            }
        }
        _ = party.advance(to: .seconds(130))
        let presence = try Self.attendance(of: 1, in: party).presence
        #expect((1..<100).contains(presence))
    }

    @Test("a game master's help is noted, but neither a pause nor what is refused")
    func assisted() throws {
        var party = try Self.shift(of: 1)
        _ = try party.apply(.arrange(.pause(minutes: 1, then: nil)), at: .seconds(10))
        _ = try party.apply(.arrange(.resume), at: .seconds(10))
        let hero = Fixtures.heroes(2)[1].id
        expectRefusal(.notInParty(hero), of: .dropLoot(hero), by: &party, at: .seconds(11))
        #expect(try Self.attendance(of: 0, in: party).help == .none)
        _ = try party.apply(.dropLoot(nil), at: .seconds(12))
        #expect(try Self.attendance(of: 0, in: party).help == .assisted)
    }

    @Test("a shift counts its blows up to a limit")
    func shiftScore() throws {
        var party = try Self.shift(of: 4)
        _ = party.advance(to: .seconds(130))
        let points = try #require(party.adventure).course.worldPoints
        _ = try party.apply(.worldStage(.fallen), at: .seconds(131))
        let adventure = try #require(party.adventure)
        let whole = Score.Attendance(presence: 100, company: 1)
        #expect(points / 16 < 150)
        #expect(Score(of: adventure, whole)?.points == points / 16)
        party = try Self.shift(of: 8)
        _ = party.advance(to: .minutes(10))
        _ = try party.apply(.worldStage(.fallen), at: .minutes(10))
        let longer = try #require(party.adventure)
        #expect(Score(of: longer, whole)?.points == 150)
    }
}
