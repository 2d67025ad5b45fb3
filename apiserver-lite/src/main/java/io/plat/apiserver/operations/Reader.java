package io.plat.apiserver.operations;

import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;

/** Read access to single objects. */
record Reader(ObjectStore store) {
    Entry entry(Target target) throws StatusException {
        return RequestStore.run(() -> entry(target, store.latest()));
    }

    Result.One get(Target target, String resourceVersion) throws StatusException {
        Entry entry = RequestStore.run(() -> entry(target, atLeast(store, resourceVersion)));
        return new Result.One(200, ServedObject.of(target.type(), entry), List.of());
    }

    static Entry entry(Target target, Snapshot snapshot) throws StatusException {
        return snapshot.get(target.key()).orElseThrow(() -> ApiErrors.notFound(target.type(), target.name()));
    }

    /** Returns a state that is at least as new as a version; the newest for {@code ""}. */
    static Snapshot atLeast(ObjectStore store, String resourceVersion) throws StatusException, StorageException {
        if (resourceVersion.isEmpty()) {
            return store.latest();
        }
        long revision = revision(resourceVersion);
        return switch (store.notBefore(revision)) {
            case Lookup.Found found -> found.snapshot();
            case Lookup.Gone gone -> throw ApiErrors.expired(revision, gone.oldest());
            case Lookup.Future future -> throw ApiErrors.tooLarge(revision, future.current());
        };
    }

    static long revision(String resourceVersion) throws StatusException {
        if (!resourceVersion.matches("[0-9]{1,18}")) {
            throw ApiErrors.badRequest("resourceVersion: Invalid value: " + FieldErrorMessages.quoted(resourceVersion)
                    + ": strconv.ParseUint: parsing " + FieldErrorMessages.quoted(resourceVersion)
                    + (resourceVersion.matches("[0-9]+") ? ": value out of range" : ": invalid syntax"));
        }
        return Long.parseLong(resourceVersion);
    }
}
