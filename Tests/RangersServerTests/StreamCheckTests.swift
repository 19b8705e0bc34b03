import Playtest
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

/// The streams by which the doctor learns how many a proxy carries.
@Suite("Streams of the doctor", .timeLimit(.minutes(2)))
struct StreamCheckTests {
    private static let path = "/v1/stream-check"

    private static func token(for server: TestServer) -> String {
        DoctorToken(of: Secret(TestServer.adminKey), at: server.clock.now).secret.revealed
    }

    @Test("PR15: the doctor's token is valid for five minutes, and with the owner's key alone")
    func token() {
        let key = Secret(TestServer.adminKey)
        let now = WallTime(milliseconds: 1_800_000_000_000)
        let token = DoctorToken(of: key, at: now).secret
        #expect(!token.revealed.contains(key.revealed))
        for seconds in [-301, -300, 0, 300, 301] as [Int64] {
            let isValid = DoctorToken.isValid(token, of: key, at: now.adding(seconds: seconds))
            #expect(isValid == (abs(seconds) <= 300), "\(seconds) s")
        }
        let other = Secret(String(TestServer.adminKey.reversed()))
        #expect(!DoctorToken.isValid(token, of: other, at: now))
        let hash = token.revealed.drop { $0 != "." }
        for text in ["", ".", "1800000000", "x\(hash)", "1800000001\(hash)", "\(token.revealed)0"] {
            #expect(!DoctorToken.isValid(Secret(text), of: key, at: now), "\(text)")
        }
    }

    @Test("the doctor has half of the places that players have left, and they have the others")
    func places() async throws {
        let server = try await TestServer(streamsMax: 6)
        let token = Self.token(for: server)
        var doctors: [StreamClient] = []
        var statuses: [Int] = []
        for _ in 0..<4 {
            let client = StreamClient(to: server)
            statuses.append(await client.get(Self.path, as: token))
            doctors.append(client)
        }
        #expect(statuses == [200, 200, 200, 503])
        #expect(await doctors[3].headers["retry-after"] == "1")
        #expect(await doctors[0].headers["x-accel-buffering"] == "no")
        for number in 0..<6 {
            let player = try await TestPlayer.make("Panda \(number)", at: server)
            let client = StreamClient(to: server)
            let status = await client.open(try await player.found().id, as: player)
            #expect(status == 200)
            doctors.append(client)
        }
        let late = StreamClient(to: server)
        #expect(await late.get(Self.path, as: token) == 503)
        await server.server.drain()
    }

    @Test("a place of the doctor's is free when its stream is over")
    func freed() async throws {
        let server = try await TestServer(streamsMax: 2)
        let token = Self.token(for: server)
        for _ in 0..<3 {
            var client = StreamClient(to: server)
            while await client.get(Self.path, as: token) != 200 {
                client = StreamClient(to: server)
            }
            #expect(await StreamClient(to: server).get(Self.path, as: token) == 503)
        }
        await server.server.drain()
    }
}
