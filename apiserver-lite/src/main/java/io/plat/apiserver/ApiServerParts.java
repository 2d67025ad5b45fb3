package io.plat.apiserver;

import io.micrometer.core.instrument.Gauge;
import io.plat.apiserver.admission.ValidatingPolicies;
import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.AuditSettings;
import io.plat.apiserver.audit.PolicyInEffect;
import io.plat.apiserver.audit.PolicyRevision;
import io.plat.apiserver.custom.CustomTypes;
import io.plat.apiserver.custom.DefinitionForm;
import io.plat.apiserver.custom.InstanceCleanup;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.expression.Expressions;
import io.plat.apiserver.garbage.GarbageCollector;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metrics.StoredObjectsCollector;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.registration.Registration;
import io.plat.apiserver.roles.DefaultRoles;
import io.plat.apiserver.roles.RoleAggregator;
import io.plat.apiserver.roles.StoredRoles;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.authorization.AuthorizationConfiguration;
import io.plat.authorization.WebhookMeters;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.lookup.Frozen;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.engine.policy.LivePolicy;
import io.plat.engine.policy.LoggedReloads;
import io.plat.engine.policy.PluginModes;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.HttpsSettings;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.PolicyMeters;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.process.Tasks;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientCertificates;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of the server, in the order in which they are opened. All start-up problems are collected before any is reported. */
final class ApiServerParts {
    static final InstantSource CLOCK = InstantSource.system();

    final ApiServerFlags flags;
    final FlagValues values;
    final ServerLimits limits;
    final OpenResources opened;
    final StartException.Collector problems = new StartException.Collector();
    final ServerMetrics metrics;
    final ServerTls tls;
    final ObjectStore store;
    final Authenticators authenticators;
    final StoredRoles roles;
    final CustomTypes custom;
    final Authorizer authorizer;
    final ResourceOperations operations;
    /** Audit log; null if disabled. */
    final @Nullable Audit audit;

    final ServedTypes types;
    final Registration registration;
    /** Stored objects that are not served. */
    final ForeignObjects notServed;

    final AtomicLong policyChanges = new AtomicLong();

    private final StorageRegistry registry = new StorageRegistry(ResourceCatalog.builtIn());
    private final DefinitionForm definitions = new DefinitionForm(registry);
    private final ForeignEntries foreign = new ForeignEntries(registry.foreign());
    private final ResourceCatalog catalog =
            ResourceCatalog.builtIn().withForm(ResourceCatalog.DEFINITIONS, definitions);
    private final OpenResources storageParts = new OpenResources();

    /** Authorization modes in effect. */
    private Supplier<List<String>> modes = List::of;

    private Supplier<PolicyRevision> policyRevision = () -> PolicyRevision.NONE;
    private Supplier<PolicyMeters.InEffect> inEffect =
            () -> new PolicyMeters.InEffect(policyRevision.get().text(), CLOCK.instant(), 0, 0, 0, false);
    private final List<BooleanSupplier> broken = new ArrayList<>();

    /**
     * Opens the parts. A part that fails to open is recorded as a problem.
     *
     * @param opened receives the parts to close, even if opening fails
     * @throws StartException with all problems
     */
    ApiServerParts(ApiServerFlags flags, FlagValues values, ServerLimits limits, OpenResources opened)
            throws StartException {
        this.flags = flags;
        this.values = values;
        this.limits = limits;
        this.opened = opened;
        metrics = opened.with(new ServerMetrics());
        flags.listen.configureLog(values);
        // First, so that it records the start-up; closed last.
        flags.startLog(values, opened, problems);
        // The two slowest steps: certificates and keys are loaded in parallel with the objects.
        Future<ObjectStore> opening = opening();
        @Nullable ServerTls serving = openTls();
        @Nullable ObjectStore objects = openStore(opening);
        @Nullable Authenticators accepting = Authenticators.open(this, serving, objects);
        @Nullable StoredRoles followed = objects == null ? null : followRoles(objects);
        @Nullable CustomTypes dynamic = followed == null ? null : followTypes(followed.store());
        @Nullable Authorizer decides = openAuthorizer(followed);
        @Nullable
        ResourceOperations operating = dynamic == null || decides == null ? null : startOperations(dynamic, decides);
        audit = openAudit();
        problems.throwIfAny();
        tls = Objects.requireNonNull(serving);
        store = Objects.requireNonNull(objects);
        authenticators = Objects.requireNonNull(accepting);
        roles = Objects.requireNonNull(followed);
        custom = Objects.requireNonNull(dynamic);
        authorizer = Objects.requireNonNull(decides);
        operations = Objects.requireNonNull(operating);
        types = new ServedTypes(catalog, flags.authorization.runtimeConfig(values), custom);
        registration = opened.with(newRegistration());
        opened.with(store.elect(() -> Stream.concat(
                        registration.startControllers().stream(),
                        Stream.of(
                                operations.startNamespaceChecks(),
                                GarbageCollector.start(store, operations, catalog, custom),
                                InstanceCleanup.start(custom, operations),
                                RoleAggregator.start(roles, store)))
                .toList()));
        if (flags.authorization.policy.defaultRoles(values)) {
            DefaultRoles.reconcile(operations, catalog);
        }
        metrics.show(new StoredObjectsCollector(store, new AllTypes(catalog, custom)));
        notServed = new ForeignObjects(foreign, custom);
        notServed.report(metrics);
        StorageMetrics.showFullness(store, metrics);
    }

