package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.objects.LocalApiServices;
import io.plat.apiserver.operations.ManagedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.engine.lookup.Frozen;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains an APIService for each served group version, as types and the objects change. */
final class ApiServiceController implements BackgroundLoop.Work, AutoCloseable {
    /** API group of these objects, which kube-apiserver does not list itself. */
    private static final String GROUP = "apiregistration.k8s.io";

    private static final Logger LOG = LoggerFactory.getLogger(ApiServiceController.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Failures of a write after another server's. */
    private static final Set<StatusReason> CONCURRENT_CHANGES =
            Set.of(StatusReason.CONFLICT, StatusReason.ALREADY_EXISTS, StatusReason.NOT_FOUND);

    private final ResourceOperations operations;
    private final ResourceType type;
    private final Supplier<ServedTypes> builtIn;
    private final DynamicTypes dynamicTypes;
    private final CompletableFuture<Integer> listening;
    private final ObjectStore store;
    private final Subscription types;
    private final BackgroundLoop loop = BackgroundLoop.virtual("api-services", this);
    private final Set<String> processed = new HashSet<>();
    private @Nullable List<ExpectedApiService> builtInServices;
    private @Nullable Set<String> initial;
    private @Nullable Watch watch;
    private volatile boolean closed;

    /**
     * @param builtIn served built-in types, evaluated when the work starts, since startup must not wait for it
     * @param listening completes once the server listens; nothing is done before
     */
    ApiServiceController(
            ObjectStore store,
            ResourceOperations operations,
            ResourceCatalog catalog,
            Supplier<ServedTypes> builtIn,
            DynamicTypes dynamicTypes,
            CompletableFuture<Integer> listening) {
        this.operations = operations;
        this.type = catalog.find(GROUP, "v1", "apiservices").orElseThrow();
        this.builtIn = builtIn;
        this.dynamicTypes = dynamicTypes;
        this.listening = listening;
        this.store = store;
        this.types = dynamicTypes.listen(loop::signal);
    }

    private static List<ExpectedApiService> services(ServedTypes types) {
        Map<String, ExpectedApiService.Priority> priorities = ExpectedApiService.Priority.builtIn();
        List<ExpectedApiService> expected = new ArrayList<>();
        List<String> groups = new ArrayList<>(types.groups());
        groups.add("");
        for (String group : groups) {
            for (String version : types.versions(group)) {
                ExpectedApiService.@Nullable Priority priority =
                        priorities.get(group.isEmpty() ? version : group + "/" + version);
                if (priority != null) {
                    expected.add(new ExpectedApiService(group, version, priority, ExpectedApiService.ON_START));
                }
            }
        }
        return List.copyOf(expected);
    }

    /** Starts once the server listens. */
    void start() {
        var _ = listening.thenAccept(port -> loop.start());
    }

    @Override
    public Duration round() {
        try {
            return reconcileAll() ? BackgroundLoop.UNTIL_SIGNAL : RETRY;
        } catch (StatusException e) {
            logFailure("API services", e);
            return RETRY;
        } catch (StorageException e) {
            // The store reports the failure to its users; here it is only retried.
            return RETRY;
        }
    }

    @Override
    public void end() {
        if (watch != null) {
            watch.close();
        }
    }

    /** Has each change of the objects signal the next round; called before they are read. */
    private void watch() throws StorageException {
        end();
        watch = store.watch(KeyRange.of(type.storage()), store.latest().revision(), loop::signal);
        // Only a watch without pending changes signals the next one.
        if (!(watch.poll(1) instanceof Watch.Batch.Events events)
                || !events.events().isEmpty()) {
            loop.signal();
        }
    }

    /** Required change of one object. */
    private record Change(
            String name, Step step, @Nullable ExpectedApiService expected, @Nullable ObjectNode actual) {}

    /** Performs a round; returns whether everything is done. */
    private boolean reconcileAll() throws StatusException, StorageException {
        watch();
        Map<String, ExpectedApiService> expected = expected();
        Map<String, ObjectNode> present = new TreeMap<>();
        Result.Many all = operations.list(new Target(type, "", ""), ListOptions.DEFAULT);
        all.list().items().forEach(object -> present.put(object.name(), object.tree()));
        Set<String> atStart = initial == null ? Frozen.copyOf(present.keySet()) : initial;
        initial = atStart;
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(present.keySet());
        processed.retainAll(names);
        List<Change> changes = new ArrayList<>();
        for (String name : names) {
            @Nullable ExpectedApiService one = expected.get(name);
            @Nullable ObjectNode actual = present.get(name);
            Step step = Step.of(new Step.ApiServiceState(
                    one == null ? "" : one.label(),
                    label(actual),
                    actual != null,
                    processed.contains(name),
                    atStart.contains(name),
                    one != null && actual != null && one.spec().equals(actual.path("spec"))));
            boolean upToDate = actual == null || !Step.isManaged(label(actual)) || LocalApiServices.isUpToDate(actual);
            if (step == Step.NOTHING && upToDate) {
                processed.add(name);
            } else {
                changes.add(new Change(name, step, one, actual));
            }
        }
        return execute(changes);
    }

    private Map<String, ExpectedApiService> expected() {
        Map<String, ExpectedApiService> expected = new TreeMap<>();
        DynamicTypes.State now = dynamicTypes.now();
        for (String group : now.groups()) {
            for (String version : now.versions(group)) {
                var each = new ExpectedApiService(
                        group, version, ExpectedApiService.Priority.OF_DEFINITIONS, ExpectedApiService.ALWAYS);
                expected.put(each.name(), each);
            }
        }
        // In a group version of both, the built-in types are served.
        if (builtInServices == null) {
            builtInServices = services(builtIn.get());
        }
        builtInServices.forEach(each -> expected.put(each.name(), each));
        return expected;
    }

    private static String label(@Nullable JsonNode object) {
        return object == null ? "" : Json.text(object.path("metadata").path("labels"), ExpectedApiService.LABEL);
    }

    /** Makes changes concurrently; returns whether all are done. Objects that others changed meanwhile are processed again. */
    private boolean execute(List<Change> changes) {
        changes.forEach(change -> processed.add(change.name()));
        List<ConcurrentWrites.Failure<Change>> failures =
                ConcurrentWrites.run("api-services", changes, change -> 0, this::execute);
        for (ConcurrentWrites.Failure<Change> failed : failures) {
            processed.remove(failed.item().name());
            if (!CONCURRENT_CHANGES.contains(failed.refusal().status().reason())) {
                logFailure("the API service " + failed.item().name(), failed.refusal());
            }
        }
        return failures.isEmpty();
    }

    private void execute(Change change) throws StatusException {
        var written = new ManagedObject(operations, new Target(type, "", change.name()));
        @Nullable ExpectedApiService expected = change.expected();
        @Nullable ObjectNode actual = change.actual();
        if (actual == null) {
            written.create(Objects.requireNonNull(expected).object());
            return;
        }
        switch (change.step()) {
            case DELETE -> written.delete(actual);
            case UPDATE -> {
                actual.set("spec", Objects.requireNonNull(expected).spec());
                written.update(actual);
            }
            case NOTHING, CREATE -> {
                LocalApiServices.setAvailable(
                        actual, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
                written.updateStatus(actual);
            }
        }
    }

    private void logFailure(String what, StatusException failed) {
        if (!closed) {
            LOG.warn(
                    "a registration object could not be updated: object={} cause={}",
                    what,
                    failed.status().message());
        }
    }

    @Override
    public void close() {
        closed = true;
        types.close();
        loop.close();
    }

    /** Required step for the APIService of a group version. */
    enum Step {
        NOTHING,
        CREATE,
        UPDATE,
        DELETE;

        /**
         * State of an APIService.
         *
         * @param expected management label that it should have; {@code ""} if it should not exist
         * @param actual management label of the existing one; {@code ""} if a user manages it
         * @param processed whether it was processed before, with nothing left to do
         * @param initial whether it existed when the work started
         * @param same whether it equals the expected one
         */
        record ApiServiceState(
                String expected, String actual, boolean exists, boolean processed, boolean initial, boolean same) {}

        /** Decides as kube-apiserver does: APIServices of built-in types are corrected once, those of custom types always. */
        static Step of(ApiServiceState each) {
            boolean once = each.expected().equals(ExpectedApiService.ON_START) && each.processed();
            if (!each.exists()) {
                return each.expected().isEmpty() || once ? NOTHING : CREATE;
            }
            boolean userManaged =
                    each.actual().equals(ExpectedApiService.ON_START) && (!each.initial() || each.processed());
            if (once || userManaged || !isManaged(each.actual())) {
                return NOTHING;
            }
            if (each.expected().isEmpty()) {
                return DELETE;
            }
            return each.same() ? NOTHING : UPDATE;
        }

        /** Returns whether a label marks an object as managed by the server. */
        static boolean isManaged(String label) {
            return label.equals(ExpectedApiService.ON_START) || label.equals(ExpectedApiService.ALWAYS);
        }
    }
}
