import Glibc
import Programs
import Testing

@Suite("Programs are started, heard and ended")
struct ProgramTests {
    private func shell(_ script: String) -> Program { Program("/bin/sh", ["-c", script]) }

    @Test("what it prints comes through, whole, with its exit code")
    func printed() async throws {
        let printed = try await shell("yes words | head -n 50000; exit 3").printed()
        #expect(printed.text.utf8.count == 300_000)
        #expect(printed.end == 3)
    }

    @Test("its complaints are dropped, or printed too")
    func complaints() async throws {
        let program = shell("echo said; echo complained >&2")
        #expect(try await program.printed().text == "said\n")
        #expect(try await program.printed(.printed).text == "said\ncomplained\n")
    }

    @Test("a signal ends it, and is told as its end")
    func signal() throws {
        let running = try Program("/bin/sleep", ["600"]).start()
        #expect(running.isRunning)
        running.send(SIGKILL)
        #expect(running.waitForEnd().code == SIGKILL)
        #expect(!running.isRunning)
        running.send(SIGTERM)
    }

    @Test("SIGTERM ends it even where we block that signal")
    func blockedSignal() throws {
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let running = try Program("/bin/sleep", ["600"]).start()
        running.send(SIGTERM)
        #expect(running.waitForEnd().code == SIGTERM)
    }

    @Test("it has the variables that it is given, and no others of ours")
    func environment() async throws {
        var program = shell("echo $WORD; echo $HOME")
        program.environment = ["WORD": "a b"]
        #expect(try await program.printed().text == "a b\n\n")
    }

    @Test("it gets none of our descriptors, however many there are")
    func descriptors() async {
        // In a process of its own: so many descriptors would be in other tests' way.
        await #expect(processExitsWith: .success) {
            // More than Foundation's Process can bear; without close-on-exec.
            let ours = (0..<1_500).map { _ in open("/dev/null", O_RDONLY) }
            #expect(ours.allSatisfy { $0 >= 0 })
            let printed = try await Program("/bin/sh", ["-c", "ls /proc/self/fd | wc -l"]).printed()
            // Its three streams, and the folder that ls reads.
            #expect(printed.text.filter { $0.isNumber } == "4")
        }
    }

    @Test("a program that is not there is said so, by its path")
    func missing() {
        #expect(!Program.isInstalled("/no/such/program"))
        #expect(Program.isInstalled("/bin/sh"))
        let error = #expect(throws: ProgramError.self) { try Program("/no/such/program").start() }
        #expect(error?.description.contains("/no/such/program") == true)
    }
}
