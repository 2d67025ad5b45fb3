package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Origin of a store's revisions in etcd, and whether migrated contents are complete. etcd counts revisions from 1, while clients of a
 * migrated store have seen larger ones. The offset is stored in an internal key that all readers and writers use; without it the offset is
 * 0.
 *
 * @param complete whether all migrated contents have arrived
 * @param written etcd revision that wrote the key; 0 if it does not exist
 */
record Origin(long offset, boolean complete, long written) {
    static final String KEY = RemoteObjects.INTERNAL + "origin";

    private static final Pattern FORMAT = Pattern.compile("(whole|unfinished) ([0-9]{1,18})");

    static Origin read(RemoteKeys keys) throws StorageException {
        RemoteKeys.@Nullable Value value = RemoteLoader.await(keys.get(KEY));
        if (value == null) {
            return new Origin(0, true, 0);
        }
        Matcher parts = FORMAT.matcher(new String(value.bytes(), US_ASCII));
        if (!parts.matches()) {
            throw new StorageException(
                    Kind.UNKNOWN_FORMAT,
                    "the origin of its revisions is malformed, possibly written by a later version");
        }
        return new Origin(Long.parseLong(parts.group(2)), parts.group(1).equals("whole"), value.revision());
    }

    static Origin readComplete(RemoteKeys keys) throws StorageException {
        Origin origin = read(keys);
        if (!origin.complete) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "a migration or restore into it was not finished: start it again with --force");
        }
        return origin;
    }

    byte[] encode() {
        return ((complete ? "whole " : "unfinished ") + offset).getBytes(US_ASCII);
    }
}
