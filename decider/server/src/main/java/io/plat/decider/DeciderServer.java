package io.plat.decider;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.authorization.AuthorizationConfiguration;
import io.plat.decider.live.LiveDecisions;
import io.plat.decider.log.DecisionLog;
import io.plat.decider.revision.RevisionStreams;
import io.plat.decider.shadow.Shadow;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.LivePolicy;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.Progress;
import io.plat.engine.rbac.follow.RoleSource;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.authzen.AuthZen;
import io.plat.fronts.authzen.MappingFile;
import io.plat.fronts.check.CheckSettings;
import io.plat.fronts.check.FrontProvider;
import io.plat.fronts.check.HttpCheck;
import io.plat.http.HttpsServer;
import io.plat.http.HttpsSettings;
import io.plat.http.OperatorRoutes;
import io.plat.http.WaitingThreads;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.PolicyMeters;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.page.PageStep;
import io.plat.http.process.OpenResources;
import io.plat.http.process.ServerProgram;
import io.plat.tls.ServerTls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.Nullable;

/** The decider's server: its handlers, in order, and its shutdown. */
record DeciderServer(HttpsServer server, Parts parts, OpenResources opened) implements ServerProgram.Running {
    /** Time limit for requests in progress during shutdown, longer than any decision that is not blocked. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Opened parts.
     *
     * @param configured the authorizers in the configuration file, if there is one
     * @param revisions streams the policy's revisions to clients
     * @param log records decisions, if enabled
     * @param shadow evaluates a candidate policy, if there is one
     * @param roles follows role objects of a server, if there is one
     * @param live streams decisions to subscribers
     * @param checks common settings of the fronts for proxies, if there is one
     * @param authZen the settings of the AuthZEN API, if enabled
     * @param envoy answers calls of Envoy, if enabled
     */
    record Parts(
            ServerTls tls,
            LivePolicy policy,
            @Nullable AuthorizationConfiguration configured,
            ServerMetrics metrics,
            RevisionStreams revisions,
            @Nullable DecisionLog log,
            @Nullable Shadow shadow,
            @Nullable RoleSource roles,
            LiveDecisions live,
            @Nullable CheckSettings checks,
            AuthZen.@Nullable Settings authZen,
            @Nullable FrontProvider envoy) {}

    /**
     * Values of flags.
     *
     * @param settings address and limits
     * @param allowed the names of allowed clients; empty for all
     * @param inFlight maximum number of concurrent requests for decisions, 0 for no limit
     * @param reasonPolicy which clients receive reasons
     * @param mode the authorizer name for decisions of no single mode
     * @param authorization the modes and files of the policy
     * @param version the product's version
     * @param httpCheck whether external authorization over HTTP is served
     */
    record Options(
            HttpsSettings settings,
            Set<String> allowed,
            int inFlight,
            ClientIdentity.ReasonPolicy reasonPolicy,
            String mode,
            AuthorizationOptions authorization,
            String version,
            boolean httpCheck) {}

    /**
     * Starts the server.
     *
     * @param opened closed when it stops
     */
    static DeciderServer start(Parts parts, Options options, OpenResources opened) throws IOException {
        ServerMetrics metrics = parts.metrics();
        describe(metrics, parts);
        HealthRegistry health = new HealthRegistry();
        health.ready("policy", () -> parts.policy().current().revision().isEmpty() ? "not loaded yet" : "");
        health.lastGood("policy-files", parts.policy()::isBroken);
        AuthorizationConfiguration configured = parts.configured();
        if (configured != null) {
            health.lastGood("authorization-config", configured::isBroken);
        }
        var unused = parts.policy().subscribe(policy -> parts.revisions().changed());
        AuthZen.Settings authZen = parts.authZen();
        MappingFile mapping = authZen == null ? null : authZen.file();
        if (mapping != null) {
            health.lastGood("authzen-mapping", mapping::isBroken);
        }
        RoleSource roles = parts.roles();
        if (roles != null) {
            health.ready("roles", roles::problem);
            registerRoleSource(metrics.registry(), roles.progress());
        }
        Decisions decisions = new Decisions(
                parts.policy()::current,
                new WaitingThreads("decision"),
                new DecisionRecorder(
                        metrics.registry(),
                        options.mode(),
                        configured != null,
                        parts.log(),
                        parts.shadow(),
                        parts.live()),
                options.reasonPolicy());
        HttpsServer server = HttpsServer.start(new HttpsServer.Parts(
                options.settings(),
                parts.tls(),
                health,
                metrics,
                first(parts),
                steps(decisions, parts, options, health)));
        inEffect(parts.policy().current(), false)
                .log(
                        configured == null ? options.authorization().modes() : configured.types(),
                        options.authorization().paths(),
                        options.allowed().isEmpty() ? List.of("*") : new TreeSet<>(options.allowed()));
        return new DeciderServer(server, parts, opened);
    }

