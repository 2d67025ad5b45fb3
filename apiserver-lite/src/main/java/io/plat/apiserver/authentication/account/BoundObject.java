package io.plat.apiserver.authentication.account;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.tree.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Stored object to which a token is bound. Thread-safe. */
final class BoundObject {
    /** Time for which a pod that is being deleted still counts, as in kube-apiserver, so that it can clean up. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final String what;
    private final Key key;
    private final String uid;

    /** Last version read; it is read again only after a change. */
    private volatile Version known = new Version(0, "", "");

    private record Version(long revision, String uid, String deleted) {}

    /** @param what kind of object, for messages */
    BoundObject(String what, Key key, String uid) {
        this.what = what;
        this.key = key;
        this.uid = uid;
    }

    /** Returns a one-line reason why a token bound to it is no longer valid; empty while it is. */
    Optional<String> problem(Snapshot snapshot, Instant now) throws StorageException {
        Optional<Entry> entry = snapshot.get(key);
        if (entry.isEmpty()) {
            return Optional.of("the " + what + " has been deleted");
        }
        Version version = known;
        if (entry.get().revision() != version.revision) {
            JsonNode metadata = metadata(entry.get());
            version = new Version(
                    entry.get().revision(),
                    metadata.path("uid").asText(),
                    metadata.path("deletionTimestamp").asText(""));
            known = version;
        }
        if (!version.uid.equals(uid)) {
            return Optional.of("the " + what + " has another uid than the claim");
        }
        return !version.deleted.isEmpty() && (!key.resource().equals("pods") || isOver(version.deleted, now))
                ? Optional.of("the " + what + " has been deleted")
                : Optional.empty();
    }

    private static boolean isOver(String deleted, Instant now) {
        try {
            return Instant.parse(deleted).isBefore(now.minus(GRACE));
        } catch (DateTimeParseException _) {
            return true;
        }
    }

    private static JsonNode metadata(Entry entry) {
        try {
            return Json.STORED.readTree(entry.value()).path("metadata");
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object can be read", e);
        }
    }
}
