package io.plat.decider;

import io.plat.authorization.AuthorizationConfiguration;
import io.plat.authorization.WebhookMeters;
import io.plat.decider.DecisionLog.DecisionLogSettings;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.decided.DecisionLine;
import io.plat.engine.decided.DecisionRecord;
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
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.fronts.authzen.AuthZen;
import io.plat.fronts.check.CheckSettings;
import io.plat.fronts.check.FrontProvider;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.http.stream.LiveLines;
import io.plat.process.Freshness;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a decider, opened in order: first those that read the files of flags, so that all problems are reported together, then those that follow
 * or record something. A part without its flag is null.
 */
final class DeciderParts {
    /** The flag of the client configuration file for an API server whose role objects are the policy. */
    private static final String ROLES_FLAG = "--authorization-rbac-kubeconfig";

    private static final String ENVOY_FLAG = "--envoy-check";
    private static final InstantSource CLOCK = InstantSource.system();

    /** Usual heap size under load with a small policy, in bytes. */
    private static final long SERVING_HEAP = 24L << 20;

    private static final String POLICY = "policy";

    /** System property with which the launcher passes the location of protocols that are loaded on demand. */
    private static final String FRONTS = "plat.fronts";

    final DeciderFlags flags;
    final FlagValues values;
    final OpenResources opened;
    final ServerMetrics metrics;
    final ServerTls tls;

    /** Authorizers in the configuration file. */
    final @Nullable AuthorizationConfiguration configured;

    final LivePolicy policy;

    /** Follower of role objects of an API server. */
    final @Nullable RoleSource roles;

    final @Nullable DecisionLog log;

    /** Settings of the fronts for proxies. */
    final @Nullable CheckSettings checks;

    final AuthZen.@Nullable Settings authZen;
    final @Nullable FrontProvider envoy;

    /** Evaluation of a candidate policy. */
    final @Nullable Shadow shadow;

    final RevisionStreams revisions;
    final LiveLines<DecisionRecord> live;
    private final @Nullable LivePolicy candidate;
    private final CurrentRbac followed;
    private final StartException.Collector problems = new StartException.Collector();
    private Optional<WebhookMode> remote = Optional.empty();

    /**
     * Opens the parts.
     *
     * @param opened receives the parts to close, even if opening fails
     * @throws StartException with the problems of all files
     */
    DeciderParts(DeciderFlags flags, FlagValues values, OpenResources opened) throws StartException {
        this.flags = flags;
        this.values = values;
        this.opened = opened;
        metrics = opened.with(new ServerMetrics());
        Freshness freshness = new Freshness("roles", values.get(flags.rolesStaleness));
        followed = new CurrentRbac(freshness::isCurrent);
        @Nullable ServerTls serving = openTls();
        Map<String, AuthorizerSource> sources = sources();
        configured = configuration(sources);
        @Nullable LivePolicy loaded = load(flags.authorization(values), sources, POLICY);
        candidate = load(flags.candidate(values), sources, "candidate policy");
        roles = openRoles(freshness);
        log = openLog();
        checks = flags.checks.open(values, opened, problems);
        authZen = flags.authZen.open(values, flags.watching(values), metrics, opened, problems);
        envoy = findEnvoy();
        problems.throwIfAny();
        tls = Objects.requireNonNull(serving);
        policy = Objects.requireNonNull(loaded);
        releaseLoadingMemory();
        watch(policy);
        if (configured != null) {
            configured.watch(flags.policy.watching(values), this::republish);
        }
        shadow = candidate == null ? null : opened.with(new Shadow(candidate::current, log, metrics.registry()));
        if (candidate != null && shadow != null) {
            watch(candidate);
            shadow.start();
        }
        revisions = opened.with(new RevisionStreams(() -> policy.current().revision(), metrics.registry()));
        live = openLive();
        if (roles != null) {
            roles.start();
        }
    }

    private void republish() {
        policy.republish();
        if (candidate != null) {
            candidate.republish();
        }
    }

