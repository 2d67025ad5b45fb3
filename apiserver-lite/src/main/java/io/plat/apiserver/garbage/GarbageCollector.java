package io.plat.apiserver.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.engine.lookup.Frozen;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects whose owners are gone, and completes deletions that wait for dependents.
 *
 * <p>One thread follows the store and decides; it sleeps while nothing changes. Its decisions are executed by a bounded number of
 * concurrent threads, so that writes share disk syncs.
 */
public final class GarbageCollector implements BackgroundLoop.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

    /** Deletions are subject to admission: a forged owner must not cause the deletion of an object that a policy protects. */
    private static final Requester COLLECTOR = Requester.ofController("generic-garbage-collector");

    private static final int CONCURRENCY = 64;

    /** Time after which the evaluated actions are executed before others are evaluated. */
    private static final Duration TURN = Duration.ofMillis(50);

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration REFUSED_RETRY = Duration.ofSeconds(30);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int BUSY = 429;

    private final ObjectTracker objects;
    private final AllTypes known;
    private final ResourceOperations operations;
    private final Graph graph;
    private final GarbageEvaluator evaluator;
    private final Set<Key> failed = new LinkedHashSet<>();
    /** Objects whose change was refused, for instance by an admission policy, which may be deleted later. */
    private final Set<Key> refused = new LinkedHashSet<>();

    private Set<Key> refusedBefore = Set.of();
    private long refusedSince = System.nanoTime();
    private final Duration refusedRetry;
    private final BackgroundLoop loop;
    private final Subscription types;

    private GarbageCollector(
            ObjectStore store,
            ResourceOperations operations,
            ResourceCatalog catalog,
            DynamicTypes dynamicTypes,
            Duration refusedRetry) {
        this.refusedRetry = refusedRetry;
        this.known = new AllTypes(catalog, dynamicTypes);
        // Virtual threads are not time-sliced, and clients determine the cost of evaluations.
        this.loop = BackgroundLoop.platform("garbage", this);
        this.objects = new ObjectTracker(store, known, loop::signal);
        this.graph = new Graph(store);
        this.operations = operations;
        this.evaluator = new GarbageEvaluator(new OwnerLookup(known), graph);
        this.types = dynamicTypes.listen(loop::signal);
    }

    public static GarbageCollector start(
            ObjectStore store, ResourceOperations operations, ResourceCatalog catalog, DynamicTypes dynamicTypes) {
        return start(store, operations, catalog, dynamicTypes, REFUSED_RETRY);
    }

    static GarbageCollector start(
            ObjectStore store,
            ResourceOperations operations,
            ResourceCatalog catalog,
            DynamicTypes dynamicTypes,
            Duration refusedRetry) {
        var collector = new GarbageCollector(store, operations, catalog, dynamicTypes, refusedRetry);
        collector.loop.start();
        return collector;
    }

    @Override
    public void begin() throws StorageException {
        graph.clear();
        objects.begin(graph);
    }

    @Override
    public Duration round() throws StorageException {
        if (!objects.follow(graph, 0)) {
            begin();
            return BackgroundLoop.NONE;
        }
        if (!graph.idle()) {
            execute(evaluate(graph.take(CONCURRENCY)));
            return BackgroundLoop.NONE;
        }
        if (!failed.isEmpty()) {
            failed.forEach(graph::enqueue);
            failed.clear();
            return RETRY;
        }
        if (refused.isEmpty()) {
            return BackgroundLoop.UNTIL_SIGNAL;
        }
        long remaining = refusedRetry.toNanos() - (System.nanoTime() - refusedSince);
        if (remaining > 0) {
            return Duration.ofNanos(remaining);
        }
        refusedSince = System.nanoTime();
        refused.forEach(graph::enqueue);
        refusedBefore = Frozen.copyOf(refused);
        refused.clear();
        return BackgroundLoop.NONE;
    }

    @Override
    public void end() {
        objects.close();
        graph.clear();
    }

    /** Action to execute, and the object to evaluate again if it fails. */
    private record Task(Key key, GarbageAction action) {}

    private List<Task> evaluate(List<Key> keys) throws StorageException {
        var tasks = new ArrayList<Task>();
        Snapshot snapshot = objects.latest();
        long begin = NanoTime.now();
        for (Key key : keys) {
            if (NanoTime.since(begin) > TURN.toNanos()) {
                graph.enqueue(key);
                continue;
            }
            Optional<Entry> entry = snapshot.get(key);
            if (entry.isEmpty()) {
                continue;
            }
            GraphNode object = GraphNode.read(entry.get());
            boolean ends = object.waits() || object.orphans();
            if (ends && !follows(object.revision())) {
                return List.of();
            }
            List<? extends GarbageAction> actions = evaluator.on(object, snapshot);
            boolean waits = actions.stream()
                    .anyMatch(action -> action instanceof GarbageAction.Delete delete
                            && delete.propagation() == Propagation.FOREGROUND);
            if (waits && !follows(snapshot.revision())) {
                return List.of();
            }
            // Dependents are evaluated by the state at which their owner began to wait: one that also waits is a cycle.
            for (GarbageAction action : waits ? evaluator.on(object, snapshot) : actions) {
                tasks.add(new Task(key, action));
            }
        }
        return tasks;
    }

    /**
     * Returns whether the graph has all changes up to a revision. If some were missed, it is rebuilt, and everything is evaluated again.
     */
    private boolean follows(long revision) throws StorageException {
        if (objects.follow(graph, revision)) {
            return true;
        }
        begin();
        return false;
    }

    private void execute(List<Task> tasks) {
        ConcurrentWrites.run("garbage", tasks, task -> task.action().object().size(), task -> execute(task.action()))
                .forEach(failure -> failed(failure.item(), failure.cause()));
    }

    /**
     * Executes an action.
     *
     * @throws StatusException as thrown by the operations: 404 and 409 if the object has changed
     */
    private void execute(GarbageAction action) throws StatusException {
        switch (action) {
            case GarbageAction.Delete delete -> delete(delete);
            case GarbageAction.RemoveItems removal ->
                edit(removal.object(), metadata -> {
                    // Each removal moves the items after it.
                    removal.positions().reversed().forEach(metadata.withArray(removal.list())::remove);
                    if (metadata.path(removal.list()).isEmpty()) {
                        metadata.remove(removal.list());
                    }
                });
        }
    }

    private void delete(GarbageAction.Delete delete) throws StatusException {
        GraphNode object = delete.object();
        @Nullable String revision = Long.toString(object.revision());
        if (!delete.unblocked().isEmpty()) {
            // The state changes, which triggers another evaluation.
            revision = null;
            edit(
                    object,
                    metadata -> delete.unblocked()
                            .forEach(i -> ((ObjectNode)
                                            metadata.path("ownerReferences").path(i))
                                    .put("blockOwnerDeletion", false)));
        }
        operations.delete(
                target(object), new DeleteOptions(false, object.uid(), revision, delete.propagation()), COLLECTOR);
    }

    private void edit(GraphNode object, Consumer<ObjectNode> change) throws StatusException {
        operations.editMetadata(target(object), object.revision(), change);
    }

    private Target target(GraphNode object) {
        return new Target(
                known.stored(object.key().resource()).orElseThrow(),
                object.key().namespace(),
                object.key().name());
    }

    private void failed(Task task, Throwable failure) {
        if (!(failure instanceof StatusException answer)) {
            LOG.error("an object could not be collected: key={}", task.key(), failure);
            failed.add(task.key());
            return;
        }
        Status status = answer.status();
        switch (status.code()) {
            case NOT_FOUND -> {}
            case CONFLICT -> graph.enqueue(task.key());
            case BUSY -> failed.add(task.key());
            default -> {
                if (status.code() >= 500) {
                    failed.add(task.key());
                } else if (refused.add(task.key()) && !refusedBefore.contains(task.key())) {
                    LOG.warn("an object could not be garbage-collected: key={} cause={}", task.key(), status.message());
                }
            }
        }
    }

    /** Stops. Writes in progress complete; the rest is found by the next collector. */
    @Override
    public void close() {
        types.close();
        loop.close();
        loop.join();
    }
}
