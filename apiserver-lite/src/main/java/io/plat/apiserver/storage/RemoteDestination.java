package io.plat.apiserver.storage;

import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Destination;
import io.plat.apiserver.storage.move.Kept;
import io.plat.apiserver.storage.move.Sum;
import io.plat.apiserver.storage.remote.RemoteKeys;
import io.plat.apiserver.storage.remote.RemoteKeys.Written;
import io.plat.apiserver.storage.remote.RemoteWrite;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A store in other processes that contents go to. A note says from before the first change until everything is there and was read back that
 * it is not whole, and no server works on it meanwhile: neither one that is started, nor one that has been there all the time, as every
 * write of it is on the condition that the note is what it was.
 *
 * <p>All objects are there under revisions behind that of the first note. So what is added to each revision ({@link Origin}) is what brings
 * that one to the last that clients of the other store have seen.
 */
public final class RemoteDestination implements Destination {
    private final RemoteKeys keys;
    private final boolean replace;
    private final Map<String, Duration> lifetimes;

    /**
     * A store that no server works on.
     *
     * @param keys stay the caller's
     * @param replace whether objects that are there are replaced
     * @param lifetimes for how long objects of a resource are kept that had no end where they come from
     */
    public RemoteDestination(RemoteKeys keys, boolean replace, Map<String, Duration> lifetimes) {
        this.keys = keys;
        this.replace = replace;
        this.lifetimes = Map.copyOf(lifetimes);
    }

    @Override
    public Sum take(Contents contents, long behind) throws StorageException {
        Origin before = Origin.read(keys);
        RemoteContents.refuseServers(keys);
        if (!replace) {
            refuseReplacing(before);
        }
        long marked = note(new Origin(before.offset(), false, before.written()));
        var condition = new RemoteWrite.Expected(Origin.KEY, marked);
        RemoteBatches.removeAll(keys, condition);
        Expected expected = write(contents, condition);
        Sum read = readBack(expected);
        contents.ensureUnchanged();
        note(new Origin(Math.max(before.offset(), behind - marked), true, marked));
        return read;
    }

    private void refuseReplacing(Origin before) throws StorageException {
        if (!before.whole()) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    "an earlier migration or restoration into it was not finished, and is not replaced");
        }
        boolean empty = switch (RemoteLoading.await(keys.list("", 1, 0))) {
            case RemoteKeys.Listed.Compacted gone -> false;
            case RemoteKeys.Listed.Found(RemoteKeys.Page page) ->
                page.values().stream().allMatch(value -> value.key().startsWith(RemoteObjects.NOTES));
        };
        if (!empty) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, "it holds objects already, and they are not replaced");
        }
    }

    /** Writes the note over the one that was seen; the revision of the new one. */
    private long note(Origin origin) throws StorageException {
        var write = new RemoteWrite(
                Origin.KEY, origin.note(), List.of(new RemoteWrite.Expected(Origin.KEY, origin.written())), 0);
        return switch (RemoteLoading.await(keys.write(write))) {
            case Written.Done done -> done.revision();
            case Written.Refused refused ->
                throw new StorageException(StorageException.Kind.IN_USE, "somebody else writes to it at the same time");
        };
    }

    /** What has to be there afterwards: of what stays the sum, of the rest at most so many. */
    private record Expected(Sum lasting, long passing) {}

    private Expected write(Contents contents, RemoteWrite.Expected condition) throws StorageException {
        var lasting = new Sum.Running();
        var passing = new Object() {
            long count;
        };
        var batches = new RemoteBatches(keys, condition);
        contents.each(kept -> {
            long seconds = seconds(kept);
            if (seconds == Kept.LASTING) {
                lasting.add(kept);
            } else {
                passing.count++;
            }
            batches.put(new Kept(kept.key(), kept.bytes(), seconds));
        });
        batches.finish();
        return new Expected(lasting.sum(), passing.count);
    }

    private long seconds(Kept kept) {
        Duration lifetime = lifetimes.get(kept.key().resource());
        return kept.lasting() && lifetime != null ? lifetime.toSeconds() : kept.seconds();
    }

    private Sum readBack(Expected expected) throws StorageException {
        var all = new Sum.Running();
        Sum lasting = new RemoteContents.Reading(keys, RemoteLoading.await(keys.revision())).each(all::add);
        expected.lasting.ensureReadBack(lasting);
        Sum found = all.sum();
        if (found.objects() - lasting.objects() > expected.passing) {
            throw Sum.readBackDifferently();
        }
        return found;
    }
}
