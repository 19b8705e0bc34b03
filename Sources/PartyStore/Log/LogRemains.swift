/// What is left of a database whose write-ahead log is damaged.
///
/// A checkpoint copies the newest version of each page from the log into the file, and leaves them
/// in the log. After a kill the file under a damaged log may therefore be newer than the damage,
/// and then the valid part of the log, with its older versions, must not be put over it.
struct LogRemains {
    /// A whole state that can still be had.
    enum State {
        /// That before the damage: the valid part of the log over the file.
        case validPart
        /// A later one: that of the file alone.
        case file
    }

    /// A page as a frame has it.
    private struct Version {
        let frame: Int
        /// Whether the file has it; `nil` of the damaged frame, which does not say what it was.
        let isInFile: Bool?
    }

    /// The first invalid frame; 0: the header.
    private let damaged: Int
    /// By page, in the order of the frames.
    private var versions: [UInt32: [Version]] = [:]
    /// The last frames of the transactions behind the damage.
    private var commits: [Int] = []
    private var isFileNewer = false

    init(damaged: Int) { self.damaged = damaged }

    /// Takes the next frame of the generation. `isInFile`: whether the file has its page like this.
    mutating func take(_ frame: LogFrame, isInFile: Bool) {
        let isKnown = frame.number != damaged
        versions[frame.page, default: []].append(
            Version(frame: frame.number, isInFile: isKnown ? isInFile : nil))
        guard frame.number > damaged else { return }
        if frame.isCommit { commits.append(frame.number) }
        if isInFile { isFileNewer = true }
    }

    /// `nil`: a checkpoint was interrupted, and the file has pages of several states.
    var state: State? {
        guard isFileNewer else { return .validPart }
        return commits.reversed().contains(where: isFileWhole) ? .file : nil
    }

    /// Whether the file has each page as it was at this commit.
    private func isFileWhole(at commit: Int) -> Bool {
        !versions.values.contains { versions in
            guard let newest = versions.last(where: { $0.frame <= commit }) else {
                return versions.contains { $0.isInFile == true }
            }
            return newest.isInFile == false
        }
    }
}