    HttpsSettings https() {
        return flags.serving(values, limits.http());
    }

    /** Logs what the server decides by, once it listens. */
    void logStart() {
        AuthorizationOptions options = flags.authorization.options(values).orElseThrow();
        @Nullable Path config = flags.authorization.policy.config(values);
        List<Path> files = Stream.concat(Stream.ofNullable(config), options.paths().stream())
                .toList();
        inEffect.get()
                .log(
                        config == null ? options.modes() : List.of("AuthorizationConfiguration"),
                        files,
                        Authenticators.kinds(flags, values));
    }

    private Registration newRegistration() {
        return new Registration(new Registration.Parts(
                store,
                operations,
                catalog,
                types,
                custom,
                flags.services.networks(values).addresses(),
                () -> flags.services.advertisedAddress(
                        values, flags.listen.address(values).orElseThrow())));
    }

    private @Nullable ServerTls openTls() {
        PemSource authorities =
                values.get(flags.clientAuthorities).map(PemSource::file).orElse(null);
        ServerTls.Config config = new ServerTls.Config(
                PemSource.file(flags.listen.certificate(values)),
                PemSource.file(flags.listen.key(values)),
                authorities,
                ClientCertificates.REQUESTED);
        try {
            ServerTls opening = opened.with(new ServerTls(config, metrics.certificateReloads(), CLOCK));
            metrics.certificates("serving-certificate", opening::certificates);
            metrics.certificates("client-ca", opening::certificates);
            return opening;
        } catch (PemException unusable) {
            ServerTls.problems(config, unusable).forEach(problems::add);
            return null;
        }
    }

    private Future<ObjectStore> opening() {
        // Closed after the store.
        opened.with(storageParts::close);
        var opening = new FutureTask<ObjectStore>(
                () -> StorageFactory.open(flags.storage, values, metrics, foreign, storageParts));
        Tasks.platform("storage-opening", opening);
        return opening;
    }

