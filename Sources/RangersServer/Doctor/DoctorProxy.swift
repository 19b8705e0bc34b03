internal import HTTPServer
internal import Secrets

/// The check of the proxy in front of a server that runs: how many event streams it carries.
struct DoctorProxy {
    /// Open files besides those of streams.
    private static let otherFiles = 64

    let url: PublicURL
    /// The owner's key, which the proxy does not learn.
    let key: Secret
    let probes: DoctorProbes

    func finding() -> DoctorFinding {
        let count = min(StreamChecks.streamsMax, probes.openFilesMax() - Self.otherFiles)
        let address = url.origin + url.path + "v1/stream-check"
        let outcome = probes.streams(address, DoctorToken(of: key, at: probes.now()).secret, count)
        let carried = "\(url.origin) carries \(outcome.open) event streams"
        switch outcome.refusal {
        case nil:
            return DoctorFinding("proxy", .ok, "\(carried), as many as were tried")
        case .failure(let reason) where outcome.open == 0:
            return DoctorFinding(
                "proxy", .problem, "\(url.origin) cannot be reached: \(reason)",
                action: "check the proxy, its certificate, and --public-url")
        case .failure(let reason):
            return limit("\(carried), and then fails: \(reason)")
        case .response(let status, let body):
            return finding(carried, status, body)
        }
    }

    private func finding(_ carried: String, _ status: Int, _ body: String) -> DoctorFinding {
        switch status {
        case 401:
            DoctorFinding(
                "proxy", .problem, "the server behind \(url.origin) does not know the owner's key",
                action: "check --public-url and --admin-key-file, and the clocks of both machines")
        case 403, 404:
            DoctorFinding(
                "proxy", .problem, "\(url.origin) responds \(status) to players",
                action: "let it pass on /v1/: see the operators' guide, step 4")
        case 429:
            DoctorFinding("proxy", .ok, "\(carried) of one address, and limits it to these")
        case 503 where body.contains(Problem.tooManyStreamChecks.title):
            DoctorFinding("proxy", .ok, "\(carried), and the server has no places for more now")
        default:
            limit("\(carried), and then responds \(status)")
        }
    }

    private func limit(_ text: String) -> DoctorFinding {
        DoctorFinding(
            "proxy", .problem, text,
            action: "raise its connections and open files: see the operators' guide, step 4")
    }
}
