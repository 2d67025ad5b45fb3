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

/** Program that opens the parts of a decider, in order. */
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
        Startup startup = new Startup(values);
        try {
            return start(startup);
        } catch (StartException e) {
            startup.opened.close();
            throw e;
        }
    }

    private Running start(Startup startup) throws StartException {
        @Nullable ServerTls tls = openTls(startup);
        Map<String, AuthorizerSource> sources = sources(startup);
        @Nullable AuthorizationConfiguration configured = configuration(startup, sources);
        @Nullable LivePolicy policy = load(startup, flags.authorization(startup.values), sources, POLICY);
        @Nullable LivePolicy candidate = load(startup, flags.candidate(startup.values), sources, "candidate policy");
        @Nullable RoleServer roles = openRoles(startup);
        @Nullable DecisionLog log = openLog(startup);
        @Nullable CheckSettings checks = flags.checks.open(startup.values, startup.opened, startup.problems);
        AuthZen.@Nullable Settings authZen = flags.authZen.open(
                startup.values, flags.watching(startup.values), startup.metrics, startup.opened, startup.problems);
        @Nullable FrontProvider envoy = findEnvoy(startup);
        startup.problems.throwIfAny();
        if (tls == null || policy == null) {
            throw new IllegalStateException("a part is missing, but no problem was reported");
        }
        releaseLoadingMemory();
        watch(startup, policy);
        if (configured != null) {
            configured.watch(flags.watchingConfig(startup.values), () -> {
                policy.republish();
                if (candidate != null) {
                    candidate.republish();
                }
            });
        }
        @Nullable Shadow shadow = null;
        if (candidate != null) {
            watch(startup, candidate);
            shadow = startup.opened.with(new Shadow(candidate::current, log, startup.metrics.registry()));
            shadow.start();
        }
        RevisionStreams revisions =
                startup.opened.with(new RevisionStreams(() -> policy.current().revision(), startup.metrics.registry()));
        @Nullable RoleSource source = roles == null ? null : follow(startup, roles, policy, candidate);
        LiveDecisions live = openLive(startup);
        Running running = listen(
                new DeciderServer.Parts(
                        tls,
                        policy,
                        configured,
                        startup.metrics,
                        revisions,
                        log,
                        shadow,
                        source,
                        live,
                        checks,
                        authZen,
                        envoy),
                startup);
        startup.remote.ifPresent(remote -> remote.follow(policy::republish));
        return running;
    }

    /**
     * Returns memory after loading. Loading a policy leaves garbage of several times its size, partly in the old generation, and would
     * remain in an idle decider. Collecting it only delays the start; it is skipped if the heap is no larger than under load.
     */
    private static void releaseLoadingMemory() {
        if (Runtime.getRuntime().totalMemory() > SERVING_HEAP) {
            System.gc();
        }
    }

    private @Nullable ServerTls openTls(Startup startup) {
        ServerTls.Config config = flags.tls(startup.values);
        try {
            return startup.opened.with(ServerTls.open(config, startup.metrics.certificateReloads(), CLOCK));
        } catch (PemException unusable) {
            ServerTls.problems(config, unusable).forEach(startup.problems::add);
            return null;
        }
    }

    private Map<String, AuthorizerSource> sources(Startup startup) {
        Map<String, AuthorizerSource> sources = new HashMap<>(remote(startup));
        sources.putAll(plugins(startup));
        sources.replaceAll((mode, source) -> new SharedSource(source));
        return sources;
    }

    private @Nullable AuthorizationConfiguration configuration(Startup startup, Map<String, AuthorizerSource> sources) {
        @Nullable Path file = flags.config(startup.values);
        if (file == null) {
            return null;
        }
        AuthorizationOptions options = flags.authorization(startup.values).withAvailableModes(sources.keySet());
        try {
            AuthorizationConfiguration configured =
                    startup.opened.with(AuthorizationConfiguration.open(new AuthorizationConfiguration.Parts(
                            file,
                            Set.copyOf(options.modes()),
                            Map.of(
                                    AbacAuthorizer.MODE,
                                    "--authorization-policy-file",
                                    RbacAuthorizer.MODE,
                                    "--authorization-rbac-path, " + RoleServer.FLAG
                                            + " or --authorization-rbac-default-roles"),
                            startup.metrics.registry(),
                            startup.metrics.certificateReloads(),
                            CLOCK)));
            startup.configured = configured;
            return configured;
        } catch (ProblemsException unusable) {
            Problem.report(unusable.problems()).forEach(startup.problems::add);
            return null;
        }
    }

    private @Nullable LivePolicy load(
            Startup startup,
            @Nullable AuthorizationOptions given,
            Map<String, AuthorizerSource> sources,
            String policy) {
        if (given == null) {
            return null;
        }
        AuthorizationOptions options =
                flags.config(startup.values) == null ? given : given.withAvailableModes(sources.keySet());
        String what = policy.replace(' ', '-');
        LoggedReloads reloads = new LoggedReloads(
                policy,
                startup.metrics.reloads(what, true)::increment,
                startup.metrics.reloads(what, false)::increment);
        try {
            LivePolicy loaded = LivePolicy.start(loader(startup, options, sources, policy.equals(POLICY)), reloads);
            reloads.warn(loaded.current());
            return loaded;
        } catch (ProblemsException unusable) {
            Problem.report(unusable.problems()).forEach(startup.problems::add);
            return null;
        }
    }

    /** Returns a loader of the modes, or of the authorizers in the configuration file. */
    private static PolicyLoader loader(
            Startup startup, AuthorizationOptions options, Map<String, AuthorizerSource> sources, boolean counts) {
        PolicyLoader loader = PolicyLoader.of(options, sources, CLOCK, startup.followed);
        @Nullable AuthorizationConfiguration file = startup.configured;
        return file == null ? loader : loader.withArrangement(counts ? file::of : file::uncounted);
    }

    private @Nullable RoleServer openRoles(Startup startup) {
        @Nullable Path config = flags.authorization(startup.values).rbacKubeconfig();
        if (config == null) {
            return null;
        }
        try {
            return RoleServer.open(config, startup.metrics, startup.opened, CLOCK);
        } catch (ProblemsException unusable) {
            unusable.problems().forEach(problem -> startup.problems.add(RoleServer.FLAG, problem.toString()));
            return null;
        }
    }

    private static RoleSource follow(
            Startup startup, RoleServer roles, LivePolicy policy, @Nullable LivePolicy candidate) {
        return startup.opened.with(roles.follow(startup.followed, startup.freshness, () -> {
            policy.republish();
            if (candidate != null) {
                candidate.republish();
            }
        }));
    }

    private void watch(Startup startup, LivePolicy policy) {
        flags.watching(startup.values).ifPresent(settings -> startup.opened.with(policy.watch(settings)));
    }

    private @Nullable DecisionLog openLog(Startup startup) {
        @Nullable DecisionLogSettings settings = flags.decisionLog(startup.values);
        if (settings == null) {
            return null;
        }
        try {
            DecisionLog log = DecisionLog.open(settings, name(startup), startup.metrics.registry(), CLOCK);
            startup.opened.with(log.lines());
            return log;
        } catch (IOException unusable) {
            startup.problems.add(DeciderFlags.DecisionLogFlags.PATH, String.valueOf(unusable.getMessage()));
            return null;
        }
    }

    private @Nullable FrontProvider findEnvoy(Startup startup) {
        if (!flags.checks.envoy(startup.values)) {
            return null;
        }
        try {
            return FrontProvider.find(Path.of(System.getProperty(FRONTS, "")), ENVOY_FLAG);
        } catch (IOException missing) {
            startup.problems.add(ENVOY_FLAG, "plat-envoy (module decider/envoy) is missing: " + missing.getMessage());
            return null;
        }
    }

    /** Opens the live stream, with the same limits and masks as the log. */
    private LiveDecisions openLive(Startup startup) {
        @Nullable DecisionLogSettings settings = flags.decisionLog(startup.values);
        ClientIdentity.ReasonPolicy reasonPolicy = flags.reasonPolicy(startup.values);
        return startup.opened.with(new LiveDecisions(
                new DecisionLine(name(startup), new SpecMask(settings == null ? Set.of() : settings.masked())),
                reasonPolicy::refusal));
    }

    /** Returns the authorizer name in metrics and logs for decisions of no single mode. */
    private String name(Startup startup) {
        @Nullable AuthorizationConfiguration file = startup.configured;
        return DeciderServer.deciderName(
                file == null ? flags.authorization(startup.values).modes() : List.of());
    }

    private Map<String, AuthorizerSource> remote(Startup startup) {
        WebhookMode.@Nullable Options options = flags.remote(startup.values);
        if (options == null) {
            return Map.of();
        }
        return Map.of(WEBHOOK, () -> {
            WebhookMode remote =
                    startup.opened.with(WebhookMode.open(options, startup.metrics.certificateReloads(), CLOCK));
            WebhookMeters<WebhookMode> meters = new WebhookMeters<>(startup.metrics.registry(), remote);
            meters.show(WebhookMode.numbers());
            remote.onRoundTrip(meters.roundTrips(RoundTrips.Result.class)::accept);
            remote.onAddress(address -> meters.address(address, mode -> mode.isInUse(address)));
            startup.metrics.certificates("client-certificate", remote::certificates);
            startup.metrics.certificates("server-ca", remote::certificates);
            startup.remote = Optional.of(remote);
            return remote.authorizer();
        });
    }

    private Map<String, AuthorizerSource> plugins(Startup startup) {
        PluginModes plugins = startup.opened.with(flags.plugins(startup.values));
        plugins.open().stream().map(Problem::toString).forEach(startup.problems::add);
        return plugins.sources();
    }

    private Running listen(DeciderServer.Parts parts, Startup startup) throws StartException {
        DeciderServer.Options options = new DeciderServer.Options(
                flags.https(startup.values),
                flags.allowedClients(startup.values),
                flags.inFlight(startup.values),
                flags.reasonPolicy(startup.values),
                name(startup),
                flags.authorization(startup.values),
                version,
                flags.checks.http(startup.values));
        try {
            return DeciderServer.start(parts, options, startup.opened);
        } catch (IOException unusable) {
            throw new StartException(List.of("--bind-address, --secure-port: " + unusable.getMessage()));
        }
    }

    /** A start in progress: its options, the parts opened so far, and the problems. */
    private final class Startup {
        private final FlagValues values;
        private final OpenResources opened = new OpenResources();
        private final ServerMetrics metrics = opened.with(new ServerMetrics());
        private final Freshness freshness;
        private final CurrentRbac followed;
        private final StartException.Collector problems = new StartException.Collector();
        private Optional<WebhookMode> remote = Optional.empty();
        private @Nullable AuthorizationConfiguration configured;

        Startup(FlagValues values) {
            this.values = values;
            this.freshness = new Freshness("roles", flags.rolesStaleness(values));
            this.followed = new CurrentRbac(freshness::isCurrent);
        }
    }

    /** A source shared by the policy in effect and a candidate, so that there is one cache and one connection. */
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
            // If it fails, the server does not start, and the error has already been reported.
            opened = new AlwaysDeny();
            Authorizer authorizer = source.open();
            opened = authorizer;
            return authorizer;
        }
    }
}