    private @Nullable ObjectStore openStore(Future<ObjectStore> opening) {
        try {
            return opened.with(opening.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException unusable) {
                problems.add(flags.storage.flag(values), String.valueOf(unusable.getMessage()));
                return null;
            }
            throw new IllegalStateException("the store could not be opened", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            problems.add(flags.storage.flag(values), "interrupted while it was read");
            return null;
        }
    }

    private @Nullable StoredRoles followRoles(ObjectStore opened) {
        @Nullable StoredRoles followed = stored(() -> StoredRoles.follow(opened));
        if (followed != null) {
            var unused = followed.listen(policyChanges::incrementAndGet);
        }
        return followed;
    }

    private @Nullable CustomTypes followTypes(ObjectStore delayed) {
        return stored(() -> CustomTypes.follow(delayed, definitions, CLOCK));
    }

    private @Nullable ResourceOperations startOperations(CustomTypes dynamic, Authorizer decides) {
        ObjectIdentity identity = new ObjectIdentity(CLOCK, new SecureRandom());
        var settings = new ResourceOperations.Settings(
                values.get(flags.storage.continueTtl),
                flags.services.networks(values),
                new Expressions(),
                new ValidatingPolicies(catalog, dynamic, decides));
        return stored(() -> ResourceOperations.start(dynamic.store(), catalog, dynamic, identity, settings));
    }

    /** Opens a part that depends on stored objects; returns null if it failed. */
    private <T extends AutoCloseable> @Nullable T stored(StoreTransfer.StorageSupplier<T> part) {
        try {
            return opened.with(part.open());
        } catch (StorageException unusable) {
            problems.add(flags.storage.flag(values), String.valueOf(unusable.getMessage()));
            return null;
        }
    }

    private @Nullable Authorizer openAuthorizer(@Nullable StoredRoles followed) {
        @Nullable Path config = flags.authorization.policy.config(values);
        @Nullable Authorizer decides = config == null ? byModes(followed) : byConfiguration(config, followed);
        List<String> open = values.get(flags.authorization.alwaysAllowPaths);
        return decides == null || open.isEmpty() ? decides : ExemptingAuthorizer.ofPaths(open, decides);
    }

    private @Nullable Authorizer byConfiguration(Path config, @Nullable StoredRoles followed) {
        Map<String, AuthorizerSource> sources = sources(followed);
        AuthorizationOptions options =
                flags.authorization.options(values).orElseThrow().withAvailableModes(sources.keySet());
        return problems.open("", () -> {
            AuthorizationConfiguration configured =
                    opened.with(AuthorizationConfiguration.open(new AuthorizationConfiguration.Parts(
                            config,
                            Frozen.copyOf(options.modes()),
                            Map.of(AbacAuthorizer.MODE, "--authorization-policy-file"),
                            metrics.registry(),
                            metrics.certificateReloads(),
                            CLOCK)));
            broken.add(configured::isBroken);
            modes = configured::types;
            LivePolicy policy = live(options, sources, followed, modes -> {
                Authorizer listed = configured.of(modes);
                return configured.refusesEverything() ? listed : ExemptingAuthorizer.ofMasters(listed);
            });
            configured.watch(flags.authorization.policy.watching(values), policy::republish);
            return policy;
        });
    }

    /** Returns the modes that are not in files: plug-ins, and stored role objects. */
    private Map<String, AuthorizerSource> sources(@Nullable StoredRoles followed) {
        AuthorizationOptions options = flags.authorization.options(values).orElseThrow();
        PluginModes plugins = opened.with(flags.authorization.policy.plugins(values));
        plugins.open().forEach(problem -> problems.add(problem.toString()));
        Map<String, AuthorizerSource> sources = new HashMap<>(plugins.sources());
        sources.put(
                RbacAuthorizer.MODE,
                () -> new RbacAuthorizer(followed == null ? () -> null : followed.current(), options.rbacSuperUser()));
        return sources;
    }

    private @Nullable Authorizer byModes(@Nullable StoredRoles followed) {
        AuthorizationOptions options = flags.authorization.options(values).orElseThrow();
        Map<String, AuthorizerSource> sources = sources(followed);
        sources.put(
                WebhookAuthorizer.MODE,
                () -> followed(opened.with(WebhookMode.open(
                        flags.authorization.policy.webhook(values).orElseThrow(),
                        metrics.certificateReloads(),
                        CLOCK))));
        modes = options::modes;
        return problems.open("", () -> {
            LivePolicy policy = live(options, sources, followed, null);
            return options.refusesEverything() ? policy : ExemptingAuthorizer.ofMasters(policy);
        });
    }

    private LivePolicy live(
            AuthorizationOptions options,
            Map<String, AuthorizerSource> sources,
            @Nullable StoredRoles followed,
            @Nullable Function<UnionAuthorizer, Authorizer> arrangement)
            throws ProblemsException {
        LoggedReloads reloads = new LoggedReloads(
                "policy", metrics.reloads("policy", true)::increment, metrics.reloads("policy", false)::increment);
        PolicyLoader loader = PolicyLoader.of(options, sources, CLOCK);
        LivePolicy policy =
                LivePolicy.start(arrangement == null ? loader : loader.withArrangement(arrangement), reloads);
        var unused = policy.subscribe(revision -> policyChanges.incrementAndGet());
        if (flags.authorization.policy.reloads(values)) {
            opened.with(policy.watch(flags.authorization.policy.watching(values)));
        }
        @Nullable StoredRoles deciding = options.modes().contains(RbacAuthorizer.MODE) ? followed : null;
        policyRevision = () -> revision(policy.current().revision(), deciding);
        broken.add(policy::isBroken);
        inEffect = () -> inForce(policy.current(), deciding, policy.isBroken());
        PolicyMeters.show(metrics, inEffect);
        if (deciding != null) {
            Gauge.builder("policy.incomplete.roles", deciding.current(), CurrentRbac::incomplete)
                    .description("Cluster roles whose aggregated rules exceed the limit, so some are omitted.")
                    .register(metrics.registry());
        }
        return policy;
    }

    private @Nullable Audit openAudit() {
        @Nullable AuditSettings settings = flags.audit.settings(values).orElse(null);
        @Nullable Audit opening = settings == null ? null : settings.open(policyInEffect(), metrics, CLOCK, problems);
        return opening != null && opened.with(opening).records() ? opening : null;
    }

    /** Returns whether stored role objects grant nothing: no authorization mode reads them, and none allows everything. */
    boolean ignoresRoles() {
        return Collections.disjoint(modes.get(), List.of(RbacAuthorizer.MODE, AlwaysAllow.MODE));
    }

    /** Returns whether the policy files are invalid, in which case the last good policy remains in effect. */
    boolean isBroken() {
        return broken.stream().anyMatch(BooleanSupplier::getAsBoolean);
    }

    PolicyInEffect policyInEffect() {
        List<String> modes = flags.authorization.options(values).orElseThrow().modes();
        return new PolicyInEffect(modes.size() == 1 ? modes.getFirst() : "Union", () -> policyRevision.get());
    }

    private static PolicyRevision revision(String files, @Nullable StoredRoles stored) {
        return new PolicyRevision(files, stored == null ? 0 : stored.current().number());
    }

    private static PolicyMeters.InEffect inForce(PolicySet policy, @Nullable StoredRoles stored, boolean broken) {
        PolicySet.Size size = policy.size();
        @Nullable RbacIndex roles = stored == null ? null : stored.current().latest();
        return new PolicyMeters.InEffect(
                revision(policy.revision(), stored).text(),
                policy.loadedAt(),
                size.abacLines(),
                roles == null ? 0 : roles.roles(),
                roles == null ? 0 : roles.bindings(),
                broken);
    }

    private Authorizer followed(WebhookMode remote) {
        WebhookMeters.show(metrics, remote);
        remote.follow(policyChanges::incrementAndGet);
        return remote.authorizer();
    }
}
