import Isolation
import Testing

@testable import Playtest

/// What `Scripts/run` does: it goes on as long as somebody looks.
extension ConsoleTests {
    @Suite struct DemoTests {
        /// Runs the demo; `onOutput` gets all that it has printed so far, and whether it shall stop
        /// is what it returns.
        private func play(
            speed: Double, _ onOutput: @escaping @Sendable (String) async throws -> Bool
        ) async throws -> (isRight: Bool, output: String) {
            let folder = try TestbedFolder(nil)
            defer { folder.removeIfTemporary() }
            var settings = Demo.Settings(executable: Site.program, folder: folder)
            settings.speed = speed
            let (output, printed) = AsyncStream.makeStream(of: String.self)
            let (stops, stop) = AsyncStream.makeStream(of: Never.self)
            let demo = Demo(
                settings, say: { printed.yield($0) }, untilStopped: { for await _ in stops {} })
            return try await withThrowingTaskGroup(of: Void.self) { group in
                let isRight = Locked(false)
                group.addTask {
                    defer { printed.finish() }
                    let result = try await demo.run()
                    isRight.withLock { $0 = result }
                }
                var text = ""
                for await more in output {
                    text += more
                    if try await onOutput(text) { stop.finish() }
                }
                try await group.waitForAll()
                return (isRight.withLock { $0 }, text)
            }
        }

        @Test("without a page it plays one adventure and ends")
        func ends() async throws {
            let played = try await play(speed: 120) { _ in false }
            #expect(played.isRight, "\(played.output)")
            #expect(!played.output.contains("sets out again"))
            #expect(played.output.contains("Drained and stopped"))
        }

        @Test("while its console is open, the party sets out again, with every card right")
        func goesOn() async throws {
            let browser = try await Browser.fresh()
            let isOpen = Locked(false)
            let played = try await play(speed: 20) { output in
                let isFirst = isOpen.withLock { isOpen in
                    defer { isOpen = true }
                    return !isOpen
                }
                if isFirst {
                    let link = try #require(output.firstMatch(of: /watch +(\S+)/)).1
                    try await browser.open(String(link))
                    try await browser.wait(until: "document.body.dataset.ready === 'live'")
                    // The code of the link is used, and gone from the address.
                    #expect(try await !browser.url().contains("enter"))
                }
                return output.contains("sets out again")
            }
            #expect(played.isRight, "\(played.output)")
            #expect(!played.output.contains("❌"))
        }

        @Test("a console counts as an open page, and so does a browser phone")
        func pages() async throws {
            let site = try await Site(speed: 1)
            let party = try await StagedParty.onAdventure(at: site)
            #expect(await !site.testbed.hasOpenPage)
            let console = try await Console.signedIn(at: site)
            try await console.browser.wait(
                until: "document.querySelector('.state').dataset.state === 'live'")
            #expect(await site.testbed.hasOpenPage)
            try await untilClosed(site, console.browser)

            let phone = try await PlayPage.join(site, code: party.inviteCode)
            try await phone.browser.wait(until: PlayPage.isActive)
            #expect(await site.testbed.hasOpenPage)
            await site.stop()
        }

        /// Leaves the page, which the server notices at its next message to it, within a second.
        private func untilClosed(_ site: Site, _ browser: Browser) async throws {
            try await browser.open("about:blank")
            var hasOpenPage = true
            for _ in 0..<5000 where hasOpenPage { hasOpenPage = await site.testbed.hasOpenPage }
            #expect(!hasOpenPage)
        }
    }
}
