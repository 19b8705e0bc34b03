internal import Foundation
internal import OptionParsing
internal import Simulation

/// `rangers-tools simulate`: plays the whole server under one seed, with faults, in virtual time.
/// `simulate swarm` plays many seeds, `simulate shrink` shortens a plan that fails.
enum SimulateCommand {
    static let subcommand = Subcommand(
        "simulate", "Play the whole server under one seed, with faults, in virtual time", run: run)

    /// Hash tables have the same order in each process with it, as simulations need.
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"
    private static let minimiseSeconds = 60.0

    private static let one = Options(
        command: "rangers-tools simulate",
        summary:
            "Plays parties, phones, APNs, disk and clocks around the real server in one thread, "
            + "from one seed, and checks the invariants IN1 to IN22. `simulate swarm` plays many "
            + "seeds, `simulate shrink` shortens a plan that fails.",
        [
            Option("seed", "NUMBER", "The seed of everything", default: "1"),
            Option("minutes", "NUMBER", "How long people play", default: "10"),
            Option("parties", "NUMBER", "The number of parties; drawn when omitted"),
            Option(
                "faults", "CLASSES",
                "Which classes of faults may be drawn, or none: "
                    + FaultClass.allCases.map(\.rawValue).joined(separator: ", "),
                kind: .list),
            Option("plan", "FILE", "Play this plan, or this found seed, instead"),
            Option("control", "NAME", "Make this fault on purpose"),
            Option("save", "FILE", "Write the plan here"),
            .toggle("story", "Tell what happens"),
        ])

    private static let swarm = Options(
        command: "rangers-tools simulate swarm",
        summary:
            "Plays the plans of many seeds, prints which rare places they have reached, and "
            + "shortens what fails.",
        [
            Option("seeds", "NUMBER", "How many seeds", default: "1000"),
            Option("from", "NUMBER", "The first seed", default: "1"),
            Option("jobs", "NUMBER", "How many threads", default: "2"),
            Option("for", "SECONDS", "Begin no seed after so many seconds: 60 or 60s"),
            Option(
                "control", "NAME",
                "Make this fault on purpose in each seed, and end at the first that finds it; "
                    + "all: each fault in turn, at most 20 seeds each"),
            Option("twice", "NUMBER", "Play each so many seeds one twice", default: "50"),
            Option("plans", "DIR", "Write the plans that fail here", default: "."),
            .toggle("wide", "Draw 2 to 60 minutes and 1 to 12 parties"),
            .toggle("probes", "Fail if no seed reaches some probe"),
        ])

    private static let shrink = Options(
        command: "rangers-tools simulate shrink",
        summary: "Shortens a plan that fails, for at most a minute, and tells its story.",
        [
            Option("seed", "NUMBER", "The seed of the plan, as swarm draws it"),
            Option("plan", "FILE", "The plan"),
            Option("invariant", "CODE", "The invariant that fails: IN6; the first one if omitted"),
            Option("control", "NAME", "Make this fault on purpose"),
            Option("save", "FILE", "Write the short plan here", default: "plan.json"),
            .toggle("wide", "The seed is one of `swarm --wide`"),
        ])

    @Sendable private static func run(_ arguments: [String]) async -> Int32 {
        guard getenv(variable) != nil else { return executeAgain() }
        do {
            try Scheduler.install()
        } catch {
            Terminal.complain("rangers-tools simulate: \(error)")
            return 1
        }
        switch arguments.first {
        case "swarm": return await runSwarm(Array(arguments.dropFirst()))
        case "shrink": return await runShrink(Array(arguments.dropFirst()))
        case "outage": return await OutageCommand.run(Array(arguments.dropFirst()))
        default: return await runOne(arguments)
        }
    }