    private static List<Handler.Wrapper> first(Parts parts) {
        AnswerHeaders headers = new AnswerHeaders(parts.policy()::current);
        return parts.authZen() == null ? List.of(headers) : List.of(headers, new AuthZen.Responses());
    }

    /** Returns the handlers, in order. */
    private static List<Handler.Wrapper> steps(
            Decisions decisions, Parts parts, Options options, HealthRegistry health) {
        Intake intake = new Intake(
                options.inFlight(), parts.metrics(), options.settings().limits().bodyBytes());
        List<Handler.Wrapper> steps = new ArrayList<>();
        ClientIdentity.Admission admission = new ClientIdentity.Admission(options.allowed());
        FrontProvider envoy = parts.envoy();
        CheckSettings checks = parts.checks();
        if (envoy != null && checks != null) {
            // It has its own form of refusals.
            steps.add(envoy.create(new FrontProvider.Parts(decisions, admission::refusal, intake, checks)));
        }
        steps.add(admission);
        // First of the answering handlers, as it receives nearly all requests.
        steps.add(new Reviews(decisions, intake));
        if (checks != null && options.httpCheck()) {
            steps.add(new HttpCheck(decisions, checks, intake));
        }
        AuthZen.Settings authZen = parts.authZen();
        if (authZen != null) {
            steps.add(new AuthZen(decisions, authZen, intake));
        }
        steps.add(parts.revisions());
        steps.add(parts.live());
        steps.add(new Explanations(parts.policy()::current, options.reasonPolicy(), intake));
        steps.add(new PageStep());
        steps.add(new OperatorRoutes(health, parts.metrics(), options.version()));
        return steps;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public boolean ownsStdout() {
        DecisionLog log = parts.log();
        return log != null && log.isStdout();
    }

    @Override
    public void announced() {
        DecisionLog log = parts.log();
        if (log != null) {
            log.lines().begin();
        }
    }

    @Override
    public void stop() throws InterruptedException {
        try {
            // Streams do not end by themselves, and clients reconnect to other servers.
            parts.revisions().endAll();
            parts.live().endAll();
            server.stop(Duration.ZERO, DRAIN_TIMEOUT);
        } finally {
            opened.close();
        }
    }

    /** Returns the name for decisions of no single mode: the only mode, or {@code Union}. */
    static String deciderName(List<String> modes) {
        return modes.size() == 1 ? modes.getFirst() : "Union";
    }

    private static void describe(ServerMetrics metrics, Parts parts) {
        metrics.certificates("serving-certificate", parts.tls()::certificates);
        metrics.certificates("client-ca", parts.tls()::certificates);
        PolicyMeters.show(
                metrics, () -> inEffect(parts.policy().current(), parts.policy().isBroken()));
    }

    private static PolicyMeters.InEffect inEffect(PolicySet policy, boolean broken) {
        PolicySet.Size size = policy.size();
        return new PolicyMeters.InEffect(
                policy.revision(), policy.loadedAt(), size.abacLines(), size.roles(), size.bindings(), broken);
    }

    private static void registerRoleSource(MeterRegistry registry, Progress progress) {
        Gauge.builder("policy.source.age.seconds", progress, Progress::ageSeconds)
                .description("Time since the API server last confirmed that the followed RBAC objects are current, in"
                        + " seconds.")
                .register(registry);
        FunctionCounter.builder("policy.source.changes", progress, Progress::changes)
                .description("Changes of followed RBAC objects.")
                .register(registry);
        Gauge.builder("policy.incomplete.roles", progress, Progress::incomplete)
                .description("Cluster roles whose aggregated rules exceed the limit, so some are omitted.")
                .register(registry);
        for (RbacKind kind : RbacKind.values()) {
            counter(registry, progress, "lists", "Completed lists of followed RBAC objects.", kind, Progress::lists);
            String watches = "Watches started on followed RBAC objects, including restarts.";
            counter(registry, progress, "watches", watches, kind, Progress::watches);
            String failures = "Failed list and watch requests for followed RBAC objects.";
            counter(registry, progress, "failures", failures, kind, Progress::failures);
            Gauge.builder("policy.source.unusable.objects", progress, now -> now.unusable(kind))
                    .description("Followed RBAC objects that are invalid and grant nothing.")
                    .tag("resource", kind.resource())
                    .register(registry);
        }
    }

    private static void counter(
            MeterRegistry registry,
            Progress progress,
            String what,
            String description,
            RbacKind kind,
            ToDoubleBiFunction<Progress, RbacKind> count) {
        FunctionCounter.builder("policy.source." + what, progress, now -> count.applyAsDouble(now, kind))
                .description(description)
                .tag("resource", kind.resource())
                .register(registry);
    }
}