    /** Follows the policy revisions of a remote decider. Called once the server listens. */
    void followRemote() {
        remote.ifPresent(decider -> decider.follow(policy::republish));
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

    private @Nullable ServerTls openTls() {
        ServerTls.Config config = flags.tls(values);
        try {
            return opened.with(new ServerTls(config, metrics.certificateReloads(), CLOCK));
        } catch (PemException unusable) {
            ServerTls.problems(config, unusable).forEach(problems::add);
            return null;
        }
    }

    private Map<String, AuthorizerSource> sources() {
        Map<String, AuthorizerSource> sources = new HashMap<>(remote());
        sources.putAll(plugins());
        sources.replaceAll((mode, source) -> new SharedSource(source));
        return sources;
    }

    private @Nullable AuthorizationConfiguration configuration(Map<String, AuthorizerSource> sources) {
        @Nullable Path file = flags.policy.config(values);
        if (file == null) {
            return null;
        }
        AuthorizationOptions options = flags.authorization(values).withAvailableModes(sources.keySet());
        return problems.open(
                "",
                () -> opened.with(AuthorizationConfiguration.open(new AuthorizationConfiguration.Parts(
                        file,
                        Set.copyOf(options.modes()),
                        Map.of(
                                AbacAuthorizer.MODE,
                                "--authorization-policy-file",
                                RbacAuthorizer.MODE,
                                "--authorization-rbac-path, " + ROLES_FLAG + " or --authorization-rbac-default-roles"),
                        metrics.registry(),
                        metrics.certificateReloads(),
                        CLOCK))));
    }

    private @Nullable LivePolicy load(
            @Nullable AuthorizationOptions given, Map<String, AuthorizerSource> sources, String name) {
        if (given == null) {
            return null;
        }
        AuthorizationOptions options =
                flags.policy.config(values) == null ? given : given.withAvailableModes(sources.keySet());
        String what = name.replace(' ', '-');
        LoggedReloads reloads = new LoggedReloads(
                name, metrics.reloads(what, true)::increment, metrics.reloads(what, false)::increment);
        return problems.open("", () -> {
            LivePolicy loaded = LivePolicy.start(loader(options, sources, name.equals(POLICY)), reloads);
            reloads.warn(loaded.current());
            return loaded;
        });
    }

    /** Returns a loader of the modes, or of the authorizers in the configuration file. */
    private PolicyLoader loader(AuthorizationOptions options, Map<String, AuthorizerSource> sources, boolean counts) {
        PolicyLoader loader = PolicyLoader.of(options, sources, CLOCK, followed);
        @Nullable AuthorizationConfiguration file = configured;
        return file == null ? loader : loader.withArrangement(counts ? file::of : file::uncounted);
    }

    /** Returns a follower that is not started: role objects are published once there is a policy. */
    private @Nullable RoleSource openRoles(Freshness freshness) {
        @Nullable Path config = flags.authorization(values).rbacKubeconfig();
        if (config == null) {
            return null;
        }
        return problems.open(ROLES_FLAG, () -> {
            ServerConnection connection = ClientConfig.read(config).resolve();
            if (connection.authorities() == null) {
                throw new ProblemsException(new Problem(
                        connection.where(),
                        "certificate-authority: required, the system's certificate authorities are not trusted for"
                                + " a policy"));
            }
            ClientTls client = opened.with(connection.openTls(metrics.certificateReloads(), CLOCK));
            return opened.with(new RoleSource(connection, client, followed, freshness, this::republish));
        });
    }

    private void watch(LivePolicy watched) {
        flags.watching(values).ifPresent(settings -> opened.with(watched.watch(settings)));
    }

    private @Nullable DecisionLog openLog() {
        @Nullable DecisionLogSettings settings = flags.decisionLog.settings(values);
        if (settings == null) {
            return null;
        }
        return problems.open(DeciderFlags.DecisionLogFlags.PATH, () -> {
            DecisionLog log = DecisionLog.open(settings, authorizerName(), metrics.registry(), CLOCK);
            opened.with(log.lines());
            return log;
        });
    }

    private @Nullable FrontProvider findEnvoy() {
        if (!flags.checks.envoy(values)) {
            return null;
        }
        try {
            return FrontProvider.find(Path.of(System.getProperty(FRONTS, "")), ENVOY_FLAG);
        } catch (IOException missing) {
            problems.add(ENVOY_FLAG, "plat-envoy (module decider/envoy) is missing: " + missing.getMessage());
            return null;
        }
    }

    /** Opens the live stream, with the same limits and masks as the log. */
    private LiveLines<DecisionRecord> openLive() {
        @Nullable DecisionLogSettings settings = flags.decisionLog.settings(values);
        DecisionLine form =
                new DecisionLine(authorizerName(), new SpecMask(settings == null ? Set.of() : settings.masked()));
        return opened.with(new LiveLines<>(
                (decided, lines) -> form.write(decided.withoutShadow(), lines), DecisionRecord::reviewBytes));
    }

    /** Returns the authorizer name in metrics and logs for decisions of no single mode: the only mode, or {@code Union}. */
    String authorizerName() {
        List<String> modes = configured == null ? flags.authorization(values).modes() : List.of();
        return modes.size() == 1 ? modes.getFirst() : "Union";
    }

    private Map<String, AuthorizerSource> remote() {
        WebhookMode.@Nullable Options options = flags.policy.webhook(values).orElse(null);
        if (options == null) {
            return Map.of();
        }
        return Map.of(WebhookAuthorizer.MODE, () -> {
            WebhookMode decider = opened.with(WebhookMode.open(options, metrics.certificateReloads(), CLOCK));
            WebhookMeters.show(metrics, decider);
            remote = Optional.of(decider);
            return decider.authorizer();
        });
    }

    private Map<String, AuthorizerSource> plugins() {
        PluginModes plugins = opened.with(flags.policy.plugins(values));
        plugins.open().stream().map(Problem::toString).forEach(problems::add);
        return plugins.sources();
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
