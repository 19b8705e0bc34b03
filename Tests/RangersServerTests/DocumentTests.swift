import OptionParsing
import Foundation
import GameLogic
import HTTPServer
import PartyStore
import PushPolicy
import PartyStore
import Testing
import UnicodeText

@testable import RangersServer

/// The pages in `docs/reference` and the server say the same.
@Suite("Documents and the server agree")
struct DocumentTests {
    @Test("docs/reference/api.md lists every route, with its method and who may call it")
    func everyRouteIsDocumented() throws {
        let documented = try Self.rows(of: "api.md", under: "## Routes").map { row in
            "\(row[0]) \(row[1]) \(row[2])"
        }
        let served = Routes.all.map { route in
            "\(route.method.rawValue) \(route.template) \(Self.words(for: route.access))"
        }
        #expect(documented.sorted() == served.sorted())
    }

    @Test("docs/reference/metrics.md lists every metric, with its kind")
    func everyMetricIsDocumented() throws {
        let documented = try Self.rows(of: "metrics.md", under: "## Metrics")
            .filter { $0.count == 3 && ["counter", "gauge", "histogram"].contains($0[1]) }
            .map { "\($0[0]) \($0[1])" }
        #expect(documented == Metric.allCases.map { "\($0.rawValue) \($0.kind)" })
    }

    @Test("docs/reference/options.md lists every setting, with its variable")
    func everySettingIsDocumented() throws {
        let documented = try Self.rows(of: "options.md", under: "# Options")
            .map { "\($0[0]) \($0[1])" }
        let options = ServerConfiguration.options.options
        #expect(documented == options.map { "\($0.flag) \($0.variable)" })
    }

    @Test("docs/reference/api.md lists every limit, with its value")
    func everyLimitIsDocumented() throws {
        let limits = Self.limits + Self.limitsOfRequests
        let documented = try Self.lines(of: "api.md", under: "## Limits")
            .filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(Array(documented) == limits.map { "| \($0) | \($1) |" })
    }

    @Test("docs/reference/api.md lists every rate, with its standard value")
    func everyRateIsDocumented() throws {
        let documented = try Self.lines(of: "api.md", under: "## Rates")
            .filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(
            Array(documented)
                == Limit.allCases.map {
                    "| \($0.summary) | `\($0.standard)` | `\($0.name)` |"
                })
    }

    @Test("docs/reference/operations.md lists the least part of each rate that nodes divide")
    func everyPartIsDocumented() throws {
        let documented = try Self.lines(of: "operations.md", under: "### Rates of several servers")
            .filter { $0.hasPrefix("| ") }.dropFirst(2)
        let parts = Limit.allCases.compactMap { limit -> String? in
            guard case .divided(let least) = limit.sharing else { return nil }
            return "| `\(limit.name)` | `\(least)` |"
        }
        #expect(Array(documented) == parts)
    }

    /// Of players and what they send.
    private static let limits: [(String, Int)] = [
        ("bytes of a request's body", HTTPServer.Settings().bodyBytesMax),
        ("characters of an `Idempotency-Key`", IdempotencyKey.lengthMax),
        ("requests of a player that may be repeated", KeptRequest.countMax),
        ("hours in which they may be repeated", Int(KeptRequest.keptSeconds / 3600)),
        ("equal requests that wait for the first", RequestTurns.waitingMax),
        ("heroes of a player", CreateHero.heroesMax),
        ("heroes of a party", Party.sizeMax),
        ("heroes of a player in one party", Party.heroesOfPlayerMax),
        ("parties of a player", Party.partiesOfPlayerMax),
        ("Live Activities of a party at a time", ActivityLimits.partyMax),
        ("Live Activities of a player in one party", ActivityLimits.playerMax),
        ("ended Live Activities that a party remembers", ActivityLimits.endedMax),
        ("devices of a player", DeviceRecord.countMax),
        ("devices of a player with a push-to-start token", PutStartToken.devicesMax),
        ("devices of a player with a widgets' push token", Widgets.devicesMax),
        ("friends on a player's board", Leaderboard.friendsMax),
        ("heroes at the top of the board of all", Ranking.topMax),
        ("seasons whose results are kept", Int(Leaderboard.seasonsKept)),
        ("Live Activities in one reconciliation", Reconcile.activitiesMax),
        ("characters of a hero's name", Hero.nameLengthMax),
        ("characters of a hero's type", Hero.heroTypeLengthMax),
        ("marks on a letter of a name or type", DisplayedText.marksPerLetterMax),
        (
            "Unicode scalars of one character of a name or type, other than emoji",
            DisplayedText.scalarsPerCharacterMax
        ),
        ("bytes of a name or type in UTF-8", DisplayName.bytesMax),
        ("bytes of an avatar in UTF-8", 8 * Hero.avatarLengthMax),
        ("characters of an activity's id", PutActivity.activityLengthMax),
        ("characters of a device's name", DeviceID.lengthMax),
        ("bytes of a push token (two hex digits each)", Text.tokenBytesMax),
        ("characters of a system version", Text.osVersionLengthMax),
        ("characters of a language tag", Text.languageLengthMax),
        ("players whom a player has blocked", Block.countMax),
        ("reports of a player in \(NameReport.keptDays) days", NameReport.countMax),
        ("banned names", BannedName.countMax),
        ("bytes of the operator's list of names", NameList.bytesMax),
    ]

