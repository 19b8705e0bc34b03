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
    /// Whether the file has pages from behind the damage.
    private var isFileNewer = false
    /// The last frame of the valid part, and how many pages the database has there.
    private var validEnd: (frame: Int, pages: UInt32)?

    init(damaged: Int) { self.damaged = damaged }

    /// Takes the next frame of the generation. `isInFile`: whether the file has its page like this.
    mutating func take(_ frame: LogFrame, isInFile: Bool) {
        let isKnown = frame.number != damaged
        versions[frame.page, default: []].append(
            Version(frame: frame.number, isInFile: isKnown ? isInFile : nil))
        guard frame.number > damaged else {
            if isKnown, frame.isCommit { validEnd = (frame.number, frame.pagesAfterCommit) }
            return
        }
        if frame.isCommit { commits.append(frame.number) }
        if isInFile { isFileNewer = true }
    }

    /// `nil`: a checkpoint was interrupted, and the file has pages of several states.
    var state: State? {
        guard isFileNewer else { return .validPart }
        if commits.reversed().contains(where: isFileWhole) { return .file }
        return coversNewerPages ? .validPart : nil
    }

    /// Whether the valid part has every page that the file may have from behind the damage.
    private var coversNewerPages: Bool {
        guard let validEnd else { return false }
        return !versions.contains { page, versions in
            page <= validEnd.pages && !versions.contains { $0.frame <= validEnd.frame }
                && versions.contains { $0.isInFile != false }
        }
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
