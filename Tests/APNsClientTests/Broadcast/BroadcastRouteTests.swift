import HTTP2
import Testing

@testable import APNsClient

@Suite("Which host takes broadcasts")
struct BroadcastRouteTests {
    private static let lone = BroadcastHosts(
        management: .init(host: "m"), publishing: .init(host: "p"))

    @Test("Apple's hosts and ports are those of its pages")
    func apple() {
        let hosts = [BroadcastHosts.sandbox, .production].map {
            [$0.management, $0.publishing, $0.alternative].map {
                "\($0?.host ?? "-"):\($0?.port ?? 0)"
            }
        }
        #expect(
            hosts == [
                [
                    "api-manage-broadcast.sandbox.push.apple.com:2195",
                    "api.sandbox.push.apple.com:443", "api-broadcast.sandbox.push.apple.com:443",
                ],
                [
                    "api-manage-broadcast.push.apple.com:2196", "api.push.apple.com:443",
                    "api-broadcast.push.apple.com:443",
                ],
            ])
    }

    @Test("a first host that knows broadcasts stays the host")
    func first() {
        var route = BroadcastRoute(.sandbox)
        #expect(route.host == .publishing)
        #expect(route.record(.knowsBroadcasts, from: .publishing, attempt: 1) == .finish)
        #expect(route.record(.unreachable, from: .publishing, attempt: 1) == .finish)
        #expect(route.host == .publishing)
    }

    @Test(
        "a first host that takes none, or is away, leads to the other, which is remembered",
        arguments: [BroadcastSign.takesNone, .unreachable])
    func fallback(sign: BroadcastSign) {
        var route = BroadcastRoute(.sandbox)
        #expect(route.record(sign, from: .publishing, attempt: 1) == .sendTo(.alternative))
        #expect(route.record(.knowsBroadcasts, from: .alternative, attempt: 2) == .finish)
        #expect(route.host == .alternative)
    }

    @Test("a broadcast is tried at both hosts at most, and nothing is remembered of two failures")
    func neither() {
        var route = BroadcastRoute(.sandbox)
        #expect(route.record(.takesNone, from: .publishing, attempt: 1) == .sendTo(.alternative))
        #expect(route.record(.unreachable, from: .alternative, attempt: 2) == .finish)
        #expect(route.host == .publishing)
    }

    @Test("a fate that is not known is never repeated elsewhere")
    func silent() {
        var route = BroadcastRoute(.sandbox)
        #expect(route.record(.silent, from: .publishing, attempt: 1) == .finish)
        #expect(route.host == .publishing)
    }

    @Test("a remembered host that takes none any more is left")
    func moved() {
        var route = BroadcastRoute(.sandbox)
        _ = route.record(.knowsBroadcasts, from: .publishing, attempt: 1)
        #expect(route.record(.takesNone, from: .publishing, attempt: 1) == .sendTo(.alternative))
        #expect(route.record(.knowsBroadcasts, from: .alternative, attempt: 2) == .finish)
        #expect(route.host == .alternative)
    }

    @Test(
        "without another host every answer is the last",
        arguments: [BroadcastSign.takesNone, .unreachable])
    func alone(sign: BroadcastSign) {
        var route = BroadcastRoute(Self.lone)
        #expect(route.record(sign, from: .publishing, attempt: 1) == .finish)
        #expect(route.host == .publishing)
    }
}

@Suite("What an answer says of its host")
struct BroadcastSignTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let result: RequestResult
        let sign: BroadcastSign
        let testDescription: String

        static func refusal(_ status: Int, _ reason: String, _ sign: BroadcastSign) -> Row {
            Row(
                result: .failure(
                    .refused(
                        APNsClient.Refusal(
                            status: status, reason: reason, timestamp: nil, action: .deadLetter))),
                sign: sign, testDescription: "\(status) \(reason)")
        }

        static func failure(_ failure: RequestFailure, _ sign: BroadcastSign) -> Row {
            Row(result: .failure(failure), sign: sign, testDescription: "\(failure)")
        }

        static func success(_ status: Int, _ sign: BroadcastSign) -> Row {
            Row(
                result: .success(HTTP2Response(status: status)), sign: sign,
                testDescription: "\(status)")
        }
    }

    @Test(
        "a host of devices, or of anything else, takes none",
        arguments: [
            Row.refusal(404, "BadPath", .takesNone), .refusal(404, "", .takesNone),
            .refusal(405, "MethodNotAllowed", .takesNone), .refusal(421, "", .takesNone),
            .refusal(400, "MissingDeviceToken", .takesNone),
            .refusal(400, "BadDeviceToken", .takesNone),
            .refusal(400, "DeviceTokenNotForTopic", .takesNone),
            .refusal(400, "MissingTopic", .takesNone), .refusal(400, "BadTopic", .takesNone),
            .refusal(410, "Unregistered", .takesNone), .refusal(410, "ExpiredToken", .takesNone),
        ])
    func takesNone(row: Row) { #expect(BroadcastSign(row.result) == row.sign) }

    @Test(
        "an answer about channels settles the host, good or bad",
        arguments: [
            Row.success(200, .knowsBroadcasts),
            .refusal(400, "BadChannelId", .knowsBroadcasts),
            .refusal(400, "ChannelNotRegistered", .knowsBroadcasts),
            .refusal(400, "FeatureNotEnabled", .knowsBroadcasts),
            .refusal(400, "MissingChannelId", .knowsBroadcasts),
            .refusal(400, "MissingPushType", .knowsBroadcasts),
            .refusal(400, "BadRequestParams", .knowsBroadcasts),
            .refusal(400, "BadRequestPayload", .knowsBroadcasts),
            .refusal(403, "TopicMismatch", .knowsBroadcasts),
        ])
    func knows(row: Row) { #expect(BroadcastSign(row.result) == row.sign) }

    @Test(
        "what any host may answer, or an unknown fate, says nothing",
        arguments: [
            Row.success(204, .silent), .refusal(400, "PayloadEmpty", .silent),
            .refusal(400, "BadExpirationDate", .silent),
            .refusal(400, "a reason of tomorrow", .silent),
            .refusal(403, "InvalidProviderToken", .silent),
            .refusal(403, "BadCertificate", .silent),
            .refusal(413, "PayloadTooLarge", .silent),
            .refusal(429, "TooManyRequests", .silent),
            .refusal(500, "InternalServerError", .silent),
            .refusal(503, "ServiceUnavailable", .silent),
            .failure(.unknown("lost"), .silent),
            .failure(.heldBack("a pause", retryAfterMilliseconds: 1), .silent),
        ])
    func silent(row: Row) { #expect(BroadcastSign(row.result) == row.sign) }

    @Test("without a connection nothing has left")
    func unreachable() {
        #expect(BroadcastSign(.failure(.notSent("connection refused"))) == .unreachable)
    }
}
