import Programs
import Testing

@testable import PartyStore

@Suite("Statements that PostgreSQL keeps under names")
struct StatementNamesTests {
    private static let sql = Array("SELECT $1".utf8CString)
    private let number = PostgreSQLParameters([.integer(1)])

    @Test("a statement is new once, and keeps its name")
    func new() {
        var names = StatementNames(.withoutArrays)
        #expect(names.isNew(Self.sql, number))
        let first = names.name(of: Self.sql, number)
        #expect(first?.isNew == true)
        #expect(!names.isNew(Self.sql, number))
        let second = names.name(of: Self.sql, PostgreSQLParameters([.integer(2)]))
        #expect(second?.isNew == false)
        #expect(second?.text == first?.text)
    }

    @Test("the same text has another name for parameters of other types")
    func types() {
        var names = StatementNames(.withoutArrays)
        let number = names.name(of: Self.sql, number)
        let null = names.name(of: Self.sql, PostgreSQLParameters([.null]))
        #expect(null?.isNew == true)
        #expect(null?.text != number?.text)
    }

    @Test("a statement whose name PostgreSQL has refused is new again, under the same name")
    func refused() {
        var names = StatementNames(.withoutArrays)
        let refused = names.name(of: Self.sql, number)
        if let refused { names.forget(refused) }
        #expect(names.isNew(Self.sql, number))
        let next = names.name(of: Self.sql, number)
        #expect(next?.text == refused?.text)
        #expect(next?.isNew == true)
    }

    @Test("a name stands for the same statement at every connection")
    func everywhere() {
        let texts = (0..<2).map { number in
            var names = StatementNames(.withoutArrays)
            for other in 0..<number { _ = names.name(of: [CChar(other), 0], self.number) }
            return names.name(of: Self.sql, self.number)?.text
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0] != nil)
    }

    @Test("statements with arrays, without parameters, or behind a pooler have none")
    func nameless() {
        var direct = StatementNames(.withoutArrays)
        var array = PostgreSQLParameters()
        array.append(array: [1, 2])
        let ofArray = direct.name(of: Self.sql, array)
        let ofNone = direct.name(of: Self.sql, .none)
        #expect(ofArray == nil && ofNone == nil)
        var pooled = StatementNames(.never)
        let ofPooled = pooled.name(of: Self.sql, number)
        #expect(ofPooled == nil)
    }

    private static let count: StaticString = """
        SELECT count(*) FROM pg_prepared_statements WHERE generic_plans + custom_plans > ?1
        """

    @Test("PostgreSQL keeps a statement, and counts how often it ran")
    func kept() throws {
        try withSession { session throws in
            let kept: Int64 = PostgreSQLServer.isPooled ? 0 : 1
            #expect(try session.integer(Self.count, [.integer(0)]) == kept)
            #expect(try session.integer(Self.count, [.integer(1)]) == kept)
            #expect(try session.integer(Self.count, [.integer(3)]) == 0)
        }
    }

    @Test("a statement that failed when it was new succeeds later, in a transaction too")
    func failed() throws {
        try withSession { session throws in
            let insert: StaticString = "INSERT INTO later (number) VALUES (?1)"
            #expect(throws: SQLFailure.self) { try session.run(insert, [.integer(1)]) }
            session.begin(.writing)
            try session.run("CREATE TABLE later (number bigint PRIMARY KEY)")
            #expect(try session.run(insert, [.integer(1)]) == 1)
            session.beginChange()
            #expect(throws: SQLFailure.self) { try session.run(insert, [.integer(1)]) }
            session.endChange(.closed)
            #expect(try session.run(insert, [.integer(2)]) == 1)
            session.rollBack()
            #expect(throws: SQLFailure.self) { try session.run(insert, [.integer(3)]) }
        }
    }

    @Test("statements go out together with those that are new")
    func pipeline() throws {
        try withSession { session throws in
            let double = session.text(of: "SELECT ?1::bigint * 2")
            func doubled(_ numbers: Int64...) throws -> [Int64] {
                try session.link.run(
                    pipeline: numbers.map { (double, PostgreSQLParameters([.integer($0)])) }
                ).map { $0.row(0).integer(0) }
            }
            #expect(try doubled(1, 2, 3) == [2, 4, 6])
            session.begin(.reading)
            #expect(try doubled(4) == [8])
            session.rollBack()
        }
    }

    @Test("a connection that has lost its statements is given up, and nothing is damaged")
    func lost() throws {
        try withSession { session throws in
            guard !PostgreSQLServer.isPooled else { return }
            _ = try session.integer(Self.count, [.integer(0)])
            try session.link.run(script: "DEALLOCATE ALL")
            let failure = #expect(throws: SQLFailure.self) {
                try session.integer(Self.count, [.integer(0)])
            }
            #expect(failure?.isPassing == true)
            #expect(!session.link.isUsable)
        }
    }

    private func withSession(_ body: (PostgreSQLSession) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(try PostgreSQLSession(try folder.schema()))
    }
}
