internal import Foundation
internal import Playtest

/// `Scripts/bench outage`: outages of APNs in virtual time, each with all of its Live Activities
/// owed (promise PR6).
package struct OutageBench: RunnableBench {
    package struct Settings: Hashable, Sendable {
        package var rounds = 1
        /// The parties, with four Live Activities each.
        package var parties = 25_000
        /// The length of an outage in virtual seconds.
        package var seconds = 3_600
        package var kinds = OutageRun.Kind.allCases

        package init() {}
    }

    private let settings: Settings
    private let say: @Sendable (String) -> Void

    package init(_ settings: Settings, say: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.say = say
    }

    package func abandon() {}

    /// Plays all outages, one after another; takes some minutes for each hour.
    package func run() async throws -> BenchReport {
        let folder = try TestbedFolder(nil)
        defer { folder.removeIfTemporary() }
        var samples: [OutageSample] = []
        for _ in 1...settings.rounds {
            for kind in settings.kinds {
                let file = folder.path + "/\(UUID().uuidString).db"
                let sample = try await OutageRun.measure(
                    OutageRun.Settings(
                        parties: settings.parties, seconds: Int64(settings.seconds), kind: kind,
                        data: file))
                try FileManager.default.removeItem(atPath: file)
                say("\(kind.rawValue): \(sample.current) current in \(sample.secondsToCurrent) s")
                samples.append(sample)
            }
        }
        return report(samples)
    }

    func report(_ samples: [OutageSample]) -> BenchReport {
        let activities = FigureText.number(Double(settings.parties * HeartParties.heroes))
        let seconds = FigureText.number(Double(settings.seconds))
        return BenchReport(
            name: "outage", on: .own, "in one process, in virtual time",
            conditions: [
                "\(settings.rounds) rounds, \(activities) Live Activities, outages of \(seconds) s"
            ],
            figures: settings.kinds.flatMap { kind in
                figures(of: kind, samples.filter { $0.kind == kind })
            })
    }

    private func figures(of kind: OutageRun.Kind, _ samples: [OutageSample]) -> [Figure?] {
        let name = kind.rawValue
        func figure(
            _ key: String, _ title: String, _ target: Figure.Target?,
            _ value: (OutageSample) -> Double
        ) -> Figure? {
            Figure("\(name)_\(key)", title, of: samples.map(value), target: target)
        }
        // Content that got a 5xx waits for 15 minutes (PR8), if nothing newer happens.
        let isPatient = kind == .unavailable
        return [
            figure("tries", "pushes a minute that reach the host meanwhile", .atMost(60)) {
                $0.triesPerMinute
            },
            figure("tries_apart_s", "the longest time between two of them", .atMost(9)) {
                Double($0.longestDistance) / 1_000
            },
            figure("held", "pushes that were committed and held back", .atMost(0)) {
                Double($0.heldBack)
            },
            figure("memory", "growth of memory, in shares", .atMost(0.05)) { $0.memoryGrowth },
            figure(
                "owed", "share of Live Activities that are owed a push at its end", .atLeast(0.5)
            ) { Double($0.owed) / Double($0.activities) },
            figure(
                "current", "share of those that are current after 60 s",
                isPatient ? nil : .atLeast(1)
            ) { Double($0.current) / Double(max(1, $0.owed)) },
            figure(
                "current_s", "seconds until all are current", isPatient ? nil : .atMost(60)
            ) { Double($0.secondsToCurrent) },
            figure("pushes", "pushes for each Live Activity until then", .atMost(1.1)) {
                $0.pushesPerActivity
            },
        ]
    }
}
