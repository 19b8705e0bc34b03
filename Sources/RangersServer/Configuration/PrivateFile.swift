internal import Glibc
internal import OptionParsing

/// A file that only the server's user may read.
enum PrivateFile {
    /// Returns the path of the data file. One that others can read is refused: it has push tokens
    /// (PR16).
    static func data(_ values: OptionValues) throws(OptionsError) -> String {
        let path = try values.required("data")
        for file in [path, path + "-wal", path + "-shm"] where isOpenToOthers(file) {
            throw values.invalid(
                "data",
                expected: "a file readable by the server's user only: run 'chmod 600' on \(file), "
                    + "and consider who has read the push tokens in it")
        }
        return path
    }

    /// Whether the file exists, and not only its owner may use it.
    static func isOpenToOthers(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_mode & 0o077 != 0
    }
}
