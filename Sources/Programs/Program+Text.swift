internal import Dispatch
internal import Glibc

extension Program {
    /// What a program has printed, and how it ended.
    package struct Printed: Sendable {
        package let text: String
        /// The exit code, or the number of the signal that ended it; `nil`: nobody knows.
        package let end: Int32?
    }

    /// What becomes of a program's standard error while its output is read.
    package enum Complaints: Sendable {
        case dropped, printed
    }

    /// Runs the program to its end. It is not cut short: who calls has to see to that it ends.
    package func printed(_ complaints: Complaints = .dropped) async throws -> Printed {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProgramError("no pipe for \(path): \(String(cString: strerror(errno)))")
        }
        let (reading, writing) = (ends[0], ends[1])
        var program = self
        program.output = .descriptor(writing)
        switch complaints {
        case .dropped: program.errors = .nowhere
        case .printed: program.errors = .descriptor(writing)
        }
        let running: RunningProgram
        do {
            defer { close(writing) }
            running = try program.start()
        } catch {
            close(reading)
            throw error
        }
        return await withCheckedContinuation { continuation in
            // It blocks until the program ends, so it has a queue of its own.
            DispatchQueue(label: "words of a program").async {
                let text = Self.text(from: reading)
                close(reading)
                continuation.resume(returning: Printed(text: text, end: running.waitForEnd().code))
            }
        }
    }

    private static func text(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count > 0 { bytes += piece[..<count] }
            guard count > 0 || (count < 0 && errno == EINTR) else { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
