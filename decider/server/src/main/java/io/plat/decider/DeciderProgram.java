package io.plat.decider;

import io.plat.authorization.AuthorizationConfiguration;
import io.plat.client.remote.RoundTrips;
import io.plat.decider.live.LiveDecisions;
import io.plat.decider.log.DecisionLog;
import io.plat.decider.log.DecisionLog.DecisionLogSettings;
import io.plat.decider.revision.RevisionStreams;
import io.plat.decider.shadow.Shadow;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.decided.DecisionLine;
import io.plat.engine.decided.SpecMask;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.engine.policy.LivePolicy;
import io.plat.engine.policy.LoggedReloads;
import io.plat.engine.policy.PluginModes;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.UsageException;
import io.plat.engine.rbac.follow.RoleSource;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.authzen.AuthZen;
import io.plat.fronts.check.CheckSettings;
import io.plat.fronts.check.FrontProvider;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.metrics.WebhookMeters;
import io.plat.http.process.OpenResources;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.ServerProgram.Running;
import io.plat.http.process.StartException;
import io.plat.process.Freshness;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a decider, in the order in which they are opened. */
final class DeciderProgram implements ServerProgram {
    private static final InstantSource CLOCK = InstantSource.system();

    /** Usual heap size under load with a small policy, in bytes. */
    private static final long SERVING_HEAP = 24L << 20;

    private static final String WEBHOOK = "Webhook";
    private static final String POLICY = "policy";
    private static final String ENVOY_FLAG = "--envoy-check";

    /** System property with which the launcher passes the location of protocols that are loaded on demand. */
    private static final String FRONTS = "plat.fronts";

    private final String version;
    private final DeciderFlags flags;

    DeciderProgram(String version) {
        this.version = version;
        this.flags = new DeciderFlags(version);
    }

    @Override
    public FlagSet flags() {
        return flags.set();
    }

    @Override
    public Running start(FlagValues values) throws StartException {
        flags.configureLog(values);
        Opening opening = new Opening(values);
        try {
            return start(opening);
        } catch (StartException refused) {
            opening.opened.close();
            throw refused;
        }
    }

    private Running start(Opening opening) throws StartException {
        @Nullable ServerTls tls = openTls(opening);
        Map<String, AuthorizerSource> sources = sources(opening);
        @Nullable AuthorizationConfiguration configured = configuration(opening, sources);
        @Nullable LivePolicy policy = load(opening, flags.authorization(opening.values), sources, POLICY);
        @Nullable LivePolicy candidate = load(opening, flags.candidate(opening.values), sources, "candidate policy");
        @Nullable RoleServer roles = openRoles(opening);
        @Nullable DecisionLog log = openLog(opening);
        @Nullable CheckSettings checks = flags.checks.open(opening.values, opening.opened, opening.problems);
        AuthZen.@Nullable Settings authZen = flags.authZen.open(
                opening.values, flags.watching(opening.values), opening.metrics, opening.opened, opening.problems);
        @Nullable FrontProvider envoy = findEnvoy(opening);
        opening.problems.throwIfAny();
        if (tls == null || policy == null) {
            throw new IllegalStateException("a part is missing without a problem");
        }
        returnWhatReadingTook();
        watch(opening, policy);
        if (configured != null) {
            configured.watch(flags.watchingConfig(opening.values), () -> {
                policy.remoteChanged();
                if (candidate != null) {
                    candidate.remoteChanged();
                }
            });
        }
        @Nullable Shadow shadow = null;
        if (candidate != null) {
            watch(opening, candidate);
            shadow = opening.opened.with(new Shadow(candidate::current, log, opening.metrics.registry()));
            shadow.start();
        }
        RevisionStreams revisions = opening.opened.with(new RevisionStreams(
                RevisionStreams.Settings.DEFAULT, () -> policy.current().revision(), opening.metrics.registry()));
        @Nullable RoleSource source = roles == null ? null : follow(opening, roles, policy, candidate);
        LiveDecisions live = openLive(opening);
        Running running = listen(
                new DeciderServer.Made(
                        tls,
                        policy,
                        configured,
                        opening.metrics,
                        revisions,
                        log,
                        shadow,
                        source,
                        live,
                        checks,
                        authZen,
                        envoy),
                opening);
        opening.remote.ifPresent(remote -> remote.follow(policy::remoteChanged));
        return running;
    }

    /**
     * Loading a policy leaves garbage of several times its size, some of which is old by now and would stay in memory while a decider has little
     * to do. No request waits yet, so that collecting it only delays the start; a heap no larger than under load is not worth that.
     */
    private static void returnWhatReadingTook() {
        if (Runtime.getRuntime().totalMemory() > SERVING_HEAP) {
            System.gc();
        }
    }

