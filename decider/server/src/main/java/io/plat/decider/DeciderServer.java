package io.plat.decider;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.authorization.AuthorizationConfiguration;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.LivePolicy;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.Progress;
import io.plat.engine.rbac.follow.RoleSource;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.fronts.authzen.AuthZen;
import io.plat.fronts.authzen.MappingFile;
import io.plat.fronts.check.CheckSettings;
import io.plat.fronts.check.FrontProvider;
import io.plat.fronts.check.HttpCheck;
import io.plat.http.HttpsServer;
import io.plat.http.HttpsSettings;
import io.plat.http.OperatorRoutes;
import io.plat.http.WaitingThreads;
import io.plat.http.commandline.FlagValues;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.PolicyMeters;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.page.PageStep;
import io.plat.http.process.ServerProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;
import org.eclipse.jetty.server.Handler;

/** The decider's server: its handlers, in order, and its shutdown. */
record DeciderServer(HttpsServer server, DeciderParts parts) implements ServerProgram.Running {
    /** Time limit for requests in progress during shutdown, longer than any decision that is not blocked. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    /** Starts the server of a version of the product. */
    static DeciderServer start(DeciderParts parts, String version) throws IOException {
        FlagValues values = parts.values;
        ServerMetrics metrics = parts.metrics;
        LivePolicy policy = parts.policy;
        describe(parts);
        HealthRegistry health = new HealthRegistry();
        health.ready("policy", () -> policy.current().revision().isEmpty() ? "not loaded yet" : "");
        health.lastGood("policy-files", policy::isBroken);
        AuthorizationConfiguration configured = parts.configured;
        if (configured != null) {
            health.lastGood("authorization-config", configured::isBroken);
        }
        var unused = policy.subscribe(changed -> parts.revisions.changed());
        AuthZen.Settings authZen = parts.authZen;
        MappingFile mapping = authZen == null ? null : authZen.file();
        if (mapping != null) {
            health.lastGood("authzen-mapping", mapping::isBroken);
        }
        RoleSource roles = parts.roles;
        if (roles != null) {
            health.ready("roles", roles::problem);
            registerRoleSource(metrics.registry(), roles.progress());
        }
        Decisions decisions = new Decisions(
                policy::current,
                new WaitingThreads("decision"),
                new DecisionRecorder(parts),
                parts.flags.reasonPolicy(values));
        HttpsSettings settings = parts.flags.https(values);
        Set<String> allowed = parts.flags.allowedClients(values);
        Intake intake = new Intake(
                values.get(parts.flags.inFlight), metrics, settings.limits().bodyBytes());
        HttpsServer server = HttpsServer.start(new HttpsServer.Parts(
                settings,
                parts.tls,
                health,
                metrics,
                first(parts),
                steps(
                        decisions,
                        parts,
                        new ClientIdentity.Admission(allowed),
                        intake,
                        new OperatorRoutes(health, metrics, version))));
        AuthorizationOptions authorization = parts.flags.authorization(values);
        inEffect(policy.current(), false)
                .log(
                        configured == null ? authorization.modes() : configured.types(),
                        authorization.paths(),
                        allowed.isEmpty() ? List.of("*") : new TreeSet<>(allowed));
        return new DeciderServer(server, parts);
    }

    private static List<Handler.Wrapper> first(DeciderParts parts) {
        ResponseHeaders headers = new ResponseHeaders(parts.policy::current);
        return parts.authZen == null ? List.of(headers) : List.of(headers, new AuthZen.Responses());
    }

    /** Returns the handlers, in order. */
    private static List<Handler.Wrapper> steps(
            Decisions decisions,
            DeciderParts parts,
            ClientIdentity.Admission admission,
            Intake intake,
            OperatorRoutes operators) {
        List<Handler.Wrapper> steps = new ArrayList<>();
        FrontProvider envoy = parts.envoy;
        CheckSettings checks = parts.checks;
        if (envoy != null && checks != null) {
            // It has its own form of refusals.
            steps.add(envoy.create(new FrontProvider.Parts(decisions, admission::refusal, intake, checks)));
        }
        steps.add(admission);
        // First of the answering handlers, as it receives nearly all requests.
        steps.add(new Reviews(decisions, intake));
        if (checks != null && parts.flags.checks.http(parts.values)) {
            steps.add(new HttpCheck(decisions, checks, intake));
        }
        AuthZen.Settings authZen = parts.authZen;
        if (authZen != null) {
            steps.add(new AuthZen(decisions, authZen, intake));
        }
        steps.add(parts.revisions);
        steps.add(new DecisionStreams(parts.live, parts.flags.reasonPolicy(parts.values)::refusal));
        steps.add(new Explanations(decisions, intake));
        steps.add(new PageStep());
        steps.add(operators);
        return steps;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public boolean ownsStdout() {
        DecisionLog log = parts.log;
        return log != null && log.isStdout();
    }

    @Override
    public void announced() {
        DecisionLog log = parts.log;
        if (log != null) {
            log.lines().begin();
        }
    }

    @Override
    public void stop() throws InterruptedException {
        try {
            // Streams do not end by themselves, and clients reconnect to other servers.
            parts.revisions.endAll();
            parts.live.streams().endAll();
            server.stop(Duration.ZERO, DRAIN_TIMEOUT);
        } finally {
            parts.opened.close();
        }
    }

    private static void describe(DeciderParts parts) {
        parts.metrics.certificates("serving-certificate", parts.tls::certificates);
        parts.metrics.certificates("client-ca", parts.tls::certificates);
        PolicyMeters.show(parts.metrics, () -> inEffect(parts.policy.current(), parts.policy.isBroken()));
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
