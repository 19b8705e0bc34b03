import Testing

@Suite("Words that the source must not contain, and words that need a comment")
struct WordTests {
    @Test("no crash, print, foreign lock or unexplained task in Sources")
    func sourcesKeepTheWords() {
        #expect(Repository.sources.flatMap(WordRules.findings(inSource:)) == [])
    }

    @Test("tests do not sleep, read no clock and start no program by Foundation")
    func testsKeepTheWords() {
        // A simulation trips over what its tests do on purpose.
        let tests = Repository.tests.filter { !$0.path.hasSuffix("Scheduler/TripwireTests.swift") }
        #expect(tests.flatMap(WordRules.findings(inTest:)) == [])
    }

    @Test("type names say what the type does")
    func namesSaySomething() {
        let files = Repository.sources + Repository.tests
        #expect(files.flatMap(WordRules.namingFindings) == [])
    }

    @Test("modules for any app do not name the game")
    func wireKnowsNoGame() {
        #expect(Repository.sources.flatMap(WordRules.gameFindings) == [])
    }

    @Test("SQL for PostgreSQL keeps to the subset that needs no session")
    func statementsNeedNoSession() {
        #expect(Repository.sources.flatMap(WordRules.sessionFindings) == [])
    }

    @Test(
        "control: what needs a session is found in SQL for PostgreSQL",
        arguments: [
            "LISTEN news", "SELECT pg_advisory_lock(1)", "SELECT nextval('a')", "a BIGSERIAL",
            "CREATE TEMP TABLE a (b int)", "PREPARE a AS SELECT 1", "DECLARE a CURSOR FOR SELECT 1",
            "SET search_path = a", "SET SESSION a = 1",
        ])
    func sessionsAreFound(statement: String) {
        let text = "let a = \"\(statement)\""
        let file = SourceFile(path: "Sources/PartyStore/PostgreSQL/Bad.swift", text: text)
        #expect(WordRules.sessionFindings(in: file).count == 1)
    }

    @Test("control: other SQL is accepted, and that of SQLite")
    func othersNeedNoSession() {
        let good = "let a = \"UPDATE node SET until = 1\"; let b = \"SET LOCAL a = 1\" // LISTEN"
        let file = SourceFile(path: "Sources/PartyStore/PostgreSQL/Good.swift", text: good)
        #expect(WordRules.sessionFindings(in: file) == [])
        let bad = SourceFile(path: "Sources/PartyStore/Good.swift", text: "let a = \"LISTEN a\"")
        #expect(WordRules.sessionFindings(in: bad) == [])
    }

    @Test("comments announce no work")
    func commentsPromiseNothing() {
        let files = Repository.sources + Repository.tests
        #expect(files.flatMap(WordRules.promiseFindings) == [])
    }

    @Test("every type at file level has a doc comment")
    func typesAreDocumented() {
        #expect(Repository.sources.flatMap(WordRules.undocumentedTypes) == [])
    }

    @Test("at most three places switch off a check of the compiler")
    func uncheckedPlacesAreFew() {
        // A simulation's objects belong to its thread, which the compiler does not know.
        let places = Repository.sources.filter { $0.module != "Simulation" }
            .flatMap(WordRules.uncheckedPlaces)
        #expect(places.count <= 3, "\(places)")
    }

    @Test(
        "control: each word is found in Sources",
        arguments: [
            "let a = try! f()", "fatalError(\"no\")", "func f() { print(1) }",
            "let a = Mutex(1)", "let a: NSLock", "var a: pthread_mutex_t",
            "Task { }", "let a = Task.detached { }", "Task(priority: .low) { }",
            "// who waits\n\nTask { }", "let a = Process()", "BIO_new_mem_buf(bytes, 3)",
        ])
    func wordsAreFound(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(WordRules.findings(inSource: file).count == 1)
    }

    @Test(
        "control: what only looks like those words is accepted",
        arguments: [
            "// try! fatalError print( Task {", "let a = \"fatalError Task { }\"",
            "let a = try f()", "report.print(1)", "// `stop` waits for it.\nTask { }",
            "let a: Task<Void, Never>", "if Task.isCancelled { }", "let a = Player.Task { }",
        ])
    func othersAreLetThrough(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Good.swift", text: text)
        #expect(WordRules.findings(inSource: file) == [])
    }

    @Test(
        "control: sleeping, clocks and Foundation's Process are found in tests",
        arguments: [
            "try await Task.sleep(for: .seconds(1))", "Thread.sleep(forTimeInterval: 1)",
            "usleep(5)", "let now = Date()", "let clock = ContinuousClock()",
            "let process = Process()",
        ])
    func sleepIsFound(text: String) {
        let file = SourceFile(path: "Tests/GameLogicTests/Bad.swift", text: text)
        #expect(WordRules.findings(inTest: file).count == 1)
    }

    @Test(
        "control: empty names, promises and bare types are found",
        arguments: ["struct PushManager {}", "class TimeUtils {}", "enum PartyHelper {}"])
    func emptyNamesAreFound(text: String) {
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(WordRules.namingFindings(in: file).count == 1)
        #expect(WordRules.undocumentedTypes(in: file).count == 1)
    }

    @Test("control: the game's names are found in code and texts, not in comments or elsewhere")
    func gameIsFound() {
        let text = "let a = \"eventDescription\" // eventDescription\nlet currentHealthLevel = 1"
        let wire = SourceFile(path: "Tools/APNsSimulator/Bad.swift", text: text)
        #expect(WordRules.gameFindings(in: wire).count == 2)
        let game = SourceFile(path: "Sources/PushPolicy/Good.swift", text: text)
        #expect(WordRules.gameFindings(in: game) == [])
    }

    @Test("control: a promise is found, a word that holds its letters is not")
    func promisesAreFound() {
        // Put together here, so that this file promises nothing.
        let promise = "// " + "TO" + "DO: later"
        let bad = SourceFile(path: "Sources/GameLogic/Bad.swift", text: promise)
        #expect(WordRules.promiseFindings(in: bad).count == 1)
        let good = SourceFile(path: "Sources/GameLogic/Good.swift", text: "// A HACKSAW, todos")
        #expect(WordRules.promiseFindings(in: good) == [])
    }

    @Test("control: a scheduler's sleep is accepted in tests")
    func virtualSleepIsAccepted() {
        let text = "await scheduler.sleep(until: 1); await Scheduler.current.sleep(until: 2)"
        let file = SourceFile(path: "Tests/SimulationTests/Good.swift", text: text)
        #expect(WordRules.findings(inTest: file) == [])
    }

    @Test("control: an unchecked place of a simulation needs a reason, one elsewhere counts")
    func reasonsAreNeeded() {
        let text =
            "final class A: @unchecked Sendable {\n    // Safe to share: as the scheduler.\n}"
        for (path, count) in [("Tools/Simulation/A.swift", 0), ("Sources/GameLogic/A.swift", 1)] {
            let file = SourceFile(path: path, text: text)
            #expect(WordRules.uncheckedPlaces(in: file).count == count)
        }
        let bare = SourceFile(
            path: "Tools/Simulation/A.swift", text: "final class A: @unchecked Sendable {}")
        #expect(WordRules.uncheckedPlaces(in: bare).count == 1)
    }

    @Test("control: unchecked places are counted")
    func uncheckedPlacesAreCounted() {
        let text = "final class A: @unchecked Sendable { nonisolated(unsafe) var b = 1 }"
        let file = SourceFile(path: "Sources/GameLogic/Bad.swift", text: text)
        #expect(WordRules.uncheckedPlaces(in: file).count == 2)
    }
}