    private @Nullable ServerTls openTls(Opening opening) {
        ServerTls.Config config = flags.tls(opening.values);
        try {
            return opening.opened.with(ServerTls.open(config, opening.metrics.certificateReloads(), CLOCK));
        } catch (PemException unusable) {
            ServerTls.problems(config, unusable).forEach(opening.problems::add);
            return null;
        }
    }

    private Map<String, AuthorizerSource> sources(Opening opening) {
        Map<String, AuthorizerSource> sources = new HashMap<>(remote(opening));
        sources.putAll(plugins(opening));
        sources.replaceAll((mode, source) -> new SharedSource(source));
        return sources;
    }

    private @Nullable AuthorizationConfiguration configuration(Opening opening, Map<String, AuthorizerSource> sources) {
        @Nullable Path file = flags.config(opening.values);
        if (file == null) {
            return null;
        }
        AuthorizationOptions options = flags.authorization(opening.values).withAvailableModes(sources.keySet());
        try {
            AuthorizationConfiguration configured =
                    opening.opened.with(AuthorizationConfiguration.open(new AuthorizationConfiguration.Parts(
                            file,
                            Set.copyOf(options.modes()),
                            Map.of(
                                    AbacAuthorizer.MODE,
                                    "--authorization-policy-file",
                                    RbacAuthorizer.MODE,
                                    "--authorization-rbac-path, " + RoleServer.FLAG
                                            + " or --authorization-rbac-default-roles"),
                            opening.metrics.registry(),
                            opening.metrics.certificateReloads(),
                            CLOCK)));
            opening.configured = configured;
            return configured;
        } catch (ProblemsException unusable) {
            Problem.report(unusable.problems()).forEach(opening.problems::add);
            return null;
        }
    }

    private @Nullable LivePolicy load(
            Opening opening,
            @Nullable AuthorizationOptions given,
            Map<String, AuthorizerSource> sources,
            String policy) {
        if (given == null) {
            return null;
        }
        AuthorizationOptions options =
                flags.config(opening.values) == null ? given : given.withAvailableModes(sources.keySet());
        String what = policy.replace(' ', '-');
        LoggedReloads reloads = new LoggedReloads(
                policy,
                opening.metrics.reloads(what, true)::increment,
                opening.metrics.reloads(what, false)::increment);
        try {
            LivePolicy loaded = LivePolicy.start(loader(opening, options, sources, policy.equals(POLICY)), reloads);
            reloads.warn(loaded.current());
            return loaded;
        } catch (ProblemsException unusable) {
            Problem.report(unusable.problems()).forEach(opening.problems::add);
            return null;
        } catch (UsageException checkedBefore) {
            throw new IllegalStateException("the command line was checked", checkedBefore);
        }
    }

    /** Returns a loader of the modes, or of the authorizers in the configuration file. */
    private static PolicyLoader loader(
            Opening opening, AuthorizationOptions options, Map<String, AuthorizerSource> sources, boolean counts)
            throws UsageException {
        PolicyLoader loader = PolicyLoader.of(options, sources, CLOCK, opening.followed);
        @Nullable AuthorizationConfiguration file = opening.configured;
        return file == null ? loader : loader.arrangedBy(counts ? file::of : file::uncounted);
    }

    private @Nullable RoleServer openRoles(Opening opening) {
        @Nullable Path config = flags.authorization(opening.values).rbacKubeconfig();
        if (config == null) {
            return null;
        }
        try {
            return RoleServer.open(config, opening.metrics, opening.opened, CLOCK);
        } catch (ProblemsException unusable) {
            unusable.problems().forEach(problem -> opening.problems.add(RoleServer.FLAG, problem.toString()));
            return null;
        }
    }

    private static RoleSource follow(
            Opening opening, RoleServer roles, LivePolicy policy, @Nullable LivePolicy candidate) {
        return opening.opened.with(roles.follow(opening.followed, opening.freshness, () -> {
            policy.rolesChanged();
            if (candidate != null) {
                candidate.rolesChanged();
            }
        }));
    }

    private void watch(Opening opening, LivePolicy policy) {
        flags.watching(opening.values).ifPresent(settings -> opening.opened.with(policy.watch(settings)));
    }

    private @Nullable DecisionLog openLog(Opening opening) {
        @Nullable DecisionLogSettings settings = flags.decisionLog(opening.values);
        if (settings == null) {
            return null;
        }
        try {
            return opening.opened.with(DecisionLog.open(settings, name(opening), opening.metrics.registry(), CLOCK));
        } catch (IOException unusable) {
            opening.problems.add(DeciderFlags.DecisionLogFlags.PATH, String.valueOf(unusable.getMessage()));
            return null;
        }
    }

