package import OptionParsing
package import PartyStore

/// Which game a command is about: a data file, or a database.
package enum PlaceOptions {
    /// The options of commands that only read.
    package static let reading = [
        Option("data", "FILE", "The data file; a server may be running on it"),
        Option(
            "store", "URI",
            "A PostgreSQL database instead of --data; servers may be running on it",
            visibility: .secret),
    ]

    /// Returns the place that `--data` or `--store` names.
    package static func place(_ values: OptionValues) throws(OptionsError) -> GamePlace {
        try isDatabase(values)
            ? .database(try database("store", of: values)) : .file(try values.required("data"))
    }

    /// Returns whether `--store` says where the game is kept. Of a flag and the other's variable the
    /// flag counts.
    package static func isDatabase(_ values: OptionValues) throws(OptionsError) -> Bool {
        guard values.text("store") != nil, values.text("data") != nil else {
            return values.text("store") != nil
        }
        guard values.isTyped("store") != values.isTyped("data") else {
            throw values.invalid("data", expected: "left out: --store says where the game is kept")
        }
        return values.isTyped("store")
    }

    /// Returns the place that one option names: a URI, or a file.
    package static func place(
        _ name: String, of values: OptionValues
    ) throws(OptionsError) -> GamePlace {
        let text = try values.required(name)
        return PostgreSQLAddress.isURI(text)
            ? .database(try database(name, of: values)) : .file(text)
    }

    private static func database(
        _ name: String, of values: OptionValues
    ) throws(OptionsError) -> PostgreSQLAddress {
        let uri = try values.required(name)
        do throws(PostgreSQLAddress.Fault) {
            return try PostgreSQLAddress(uri)
        } catch {
            throw values.invalid(name, expected: error.expected)
        }
    }
}
