import Foundation
import Programs

/// The engines in which the pages are tested: Chrome's, and Safari's.
enum BrowserEngine: CaseIterable, Sendable {
    case chromium, webKit

    /// Where Debian installs the driver.
    var driverPath: String {
        switch self {
        case .chromium: "/usr/bin/chromedriver"
        case .webKit: "/usr/bin/WebKitWebDriver"
        }
    }

    /// The commands that start the driver and print its port, `$1` where the driver chooses none.
    /// WebKit needs a display.
    fileprivate var commands: String {
        switch self {
        case .chromium: "\(driverPath) --port=0 &"
        case .webKit:
            """
            xvfb-run -a -s '-screen 0 1600x1200x24' \(driverPath) --port=$1 &
            curl -s -o /dev/null --retry 60 --retry-delay 1 --retry-connrefused \\
                http://127.0.0.1:$1/status && echo started successfully on port $1
            """
        }
    }

    /// The body of the request for a session. Tests may run as root, where Chromium has no sandbox.
    var capabilities: String {
        switch self {
        case .chromium:
            #"""
            {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": true,
              "goog:loggingPrefs": {"browser": "ALL"},
              "goog:chromeOptions": {"args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--hide-scrollbars", "--force-device-scale-factor=1", "--lang=en"]}}}}
            """#
        case .webKit:
            #"""
            {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": true,
              "webkitgtk:browserOptions": {
                "binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "args": ["--automation"]}}}}
            """#
        }
    }
}

/// A browser's driver as a separate program. It ends with this process, however that ends, and
/// takes its browsers along.
final class BrowserDriver: Sendable {
    let port: Int
    private let program: RunningProgram
    /// Nothing is written to it. It closes when this process ends, which ends the driver.
    private let input: FileHandle

    init(_ engine: BrowserEngine) throws {
        guard Program.isInstalled(engine.driverPath) else {
            throw BrowserError.notInstalled(engine.driverPath)
        }
        // Outside the ports that Linux hands out by itself.
        let free = Int.random(in: 20_000..<32_000)
        // A session of its own: its signal reaches the browsers too.
        var shell = Program(
            "/usr/bin/setsid",
            ["sh", "-c", "\(engine.commands)\nread -r line; kill -KILL 0", "sh", "\(free)"])
        let (input, output) = (Pipe(), Pipe())
        shell.input = .descriptor(input.fileHandleForReading.fileDescriptor)
        shell.output = .descriptor(output.fileHandleForWriting.fileDescriptor)
        program = try shell.start()
        self.input = input.fileHandleForWriting
        try output.fileHandleForWriting.close()
        port = try Self.port(printedTo: output, engine)
    }

    /// Reads the output up to the line with the port.
    private static func port(printedTo output: Pipe, _ engine: BrowserEngine) throws -> Int {
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BrowserError.didNotStart(engine.driverPath) }
            text += String(decoding: data, as: UTF8.self)
            let found = text.firstMatch(of: /started successfully on port (\d+)/)
            if let found, let port = Int(found.1) { return port }
        }
    }
}