    private @Nullable FrontProvider findEnvoy(Opening opening) {
        if (!flags.checks.envoy(opening.values)) {
            return null;
        }
        try {
            return FrontProvider.find(Path.of(System.getProperty(FRONTS, "")), ENVOY_FLAG);
        } catch (IOException missing) {
            opening.problems.add(ENVOY_FLAG, "plat-envoy (module decider/envoy) is missing: " + missing.getMessage());
            return null;
        }
    }

    /** Opens the live stream, with the same limits and masks as the log. */
    private LiveDecisions openLive(Opening opening) {
        @Nullable DecisionLogSettings settings = flags.decisionLog(opening.values);
        ClientIdentity.ReasonPolicy reasonPolicy = flags.reasonPolicy(opening.values);
        return opening.opened.with(new LiveDecisions(
                new DecisionLine(name(opening), new SpecMask(settings == null ? Set.of() : settings.masked())),
                reasonPolicy::refusal));
    }

    /** Returns the authorizer name that is counted and logged for decisions of no single mode. */
    private String name(Opening opening) {
        @Nullable AuthorizationConfiguration file = opening.configured;
        return DeciderServer.deciderName(
                file == null ? flags.authorization(opening.values).modes() : List.of());
    }

    private Map<String, AuthorizerSource> remote(Opening opening) {
        WebhookMode.@Nullable Choices choices = flags.remote(opening.values);
        if (choices == null) {
            return Map.of();
        }
        return Map.of(WEBHOOK, () -> {
            WebhookMode remote =
                    opening.opened.with(WebhookMode.open(choices, opening.metrics.certificateReloads(), CLOCK));
            WebhookMeters<WebhookMode> meters = new WebhookMeters<>(opening.metrics.registry(), remote);
            meters.show(WebhookMode.numbers());
            remote.onRoundTrip(meters.roundTrips(RoundTrips.Result.class)::accept);
            remote.onAddress(address -> meters.address(address, mode -> mode.isInUse(address)));
            opening.metrics.certificates("client-certificate", remote::certificates);
            opening.metrics.certificates("server-ca", remote::certificates);
            opening.remote = Optional.of(remote);
            return remote.authorizer();
        });
    }

    private Map<String, AuthorizerSource> plugins(Opening opening) {
        PluginModes plugins = opening.opened.with(flags.plugins(opening.values));
        plugins.open().stream().map(Problem::toString).forEach(opening.problems::add);
        return plugins.sources();
    }

    private Running listen(DeciderServer.Made made, Opening opening) throws StartException {
        DeciderServer.Choices choices = new DeciderServer.Choices(
                flags.https(opening.values),
                flags.allowedClients(opening.values),
                flags.inFlight(opening.values),
                flags.reasonPolicy(opening.values),
                name(opening),
                flags.authorization(opening.values),
                version,
                flags.checks.http(opening.values));
        try {
            return DeciderServer.start(made, choices, opening.opened);
        } catch (IOException taken) {
            throw new StartException(List.of("--secure-port: " + taken.getMessage()));
        }
    }

    /** A start in progress: its options, the parts opened so far, and the problems. */
    private final class Opening {
        private final FlagValues values;
        private final OpenResources opened = new OpenResources();
        private final ServerMetrics metrics = opened.with(new ServerMetrics());
        private final Freshness freshness;
        private final CurrentRbac followed;
        private final StartException.Collector problems = new StartException.Collector();
        private Optional<WebhookMode> remote = Optional.empty();
        private @Nullable AuthorizationConfiguration configured;

        Opening(FlagValues values) {
            this.values = values;
            this.freshness = new Freshness("roles", flags.rolesStaleness(values));
            this.followed = new CurrentRbac(freshness::isCurrent);
        }
    }

    /** A source that is shared by the policy in effect and a candidate: opened once, so that there is one cache and one connection. */
    static final class SharedSource implements AuthorizerSource {
        private final AuthorizerSource source;
        private @Nullable Authorizer opened;

        SharedSource(AuthorizerSource source) {
            this.source = source;
        }

        @Override
        public synchronized Authorizer open() throws ProblemsException {
            @Nullable Authorizer known = opened;
            if (known != null) {
                return known;
            }
            // If it fails, the server does not start, and the error has been reported once.
            opened = new AlwaysDeny();
            Authorizer made = source.open();
            opened = made;
            return made;
        }
    }
}
