import Glibc
import Programs
import Testing

@Suite("A throwaway PostgreSQL", .serialized)
struct PostgreSQLServerTests {
    @Test("it has a port when it is given one, settings, and fsync when asked")
    func settings() async throws {
        var settings = PostgreSQLServer.Settings()
        settings.port = try LoopbackPort.free()
        settings.durability = .fsync
        settings.lines = ["work_mem = '5MB'"]
        let server = try PostgreSQLServer(settings)
        #expect(server.uri.contains("127.0.0.1:\(settings.port ?? 0)"))
        #expect(LoopbackPort.isOpen(settings.port ?? 0))
        #expect(
            try await server.query("SHOW fsync; SHOW work_mem; SHOW synchronous_standby_names")
                == "on\n5MB\n\n")
        try server.order(.set("work_mem = '6MB'"))
        #expect(try await server.query("SHOW work_mem") == "6MB\n")
    }

    @Test("a synchronous standby has what the primary acknowledged, and takes over")
    func standby() async throws {
        let primary = try PostgreSQLServer()
        let standby = try PostgreSQLServer(standbyOf: primary, name: "second", .init())
        try primary.order(.set("synchronous_standby_names = 'second'"))
        try await primary.query("CREATE TABLE told (word text); INSERT INTO told VALUES ('kept')")
        try primary.order(.crash)
        await #expect(throws: ProgramError.self) { try await primary.query("SELECT 1") }
        await #expect(throws: ProgramError.self) {
            try await standby.query("INSERT INTO told VALUES ('early')")
        }
        try standby.order(.promote)
        try await standby.query("INSERT INTO told VALUES ('after')")
        #expect(try await standby.query("SELECT word FROM told") == "kept\nafter\n")
    }

    @Test("its folder goes with it, and a statement that fails is an error")
    func end() async throws {
        var server: PostgreSQLServer? = try PostgreSQLServer()
        let folder = server?.folder ?? ""
        #expect(access(folder, F_OK) == 0)
        await #expect(throws: ProgramError.self) { try await server?.query("SELECT 1/0") }
        server = nil
        #expect(access(folder, F_OK) != 0)
    }
}