    /// Starts this program again in its place, with the variable set.
    private static func executeAgain() -> Int32 {
        setenv(variable, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        execv(Executables.tools, &arguments)
        Terminal.complain("rangers-tools simulate: \(Executables.tools) cannot be started again")
        return 1
    }

    // MARK: - One plan

    private static func runOne(_ arguments: [String]) async -> Int32 {
        await one.run(arguments) { values throws(OptionsError) in
            var plan = try plan(values)
            if let control = try control(values) { plan = control.applied(to: plan) }
            if let file = values.text("save"), !write(plan.json, to: file) { return 1 }
            let outcome = Run(plan).play(tells: values.isOn("story"))
            for line in outcome.chronicle { Terminal.print(line.sentence + "\n") }
            Terminal.print(
                """
                seed \(plan.seed): trace \(String(outcome.hash, radix: 16)), \(outcome.steps) jobs, \
                \(outcome.virtualMilliseconds / 60_000) virtual minutes, \(outcome.deaths) deaths, \
                \(outcome.pushes) pushes, \(outcome.cards) cards compared

                """)
            guard let first = outcome.violations.first else {
                Terminal.print("seed \(plan.seed): every invariant held\n")
                return 0
            }
            for violation in outcome.violations.prefix(20) {
                Terminal.complain("seed \(plan.seed): \(violation.line)")
            }
            tell(plan, first.invariant)
            return 1
        }
    }

    private static func plan(_ values: OptionValues) throws(OptionsError) -> Plan {
        if let file = values.text("plan") { return try read(file, values).plan }
        let seed = try values.integer("seed", in: 0...Int64.max) ?? 1
        let minutes = try values.integer("minutes", in: 1...600) ?? 10
        let parties = try values.integer("parties", in: 1...100)
        var classes: [FaultClass] = []
        let names = values.texts("faults")
        for name in names where name != "none" {
            guard let found = FaultClass(rawValue: name) else {
                throw values.invalid(
                    "faults", value: name,
                    expected: "none, or some of "
                        + FaultClass.allCases.map(\.rawValue).joined(separator: ", "))
            }
            classes.append(found)
        }
        if names.isEmpty { classes = FaultClass.allCases }
        let size = Swarm.Size(
            minutes: minutes...minutes, parties: parties.map { $0...$0 } ?? 4...8,
            classes: classes)
        return Swarm.plan(seed: UInt64(seed), size: size)
    }

    // MARK: - Many seeds

    private static func runSwarm(_ arguments: [String]) async -> Int32 {
        await swarm.run(arguments) { values throws(OptionsError) in
            let seeds = try values.integer("seeds", in: 1...10_000_000) ?? 1000
            let from = UInt64(try values.integer("from", in: 0...Int64.max / 2) ?? 1)
            let jobs = try values.integer("jobs", in: 1...64) ?? 2
            let twice = try values.integer("twice", in: 0...1_000_000) ?? 50
            var settings = SwarmRun.Settings(
                seeds: from...(from + UInt64(seeds) - 1),
                size: values.isOn("wide") ? .wide : .usual, jobs: Int(jobs),
                seconds: try seconds(values), twiceEvery: UInt64(twice))
            if values.text("control") == "all" { return await runControls(settings) }
            if let control = try control(values) {
                settings.control = control
                settings.stopsAtFailure = true
            }
            let folder = values.text("plans") ?? "."
            if getenv("STOP") != nil { settings.stopsAtFailure = true }
            let summary = await SwarmRun(settings).play()
            return report(
                summary, settings, in: folder, needsProbes: values.isOn("probes"))
        }
    }

    private static func seconds(_ values: OptionValues) throws(OptionsError) -> Double? {
        guard let text = values.text("for") else { return nil }
        let number = text.hasSuffix("s") ? String(text.dropLast()) : text
        guard let seconds = Double(number), seconds > 0 else {
            throw values.invalid("for", value: text, expected: "seconds, as in 60 or 60s")
        }
        return seconds
    }

    private static func report(
        _ summary: SwarmRun.Summary, _ settings: SwarmRun.Settings, in folder: String,
        needsProbes: Bool
    ) -> Int32 {
        Terminal.print(summary.words + "\n")
        let hits = summary.probes.sorted { $0.key < $1.key }.map {
            "\($0.key.rawValue) \($0.value)"
        }
        Terminal.print("probes, by seeds: \(hits.joined(separator: ", "))\n")
        if !summary.missed.isEmpty {
            let names = summary.missed.map(\.rawValue).joined(separator: ", ")
            Terminal.print("never reached: \(names)\n")
        }
        let isMissing = needsProbes && !summary.missed.isEmpty
        guard let first = summary.failures.first, let violation = first.violations.first else {
            return isMissing ? 1 : 0
        }
        for failure in summary.failures.prefix(400) {
            Terminal.complain(
                "seed \(failure.plan.seed): \(failure.violations.first?.line ?? "")")
        }
        if getenv("NOSHRINK") != nil { return 1 }
        shorten(first.plan, violation.invariant, into: "\(folder)/seed-\(first.plan.seed).json")
        return 1
    }

    /// Makes each fault on purpose until an invariant finds it.
    private static func runControls(_ settings: SwarmRun.Settings) async -> Int32 {
        var missed: [String] = []
        for control in ControlCase.all {
            var settings = settings
            settings.control = control
            settings.seeds = settings.seeds.lowerBound...(settings.seeds.lowerBound + 19)
            settings.stopsAtFailure = true
            settings.twiceEvery = control.invariants.contains(.IN21) ? 1 : 0
            let invariants = control.invariants
            settings.isFailure = { invariants.contains($0) }
            let summary = await SwarmRun(settings).play()
            guard let first = summary.failures.first?.violations.first else {
                missed.append(control.name)
                Terminal.complain("control \(control.name): not found in \(summary.seeds) seeds")
                continue
            }
            Terminal.print(
                "control \(control.name): found in \(summary.seeds) seeds by \(first.line)\n")
        }
        return missed.isEmpty ? 0 : 1
    }

    // MARK: - Shrinking

    private static func runShrink(_ arguments: [String]) async -> Int32 {
        await shrink.run(arguments) { values throws(OptionsError) in
            var found: (plan: Plan, invariant: Invariant?)
            if let file = values.text("plan") {
                found = try read(file, values)
            } else {
                _ = try values.required("seed")
                let seed = try values.integer("seed", in: 0...Int64.max) ?? 1
                found = (
                    Swarm.plan(seed: UInt64(seed), size: values.isOn("wide") ? .wide : .usual), nil
                )
            }
            if let control = try control(values) { found.plan = control.applied(to: found.plan) }
            if let code = values.text("invariant") {
                guard let invariant = Invariant(rawValue: code) else {
                    throw values.invalid("invariant", value: code, expected: "one of IN1 to IN22")
                }
                found.invariant = invariant
            }
            let first = found.invariant ?? Run(found.plan).play().violations.first?.invariant
            guard let first else {
                Terminal.print("seed \(found.plan.seed): every invariant held\n")
                return 0
            }
            return shorten(found.plan, first, into: values.text("save") ?? "plan.json") ? 1 : 0
        }
    }

    /// Shortens a plan, tells its story and writes it. Returns whether it fails at all.
    @discardableResult
    private static func shorten(_ plan: Plan, _ invariant: Invariant, into file: String) -> Bool {
        let begun = ContinuousClock.now
        let result = Minimiser.shrink(plan, for: invariant) {
            (ContinuousClock.now - begun) / .seconds(1) > minimiseSeconds
        }
        guard let result else {
            Terminal.complain("seed \(plan.seed) does not fail by \(invariant.rawValue) again")
            return false
        }
        for line in RunStory(result.plan, invariant, runs: result.runs)?.lines ?? [] {
            Terminal.complain(line)
        }
        guard write(result.plan.json, to: file) else { return true }
        Terminal.complain("Play it again: rangers-tools simulate --plan \(file) --story")
        return true
    }

    private static func tell(_ plan: Plan, _ invariant: Invariant) {
        for line in RunStory(plan, invariant)?.lines ?? [] { Terminal.complain(line) }
    }

    // MARK: - Values and files

    private static func control(_ values: OptionValues) throws(OptionsError) -> ControlCase? {
        guard let name = values.text("control") else { return nil }
        guard let control = ControlCase.named(name) else {
            throw values.invalid(
                "control", value: name,
                expected: "one of " + ControlCase.all.map(\.name).joined(separator: ", "))
        }
        return control
    }

    private static func read(
        _ file: String, _ values: OptionValues
    ) throws(OptionsError) -> (plan: Plan, invariant: Invariant?) {
        guard let bytes = FileManager.default.contents(atPath: file).map({ [UInt8]($0) }) else {
            throw values.invalid("plan", value: file, expected: "a file that can be read")
        }
        if let found = try? FoundSeed(json: bytes) { return (found.plan, found.invariant) }
        guard let plan = try? Plan(json: bytes) else {
            throw values.invalid("plan", value: file, expected: "a plan as JSON")
        }
        return (plan, nil)
    }

    private static func write(_ bytes: [UInt8], to file: String) -> Bool {
        guard FileManager.default.createFile(atPath: file, contents: Data(bytes)) else {
            Terminal.complain("\(file) cannot be written")
            return false
        }
        return true
    }
}

extension Violation {
    /// "IN6 at 56.966 s: version 12 of …"
    fileprivate var line: String {
        "\(invariant.rawValue) at \(Double(at - Scheduler.start) / 1000) s: \(words)"
    }
}
