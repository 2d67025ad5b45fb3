package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.FollowerProgress;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Schemas;
import io.plat.apiserver.type.Subscription;
import io.plat.process.BackgroundLoop;
import io.plat.review.source.Quoted;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the definitions of a store: decides on their names, updates their conditions, and publishes the served types. */
public final class CustomTypes implements DynamicTypes, BackgroundLoop.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CustomTypes.class);
    private static final int PORTION = 500;
    private static final TypeSchema SCHEMA = Schemas.builtIn()
            .find("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
            .orElseThrow();

    private final ObjectStore store;
    private final InstantSource clock;
    private final DefinitionForm form;
    private final FollowerProgress progress = new FollowerProgress();
    private final Map<String, CustomResourceDefinition> definitions = new HashMap<>();
    private final Set<String> undecided = new LinkedHashSet<>();
    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();
    private final BackgroundLoop loop;
    private volatile ServedCustomTypes now = ServedCustomTypes.NONE;
    private @Nullable Watch watch;
    private boolean started;

    private CustomTypes(ObjectStore store, DefinitionForm form, InstantSource clock) {
        this.form = form;
        this.store = store;
        this.clock = clock;
        this.loop = BackgroundLoop.platform("definitions", this);
    }

    /** Starts serving the defined types, and follows definitions until closed. The store is not closed. */
    public static CustomTypes follow(ObjectStore store, DefinitionForm form, InstantSource clock)
            throws StorageException {
        var types = new CustomTypes(store, form, clock);
        types.begin();
        types.started = true;
        types.loop.start();
        return types;
    }

    /** Returns the store, through which a write of a definition is acknowledged once its types are served, or after a timeout. */
    public ObjectStore store() {
        return progress.delaying(
                store, key -> key.resource().equals(ResourceCatalog.DEFINITIONS), CompletableFuture::completedFuture);
    }

    @Override
    public ServedCustomTypes now() {
        return now;
    }

    @Override
    public Subscription listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Reads all definitions; undecided ones are decided before anything else is read. */
    @Override
    public void begin() throws StorageException {
        if (started) {
            started = false;
            return;
        }
        if (watch != null) {
            watch.close();
        }
        Snapshot snapshot = store.latest();
        KeyRange all = KeyRange.of(ResourceCatalog.DEFINITIONS);
        watch = store.watch(all, snapshot.revision(), loop::signal);
        definitions.clear();
        form.memory().clear();
        undecided.clear();
        for (Entry entry : snapshot.page(all, "", 0).entries()) {
            put(entry);
        }
        publish();
        recordProgress(snapshot.revision());
    }

    private void put(Entry entry) {
        @Nullable CustomResourceDefinition before = definitions.get(entry.key().name());
        if (before != null && before.entry().revision() >= entry.revision()) {
            return;
        }
        CustomResourceDefinition read = before == null
                ? CustomResourceDefinition.read(entry, form.registry())
                : before.next(entry, form.registry());
        form.memory().keep(entry, read.spec());
        if (read.collides() && before == null) {
            LOG.warn("a definition is not served, as its group belongs to built-in types: definition={}", read.name());
        }
        if (read.usable() && read.collides() && read.conditions().isTrue(Conditions.ESTABLISHED)) {
            form.reject(entry.revision());
            definitions.put(read.name(), read);
        } else if (read.usable()) {
            definitions.put(read.name(), read);
            undecided.add(read.name());
        } else {
            // Written by another program, or before validation existed: its type is not served, all others are.
            LOG.error(
                    "a definition is not served, as it has no storage version: definition={}",
                    entry.key().name());
            definitions.remove(entry.key().name());
        }
    }

    /** Reads the changes; reloads if some were missed. */
    @Override
    public Duration round() throws StorageException {
        decide();
        switch (Objects.requireNonNull(watch).poll(PORTION)) {
            case Watch.Batch.Gone gone -> {
                begin();
                return BackgroundLoop.NONE;
            }
            case Watch.Batch.Events events -> {
                events.events().forEach(this::apply);
                if (!events.events().isEmpty()) {
                    decide();
                    publish();
                }
                recordProgress(events.position());
                return events.events().isEmpty() && !compileNext() ? BackgroundLoop.UNTIL_SIGNAL : BackgroundLoop.NONE;
            }
        }
    }

    /** Compiles the rules of one definition, so that one whose rules do not compile is reported before anything is written. */
    private boolean compileNext() {
        Optional<CustomType> next = definitions.values().stream()
                .map(CustomResourceDefinition::storedForm)
                .filter(form -> form.problem() == null)
                .findFirst();
        next.ifPresent(form -> {
            form.compile();
            if (!"".equals(form.problem())) {
                LOG.error(
                        "a rule or pattern of a definition does not compile, objects that it applies to are refused:"
                                + " type={} problem={}",
                        form.resourceType().groupResource(),
                        Quoted.of(String.valueOf(form.problem())));
            }
        });
        return next.isPresent();
    }

    @Override
    public void end() {
        if (watch != null) {
            watch.close();
        }
    }

    private void apply(Event event) {
        if (event.type() != Event.Type.DELETED) {
            put(event.entry());
            return;
        }
        form.memory().release(event.key().name());
        @Nullable CustomResourceDefinition gone = definitions.remove(event.key().name());
        if (gone != null) {
            // Its names are free now, and may have been requested by others of its group.
            reconsider(gone.group());
        }
    }

    private void reconsider(String group) {
        definitions.values().stream()
                .filter(each -> each.group().equals(group))
                .forEach(each -> undecided.add(each.name()));
    }

    /** Decides on the names of new or changed definitions, and writes the result. */
    private void decide() throws StorageException {
        while (!undecided.isEmpty()) {
            String name = undecided.iterator().next();
            undecided.remove(name);
            @Nullable CustomResourceDefinition definition = definitions.get(name);
            if (definition != null) {
                decide(definition);
            }
        }
    }

    private void decide(CustomResourceDefinition definition) throws StorageException {
        List<CustomResourceDefinition> group = definitions.values().stream()
                .filter(each -> each.group().equals(definition.group()))
                .toList();
        Optional<ObjectNode> decided =
                NameDecision.decide(definition, group, form.registry().builtIn(definition.group()), time());
        if (decided.isEmpty()) {
            return;
        }
        own(definition.tree(), decided.get());
        Outcome outcome = store.commit(Transaction.replace(definition.entry(), StoredForm.encode(decided.get())));
        // If another write was first, its event triggers another decision.
        if (outcome instanceof Outcome.Committed committed) {
            boolean released = !definition
                    .status()
                    .path("acceptedNames")
                    .equals(decided.get().path("status").path("acceptedNames"));
            put(committed.event().entry());
            undecided.remove(definition.name());
            if (released) {
                reconsider(definition.group());
                undecided.remove(definition.name());
            }
        }
    }

    private void own(ObjectNode before, ObjectNode decided) {
        var writer = new Ownership.Writer(
                WriteOptions.SERVER, "apiextensions.k8s.io/v1", "status", Set.of(), Json.object(), time());
        Json.child(decided, "metadata")
                .set(Ownership.FIELD, new Ownership(SCHEMA, writer).updated(before, decided, Ownership.of(before)));
    }

    String time() {
        return Timestamps.SECONDS.format(clock.instant());
    }

    private void publish() {
        now = now.with(definitions);
        listeners.forEach(Runnable::run);
    }

    private void recordProgress(long revision) {
        progress.read(ResourceCatalog.DEFINITIONS, revision);
        progress.markEffective();
    }

    @Override
    public void close() {
        loop.close();
    }
}
