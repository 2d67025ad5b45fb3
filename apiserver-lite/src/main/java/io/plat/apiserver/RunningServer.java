package io.plat.apiserver;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.endpoint.Dispatcher;
import io.plat.apiserver.endpoint.PathEndpoints;
import io.plat.apiserver.endpoint.RequestBodies;
import io.plat.apiserver.endpoint.ResourceEndpoints;
import io.plat.apiserver.filter.AuditFilter;
import io.plat.apiserver.filter.AuthenticationFilter;
import io.plat.apiserver.filter.AuthorizationFilter;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Filter;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.ImpersonationFilter;
import io.plat.apiserver.filter.InFlightFilter;
import io.plat.apiserver.front.ApiHandler;
import io.plat.apiserver.front.LiveDecisions;
import io.plat.apiserver.lease.StreamLeases;
import io.plat.apiserver.metrics.AuthenticationMeters;
import io.plat.apiserver.metrics.InFlightRequests;
import io.plat.apiserver.metrics.RequestMeters;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.roles.EscalationGuard;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.watch.Watches;
import io.plat.authorization.DecisionCounters;
import io.plat.engine.Authorizer;
import io.plat.http.FairLimit;
import io.plat.http.HttpsServer;
import io.plat.http.HttpsSettings;
import io.plat.http.commandline.FlagValues;
import io.plat.http.health.HealthRegistry;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The listening server: its filters in the order they run, and the endpoints after them. */
record RunningServer(HttpsServer server, ApiHandler.Streams streams, ApiServerParts parts)
        implements ServerProgram.Running {
    static RunningServer start(ApiServerParts parts) throws StartException {
        ApiServerFlags flags = parts.flags;
        FlagValues values = parts.values;
        HealthRegistry health = health(parts);
        List<String> modes = flags.authorization.options(values).orElseThrow().modes();
        // Without modes there is a configuration file, whose authorizers have names.
        DecisionCounters counters = new DecisionCounters(
                parts.metrics.registry(), parts.policyInEffect().modes(), modes.isEmpty());
        Authorizer counted = new MeteredAuthorizer(parts.authorizer, counters, parts.metrics.registry());
        LiveDecisions live = parts.opened.with(new LiveDecisions(parts.policyInEffect(), InstantSource.system()));
        List<Filter> steps = new ArrayList<>();
        AuthenticationMeters authenticated = new AuthenticationMeters();
        parts.metrics.show(authenticated);
        InFlightRequests inFlight = new InFlightRequests();
        inFlight.register(parts.metrics.registry());
        AuthenticationFilter authentication = new AuthenticationFilter(
                parts.authenticators.requests(), parts.authenticators.credentialHeaders(), authenticated::count);
        AuditFilter audit = parts.audit == null ? null : new AuditFilter(parts.audit, InstantSource.system());
        steps.add(Call::parseTarget);
        steps.add(authentication);
        if (audit != null) {
            steps.add(audit);
        }
        steps.addAll(List.of(
                new InFlightFilter(
                        new FairLimit(values.get(flags.maxReading)),
                        new FairLimit(values.get(flags.maxMutating)),
                        parts.metrics::requestRefused,
                        inFlight),
                new ImpersonationFilter(counted),
                new AuthorizationFilter(counted, live)));
        FilterChain filters = new FilterChain(steps, audit);
        PathEndpoints paths = paths(parts, health);
        Dispatcher dispatch = new Dispatcher(resources(parts), paths);
        RequestMeters meters = new RequestMeters(parts.types, paths::nameOf);
        parts.metrics.show(meters);
        parts.metrics.onReset(meters::reset);
        Watches watches = parts.opened.with(
                new Watches(parts.operations, parts.custom, parts.limits.watches(), parts.metrics.registry()));
        ApiHandler.Streams streams = new ApiHandler.Streams(watches, live.streams(), parts.opened.with(leases(parts)));
        HttpsServer.Parts server = new HttpsServer.Parts(
                parts.https(),
                parts.tls,
                health,
                parts.metrics,
                List.of(),
                List.of(new ApiHandler(filters, dispatch, streams, meters)));
        try {
            RunningServer running = new RunningServer(HttpsServer.start(server), streams, parts);
            parts.logStart();
            return running;
        } catch (IOException inUse) {
            throw new StartException(List.of("--bind-address, --secure-port: " + inUse.getMessage()));
        }
    }

    private static HealthRegistry health(ApiServerParts parts) {
        HealthRegistry health = new HealthRegistry();
        ObjectStore store = parts.store;
        String storage = parts.flags.storage.dataDirectory(parts.values).isPresent() ? "storage" : "etcd";
        // Not part of liveness: a restart does not free disk space, and stored objects can still be read.
        health.ready(storage, () -> store.problem().orElse(""));
        health.ready("roles", parts.roles::problem);
        health.lastGood("policy-files", parts::isBroken);
        health.remark("foreign-objects", parts.notServed::summary);
        health.remark("storage-memory", () -> StorageMetrics.fullness(store));
        // Path at which monitoring of kube-apiserver expects it, regardless of the storage backend.
        health.alias("etcd", storage);
        health.alias("etcd-readiness", storage);
        return health;
    }

    /** Streams are authorized like requests, but are neither counted nor audited again. */
    private static StreamLeases leases(ApiServerParts parts) {
        AuthenticationFilter authentication =
                new AuthenticationFilter(parts.authenticators.requests(), parts.authenticators.credentialHeaders());
        FilterChain renewal = new FilterChain(List.of(
                authentication, new ImpersonationFilter(parts.authorizer), new AuthorizationFilter(parts.authorizer)));
        return new StreamLeases(new StreamLeases.LeaseChecks(
                new FilterChain(List.of(authentication)), renewal, authentication::reads, parts.policyChanges::get));
    }

    private static ResourceEndpoints resources(ApiServerParts parts) throws StartException {
        return new ResourceEndpoints(new ResourceEndpoints.Parts(
                parts.types,
                parts.operations,
                parts.authorizer,
                parts::ignoresRoles,
                new EscalationGuard(parts.roles.current(), parts.flags.authorization.superUser(parts.values)),
                RequestBodies.DEFAULT,
                InstantSource.system(),
                parts.authenticators.tokens(),
                parts.authenticators.issuer(),
                parts.flags.podLogs(parts.values)));
    }

    private static PathEndpoints paths(ApiServerParts parts, HealthRegistry health) {
        HttpsSettings https = parts.https();
        ServedTypes types = parts.types;
        String address = https.bindAddress().getHostAddress() + ":" + https.port();
        return new PathEndpoints(new PathEndpoints.Sources(
                new DiscoveryDocuments(types, address),
                new AggregatedDiscovery(types),
                new OpenApiDocuments(types, ApiServer.version()),
                health,
                parts.metrics,
                ApiServer.version(),
                parts.values.get(parts.flags.logs),
                parts.authenticators.documents()));
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public void announced() {
        Audit audit = parts.audit;
        if (audit != null) {
            audit.start();
        }
        parts.registration.begin(URI.create(server.url()).getPort());
    }

    @Override
    public void stop() throws InterruptedException {
        try {
            server.announceStop();
            parts.registration.withdraw();
            Thread.sleep(parts.values.get(parts.flags.shutdownDelay));
            streams.endAll();
            server.stop(Duration.ZERO, parts.https().limits().requestTimeout());
        } finally {
            parts.opened.close();
        }
    }
}
