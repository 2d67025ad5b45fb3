package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.objects.ApiServiceAvailability;
import io.plat.apiserver.operations.ManagedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.registration.ExpectedApiService.Priority;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.engine.lookup.Frozen;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
    private final ServedTypes served;
    private final CompletableFuture<Integer> listening;
    private final ObjectStore store;
    private final Subscription types;
    private final BackgroundLoop loop = BackgroundLoop.virtual("api-services", this);
    private final Set<String> processed = new HashSet<>();
    private @Nullable Set<String> initial;
    private @Nullable Watch watch;
    private volatile boolean closed;

    /** @param listening completes once the server listens; nothing is done before */
    ApiServiceController(Registration.Parts parts, CompletableFuture<Integer> listening) {
        this.operations = parts.operations();
        this.type = parts.catalog().find(GROUP, "v1", "apiservices").orElseThrow();
        this.served = parts.types();
        this.listening = listening;
        this.store = parts.store();
        this.types = parts.dynamicTypes().listen(loop::signal);
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
            String name,
            Step step,
            @Nullable ExpectedApiService expected,
            @Nullable ObjectNode actual,
            Optional<ObjectNode> condition) {}

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
        Snapshot snapshot = store.latest();
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
            Optional<ObjectNode> condition = actual == null
                    ? Optional.empty()
                    : ApiServiceAvailability.outdated(
                            actual, key -> snapshot.get(key).isPresent());
            if (step == Step.NOTHING && condition.isEmpty()) {
                processed.add(name);
            } else {
                changes.add(new Change(name, step, one, actual, condition));
            }
        }
        return execute(changes);
    }

    /** Returns the expected objects by name: those of built-in group versions, which have priorities, and of custom ones. */
    private Map<String, ExpectedApiService> expected() {
        Map<String, ExpectedApiService> expected = new TreeMap<>();
        for (String group :
                Stream.concat(Stream.of(""), served.groups().stream()).toList()) {
            for (String version : group.equals(GROUP) ? List.<String>of() : served.versions(group)) {
                @Nullable Priority builtIn = Priority.BUILT_IN.get(group.isEmpty() ? version : group + "/" + version);
                ExpectedApiService each = builtIn == null
                        ? new ExpectedApiService(group, version, Priority.OF_DEFINITIONS, ExpectedApiService.ALWAYS)
                        : new ExpectedApiService(group, version, builtIn, ExpectedApiService.ON_START);
                expected.put(each.name(), each);
            }
        }
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
                ApiServiceAvailability.set(
                        actual, change.condition().orElseThrow(), Timestamps.SECONDS.format(Instant.now()));
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
