internal import FoundationEssentials
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// The operator's list of names that no new hero may have: one a line, `#` begins a comment.
/// `name` forbids the whole name, `*part*` every name that contains it.
struct NameList: Hashable, Sendable {
    /// The most bytes of the file.
    static let bytesMax = 1 << 20

    private var names: Set<String> = []
    private var parts: [String] = []

    init() {}

    init(_ bytes: [UInt8]) throws(NameListFault) {
        guard bytes.count <= Self.bytesMax else { throw .tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let entry = Self.trimmed(line.prefix { $0 != "#" })
            guard !entry.isEmpty else { continue }
            let isPart = entry.count > 2 && entry.hasPrefix("*") && entry.hasSuffix("*")
            let forms = FoldedName(
                isPart ? String(entry.dropFirst().dropLast()) : String(entry)
            ).forms
            guard !forms.isEmpty else { throw .noLetters(line: number + 1) }
            if isPart { parts += forms } else { names.formUnion(forms) }
        }
    }

    /// Reads the file.
    static func read(_ path: String) throws(NameListFault) -> (bytes: [UInt8], list: NameList) {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable }
        let bytes = [UInt8](data)
        return (bytes, try NameList(bytes))
    }

    func contains(_ name: FoldedName) -> Bool {
        name.forms.contains { form in
            names.contains(form) || parts.contains { form.contains($0) }
        }
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}

/// Why a list of names cannot be used.
enum NameListFault: Error, Hashable, CustomStringConvertible {
    case unreadable
    case tooLarge
    case notUTF8
    case noLetters(line: Int)

    var description: String {
        switch self {
        case .unreadable: "the file cannot be read"
        case .tooLarge: "the file is larger than \(NameList.bytesMax) bytes"
        case .notUTF8: "the file is not UTF-8"
        case .noLetters(let line): "line \(line) has no letters"
        }
    }
}

/// The names that no new hero may have: the operator's list and those that moderators have banned.
final class NameRules: Sendable {
    private struct State {
        var list = NameList()
        var banned: Set<String> = []
        var reads = ReadOrder()
    }

    private let state = Locked(State())

    /// Reads what is in force at a start. Throws when the operator's file cannot be used.
    static func loaded(
        with file: String?, _ dependencies: Dependencies
    ) async throws -> (NameRules, NameListFile?) {
        let rules = NameRules()
        try await rules.reload(dependencies.store)
        return (rules, try file.map { try NameListFile($0, for: rules, dependencies) })
    }

    func allows(_ name: String) -> Bool {
        let name = FoldedName(name)
        let (list, isBanned) = state.withLock { ($0.list, !$0.banned.isDisjoint(with: name.forms)) }
        return !isBanned && !list.contains(name)
    }

    func use(_ list: NameList) { state.withLock { $0.list = list } }

    /// Reads the banned names, at a start and after each change.
    func reload(_ store: any Store) async throws(StoreError) {
        let number = state.withLock { $0.reads.begin() }
        let names = Set(try await store.bannedNames().flatMap { FoldedName($0.name).forms })
        state.withLock { state in
            if state.reads.take(number) { state.banned = names }
        }
    }
}

/// Reads the operator's list again when its file has changed. A file that cannot be used leaves the
/// list as it is.
actor NameListFile {
    /// The pause between two looks at the file, in seconds.
    static let restSeconds: Int64 = 10

    private let path: String
    private let rules: NameRules
    private let dependencies: Dependencies
    private let rest: Sleeper
    private var bytes: [UInt8]
    private var fault: NameListFault?
    private var isStopping = false

    /// Reads the file for the first time, and throws when it cannot be used.
    init(
        _ path: String, for rules: NameRules, _ dependencies: Dependencies
    ) throws(NameListFault) {
        let (bytes, list) = try NameList.read(path)
        rules.use(list)
        self.path = path
        self.rules = rules
        self.dependencies = dependencies
        self.bytes = bytes
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
            look()
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    /// Compares the file itself: its date may stay the same.
    private func look() {
        do throws(NameListFault) {
            let (bytes, list) = try NameList.read(path)
            fault = nil
            guard bytes != self.bytes else { return }
            self.bytes = bytes
            rules.use(list)
            dependencies.log.info("the list of blocked names was reloaded", ["file": path])
        } catch {
            guard error != fault else { return }
            fault = error
            dependencies.log.error(
                "the list of blocked names cannot be used: the old one stays in force",
                ["file": path, "error": "\(error)"])
        }
    }
}
