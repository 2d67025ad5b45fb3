package io.plat.apiserver.operations;

import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.selector.FieldSelector;
import io.plat.apiserver.selector.Selection;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.request.FieldTerm;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watch of a collection by one client (specification, "Watch"): optionally the current objects first, then every change, in order and
 * exactly once.
 *
 * <p>It has no queue: a client that does not poll costs nothing, and its watch ends once the changes that it still needs are compacted.
 * Polls must not overlap.
 */
public final class ObjectWatch implements AutoCloseable {
    /** Number of changes that are examined to determine whether a watch can start at its revision. */
    private static final int FIRST = 16;

    /** Number of bytes read by the selectors after which a poll ends. */
    private static final long MAX_READ = 256 << 10;

    private final ResourceType type;
    private final Selection selection;
    private final KeyRange range;
    private final Watch cursor;
    private @Nullable Snapshot initial;
    private String last = "";
    private boolean initialEnds;
    private Watch.@Nullable Batch first;

    /** Changes that the cursor returned, and the number of them that were examined. */
    private List<Event> batch = List.of();

    private int done;

    /** Number of bytes that the selectors have read in the current poll. */
    private long read;

    private long position;

    public sealed interface Portion {
        /** Events, oldest first; possibly none although more follow. */
        record Events(List<WatchEvent> events) implements Portion {
            public Events {
                events = List.copyOf(events);
            }
        }

        /** End of the initial objects. Returned once, and only by a watch that starts with them. */
        record InitialEnd(long revision) implements Portion {}

        /**
         * No events at present: the signal is called when there are some.
         *
         * @param revision revision up to which all events were returned, from which a watch can resume
         */
        record Idle(long revision) implements Portion {}

        record Ended(Status status) implements Portion {}
    }

    private ObjectWatch(ResourceType type, Selection selection, KeyRange range, Watch cursor, long position) {
        this.type = type;
        this.selection = selection;
        this.range = range;
        this.cursor = cursor;
        this.position = position;
    }

    /**
     * Starts a watch.
     *
     * @throws StatusException 400 and 422 for invalid options, 410 if the history since the version is compacted, 504 if the version is
     *     in the future
     */
    static ObjectWatch open(ObjectStore store, Target target, ListOptions options, Runnable ready)
            throws StatusException {
        // As for lists.
        Selection.parse(target.type(), options.labelSelector(), "");
        var _ = FieldTerm.parse(options.fieldSelector());
        options.checkWatch();
        requireSameName(target, options.fieldSelector());
        Selection selection = Selection.parse(target.type(), options.labelSelector(), options.fieldSelector());
        KeyRange range = selection.range(target);
        if (!options.startsWithObjects() && !options.fromAnywhere()) {
            long after = Reader.revision(options.resourceVersion());
            return new ObjectWatch(target.type(), selection, range, store.watch(range, after, ready), after).start();
        }
        Snapshot start = RequestStore.run(() -> Reader.atLeast(store, options.resourceVersion()));
        long after = start.revision();
        ObjectWatch watch = new ObjectWatch(target.type(), selection, range, store.watch(range, after, ready), after);
        watch.initial = options.startsWithObjects() ? start : null;
        return watch;
    }

    private static void requireSameName(Target target, String fieldSelector) throws StatusException {
        if (target.name().isEmpty() || fieldSelector.isEmpty()) {
            return;
        }
        ResourceType type = target.type();
        FieldSelector fields = FieldSelector.parse(type, fieldSelector, TypeTraits.selectableFields(type));
        if (!fields.all() && !fields.name().equals(target.name())) {
            throw ApiErrors.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
    }

    /** Returns this watch, if its history is available. */
    private ObjectWatch start() throws StatusException {
        switch (cursor.poll(FIRST)) {
            case Watch.Batch.Gone gone -> {
                close();
                throw ApiErrors.expired(position, gone.oldest());
            }
            // An empty result must not be reused by a later poll: the signal may have come in between.
            case Watch.Batch.Events events -> first = events.events().isEmpty() ? null : events;
        }
        return this;
    }

    public ResourceType type() {
        return type;
    }

    /**
     * Returns the next events. Does not block.
     *
     * @param limit maximum number of objects or changes to examine, at least one; fewer if the selectors read much of them
     */
    public Portion poll(int limit) {
        if (initialEnds) {
            initialEnds = false;
            return new Portion.InitialEnd(position);
        }
        read = 0;
        Snapshot start = initial;
        return start == null ? changes(limit) : objects(start, limit);
    }

    private Portion objects(Snapshot start, int limit) {
        Page page = start.page(range, last, limit);
        var events = new ArrayList<WatchEvent>(page.entries().size());
        int count = 0;
        for (Entry entry : page.entries()) {
            if (read >= MAX_READ) {
                break;
            }
            count++;
            last = entry.key().path();
            if (matches(entry)) {
                events.add(new WatchEvent(WatchEvent.Type.ADDED, ServedObject.of(type, entry), false));
            }
        }
        if (page.remaining() == 0 && count == page.entries().size()) {
            initial = null;
            initialEnds = true;
        }
        return new Portion.Events(events);
    }

    private boolean matches(Entry entry) {
        read += selection.cost(entry);
        return selection.matches(entry);
    }

    private Portion changes(int limit) {
        if (done < batch.size()) {
            return new Portion.Events(events());
        }
        Watch.Batch polled = first == null ? cursor.poll(limit) : first;
        first = null;
        return switch (polled) {
            case Watch.Batch.Gone gone ->
                new Portion.Ended(ApiErrors.expired(position, gone.oldest()).status());
            case Watch.Batch.Events next -> {
                position = next.position();
                batch = next.events();
                done = 0;
                yield batch.isEmpty() ? new Portion.Idle(position) : new Portion.Events(events());
            }
        };
    }

    private List<WatchEvent> events() {
        var events = new ArrayList<WatchEvent>(batch.size() - done);
        while (done < batch.size() && read < MAX_READ) {
            @Nullable WatchEvent event = events(batch.get(done++));
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    /** Translates a change by the selectors: an object that starts or stops matching is added or deleted. */
    private @Nullable WatchEvent events(Event change) {
        boolean deletion = change.type() == Event.Type.DELETED;
        Entry previous = change.previous();
        boolean was = previous != null && matches(previous);
        boolean is = !deletion && matches(change.entry());
        if (is) {
            return event(was ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED, change.entry());
        }
        if (!was) {
            return null;
        }
        Entry unselected = Objects.requireNonNull(previous);
        return event(
                WatchEvent.Type.DELETED,
                deletion ? change.entry() : new Entry(unselected.key(), unselected.value(), change.revision()));
    }

    private WatchEvent event(WatchEvent.Type what, Entry entry) {
        return new WatchEvent(what, ServedObject.of(type, entry), true);
    }

    @Override
    public void close() {
        cursor.close();
    }
}
