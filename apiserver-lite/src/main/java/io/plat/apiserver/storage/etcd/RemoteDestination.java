package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.etcd.RemoteKeys.Written;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Destination;
import io.plat.apiserver.storage.move.Kept;
import io.plat.apiserver.storage.move.Sum;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A store in other processes that contents go to. A note states from before the first change until everything is there and was read back that
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
        Sum read = write(contents, condition);
        contents.ensureUnchanged();
        note(new Origin(Math.max(before.offset(), behind - marked), true, marked));
        return read;
    }

    private void refuseReplacing(Origin before) throws StorageException {
        if (!before.whole()) {
            throw new StorageException(
                    Kind.UNAVAILABLE,
                    "an earlier migration or restoration into it was not finished, and is not replaced");
        }
        boolean empty = switch (RemoteLoading.await(keys.list("", 1, 0))) {
            case RemoteKeys.Listed.Compacted gone -> false;
            case RemoteKeys.Listed.Found(RemoteKeys.Page page) ->
                page.values().stream().allMatch(value -> value.key().startsWith(RemoteObjects.NOTES));
        };
        if (!empty) {
            throw new StorageException(Kind.UNAVAILABLE, "it holds objects already, and they are not replaced");
        }
    }

    /** Writes the note over the one that was seen; the revision of the new one. */
    private long note(Origin origin) throws StorageException {
        var write = new RemoteWrite(
                Origin.KEY, origin.note(), List.of(new RemoteWrite.Expected(Origin.KEY, origin.written())), 0);
        return switch (RemoteLoading.await(keys.write(write))) {
            case Written.Done done -> done.revision();
            case Written.Refused refused ->
                throw new StorageException(Kind.IN_USE, "somebody else writes to it at the same time");
        };
    }

    /** Writes everything and reads it back: the sum of the objects that stay has to be the same, of the others some may have ended. */
    private Sum write(Contents contents, RemoteWrite.Expected condition) throws StorageException {
        var lasting = new Sum.Running();
        long[] passing = {0};
        var batches = new RemoteBatches(keys, condition);
        contents.each(kept -> {
            long seconds = seconds(kept);
            if (seconds == Kept.LASTING) {
                lasting.add(kept);
            } else {
                passing[0]++;
            }
            batches.put(new Kept(kept.key(), kept.bytes(), seconds));
        });
        batches.finish();
        var all = new Sum.Running();
        Sum lastingRead = new RemoteContents.Reading(keys, RemoteLoading.await(keys.revision())).each(all::add);
        lasting.sum().ensureReadBack(lastingRead);
        Sum read = all.sum();
        if (read.objects() - lastingRead.objects() > passing[0]) {
            throw Sum.readBackDifferently();
        }
        return read;
    }

    private long seconds(Kept kept) {
        Duration lifetime = lifetimes.get(kept.key().resource());
        return kept.lasting() && lifetime != null ? lifetime.toSeconds() : kept.seconds();
    }
}
