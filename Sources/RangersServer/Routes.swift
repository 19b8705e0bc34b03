internal import HTTPServer

/// Every route of the server, and who may call it.
enum Routes {
    static let all: [APIRoute] =
        [
            RegisterPlayer.route,
            ShowMe.route,
            ExportMe.route,
            DeleteMe.route,
            Reconcile.route,
            CreateHero.route,
            ListHeroes.route,
            CreateParty.route,
            ListOwnParties.route,
            JoinParty.route,
            ShowParty.route,
            StreamParty.route,
            CheckStream.route,
            ListAdventures.route,
            ShowWorld.route,
            ShowWorldChannel.route,
            StartAdventure.route,
            CheckReadiness.route,
            CheckReadiness.endRoute,
            PerformAction.route,
            AnswerAsk.route,
            RenewCode.route,
            KickHero.route,
            ChangeLeader.route,
            DisbandParty.route,
            PutChannel.route,
            ShowChannel.route,
            DeleteChannel.route,
            ShowActivity.route,
            PutActivity.route,
            StreamPushes.route,
            ReportActivity.route,
            DeleteActivity.route,
            DeletePushToken.route,
            PutStartToken.route,
            DeleteStartToken.route,
            ReportHero.route,
            StreamConsole.route,
            ListParties.route,
            ListPlayers.route,
            ListDevices.route,
            ShowPartyPage.route,
            ShowLedger.route,
            ShowPushStatistics.route,
            ShowNodes.route,
            ShowAudit.route,
            RunCommand.route,
        ] + HeroHome.routes + Devices.routes + Recovery.routes + BlockPlayer.routes
        + ShowLeaderboards.routes + Widgets.routes + ModerateNames.routes
        + ManagePacks.routes + ManageWorld.routes + ManageKeys.routes + ManageSession.routes
        + ManagePushPause.routes
        + ManageFrozenParties.routes
        + CommandJobs.routes + ShowMoments.routes
        + ManagePlayers.routes + [ShowContent.route, PreviewContent.route, ShowSentences.route]
        + GameMasterCommands.routes + HealthEndpoints.routes
        + [OpenAPI.route, ManagePacks.schemaRoute]

    /// The routes of a listener beside that of game masters: all but theirs and the metrics.
    static let ofPlayers = all.filter { !$0.access.isOfGameMasters && $0.template != "/metrics" }

    /// The routes of a listener for game masters and their monitoring.
    static let ofGameMasters =
        all.filter(\.access.isOfGameMasters) + HealthEndpoints.routes

    /// Returns the table of a listener, which is made once a process.
    static func router(for audience: Pages.Audience) -> Router<Access, Call> {
        switch audience {
        case .everybody: allRouter
        case .players: playersRouter
        case .gameMasters: gameMastersRouter
        }
    }

    private static let allRouter = Router(all)
    private static let playersRouter = Router(ofPlayers)
    private static let gameMastersRouter = Router(ofGameMasters)
}

extension Access {
    fileprivate var isOfGameMasters: Bool {
        switch self {
        case .anyone, .player, .doctor: false
        case .signIn, .admin: true
        }
    }
}
