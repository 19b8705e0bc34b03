/// One name for one thing: top-level types of the whole package.
enum NameRules {
    /// Types that have a name, or one that differs in capitals only, which another type has too.
    static func findings(in files: [SourceFile]) -> [String] {
        let types = files.flatMap { file in
            file.declaredTypes.filter { $0.depth == 0 }.map {
                (name: $0.name, place: $0.line, file)
            }
        }
        return Dictionary(grouping: types) { $0.name.lowercased() }.values
            .filter { $0.count > 1 }
            .flatMap { namesakes in
                namesakes.map {
                    $0.2.finding($0.place, "\($0.name) is the name of another type too")
                }
            }.sorted()
    }
}