    /// Of responses, and of requests over time.
    private static let limitsOfRequests: [(String, Int)] = [
        ("events in one response", PartySnapshot.eventsMax),
        ("parties in one response to a game master", ListParties.limitMax),
        (
            "parties that one request looks at for those that a filter takes",
            ListParties.lookedAtMax
        ),
        ("players in one response to a game master", ListPlayers.limitMax),
        ("devices in one response to a game master", ListDevices.limitMax),
        ("refused registrations that a party remembers", ActivityLimits.refusedMax),
        ("reported heroes in one response to a game master", ModerateNames.heroesMax),
        ("parties of one job", CommandJob.partiesMax),
        ("jobs that wait or run", CommandJob.countMax),
        ("days that a job may be ahead", Int(CommandJob.aheadSecondsMax / (24 * 3600))),
        ("minutes over which a job may be spread", CommandJob.minutesMax),
        ("parties that jobs change in a second", JobRunner.partiesPerSecond),
        ("parties in a dry run of a cohort", CommandJobs.plannedMax),
        ("dry runs of cohorts that are kept as plans", CohortPlans.countMax),
        ("parties of all plans", CohortPlans.partiesMax),
        ("minutes for which a plan is kept", Int(CohortPlans.keptSeconds / 60)),
        ("parties of a command without a reason", CommandJob.partiesWithoutReasonMax),
        ("decisions in one response to a game master", ShowLedger.limitMax),
        ("pushes shown for one decision", LoggedDecision.pushesMax),
        ("stories, cards and pushes that are told again at a time", MomentReader.requestsMax),
        ("changes that one of them replays", MomentReader.rowsMax),
        ("events in one response of a story", ShowMoments.eventsMax),
        ("pushes in one response to a game master", ShowMoments.pushesMax),
        ("refusals in the statistics of pushes", PushStatistics.refusalsMax),
        ("parties whose cards the statistics look at", CardSurvey.partiesMax),
        ("seconds for which such a look is fresh", Int(CardSurvey.freshFor / 1000)),
        (
            "parties looked at for a player with a hero's or a device's name",
            ListPlayers.lookedAtMax
        ),
        ("calls in one response of the audit log", ShowAudit.limitMax),
        ("keys of game masters", ManageKeys.keysMax),
        ("characters of a key's name", ManageKeys.nameLengthMax),
        ("sessions of game masters", Sessions.countMax),
        ("minutes after which an unused session ends", Int(Sessions.idleMinutes)),
        ("hours after which any session ends", Int(Sessions.hoursMax)),
        ("codes for signing in", SessionCodes.countMax),
        ("minutes after which a code ends", Int(SessionCodes.minutes)),
        (
            "seconds in which equal reads share a row of the audit log",
            Int(RepeatedReads.windowSeconds)
        ),
        ("different reads that are counted so", RepeatedReads.countMax),
        ("requests that wait for one party", Shard.waitingMax),
        ("open event streams of a player", PartyStreams.playerMax),
        ("open event streams of the server", HTTPServer.Settings().streamsMax),
        ("seconds between two heartbeats of an event stream", PartyStreams.heartbeatSeconds),
        ("open browser phones of a player", PageStreams.playerMax),
        ("open browser phones of the server, where they are on", PageStreams.pagesMax),
        ("open event streams of consoles", ConsoleStreams.streamsMax),
        ("open event streams of a key", ConsoleStreams.openerMax),
        (
            "parties that a console's stream watches, beside the wall",
            ConsoleListener.Watch.partiesMax
        ),
        ("rows of a watched party that a console's stream keeps", WatchedParty.rowsMax),
        (
            "seconds for which a wall or a party is kept up to date without a stream",
            Int(ConsoleStreams.lingerSeconds)
        ),
    ]

    private static func words(for access: Access) -> String {
        switch access {
        case .anyone: "anyone"
        case .signIn: "anyone with a key or a code"
        case .player: "player"
        case .doctor: "doctor"
        case .admin(let least): least.rawValue
        }
    }

    /// The cells of the tables under a heading, without headers and backticks.
    private static func rows(of page: String, under heading: String) throws -> [[String]] {
        try lines(of: page, under: heading)
            .filter { $0.hasPrefix("| `") || $0.hasPrefix("| GET") || isChange($0) }
            .map { line in
                line.split(separator: "|").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                }
            }
    }

    private static func lines(
        of page: String, under heading: String
    ) throws -> ArraySlice<String> {
        let docs = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/reference")
        let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let level = heading.prefix { $0 == "#" } + " "
        return lines.drop { $0 != heading }.dropFirst()
            .prefix { !$0.hasPrefix("## ") && !$0.hasPrefix(level) }
    }

    private static func isChange(_ line: String) -> Bool {
        ["| POST", "| PUT", "| DELETE"].contains { line.hasPrefix($0) }
    }
}
