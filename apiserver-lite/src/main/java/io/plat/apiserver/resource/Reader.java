package io.plat.apiserver.resource;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads objects: one by its name, or those of a collection that selectors pick. */
final class Reader {
    private final ObjectStore store;

    Reader(ObjectStore store) {
        this.store = store;
    }

    static Key key(Target target) throws StatusException {
        try {
            return new Key(target.type().storage(), target.namespace(), target.name());
        } catch (IllegalArgumentException e) {
            throw Refusals.notFound(target.type(), target.name());
        }
    }

    /** The present state of an object. */
    Entry entry(Target target) throws StatusException {
        try {
            return store.latest().get(key(target)).orElseThrow(() -> Refusals.notFound(target.type(), target.name()));
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    Result.One get(Target target, String resourceVersion) throws StatusException {
        try {
            Snapshot snapshot = atLeast(resourceVersion);
            Entry entry = snapshot.get(key(target)).orElseThrow(() -> Refusals.notFound(target.type(), target.name()));
            return new Result.One(200, ServedObject.of(target.type(), entry), List.of());
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    ServedList list(Target target, ListOptions options) throws StatusException {
        ResourceType type = target.type();
        LabelSelector labels = LabelSelector.parse(options.labelSelector());
        FieldSelector fields = FieldSelector.parse(
                type, options.fieldSelector(), TypeRules.of(type).selectableFields());
        if (!options.continueToken().isEmpty()) {
            throw Refusals.badRequest("invalid continue token: no list was cut off where it says");
        }
        try {
            Snapshot snapshot = snapshot(options);
            var items = new ArrayList<ServedObject>();
            for (Entry entry : snapshot.page(range(target, fields), "", 0).entries()) {
                ServedObject object = ServedObject.of(type, entry);
                if ((labels.all() && fields.all()) || matches(object, labels, fields)) {
                    items.add(object);
                }
            }
            return new ServedList(type, snapshot.revision(), "", OptionalLong.empty(), items);
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    private static KeyRange range(Target target, FieldSelector fields) throws StatusException {
        String name = target.name().isEmpty() ? fields.name() : target.name();
        try {
            boolean one = !name.isEmpty()
                    && target.type().namespaced() == !target.namespace().isEmpty();
            return one
                    ? KeyRange.of(new Key(target.type().storage(), target.namespace(), name))
                    : KeyRange.of(target.type().storage(), target.namespace());
        } catch (IllegalArgumentException e) {
            throw Refusals.badRequest("not a name: " + Causes.quoted(name));
        }
    }

    private static boolean matches(ServedObject object, LabelSelector labels, FieldSelector fields) {
        var tree = object.tree();
        return labels.matches(tree.path("metadata").path("labels")) && fields.matches(tree);
    }

    private Snapshot snapshot(ListOptions options) throws StatusException, StorageException {
        if (!options.resourceVersionMatch().equals("Exact")) {
            return atLeast(options.resourceVersion());
        }
        long revision = revision(options.resourceVersion());
        return switch (store.at(revision)) {
            case Lookup.Found found -> found.snapshot();
            case Lookup.Gone gone -> throw Refusals.expired(revision, gone.oldest());
            case Lookup.Future future -> throw Refusals.tooLarge(revision, future.current());
        };
    }

    private Snapshot atLeast(String resourceVersion) throws StatusException, StorageException {
        if (resourceVersion.isEmpty()) {
            return store.latest();
        }
        long revision = revision(resourceVersion);
        return switch (store.notBefore(revision)) {
            case Lookup.Found found -> found.snapshot();
            case Lookup.Gone gone -> throw Refusals.expired(revision, gone.oldest());
            case Lookup.Future future -> throw Refusals.tooLarge(revision, future.current());
        };
    }

    static long revision(String resourceVersion) throws StatusException {
        if (!resourceVersion.matches("[0-9]{1,18}")) {
            throw Refusals.badRequest("Invalid value: " + Causes.quoted(resourceVersion)
                    + ": strconv.ParseUint: parsing " + Causes.quoted(resourceVersion) + ": invalid syntax");
        }
        return Long.parseLong(resourceVersion);
    }
}
