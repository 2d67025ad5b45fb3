package io.plat.apiserver.stored;

import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * A list, or a chunk of one (specification, "Object and list shapes").
 *
 * @param type the type of its objects
 * @param revision the state it shows
 * @param continueToken where to go on, {@code ""} at the end
 * @param remaining how many objects are still to come, where that is known
 * @param items the objects, in the order of their keys
 */
public record ServedList(
        ResourceType type, long revision, String continueToken, OptionalLong remaining, List<ServedObject> items) {
    private static final int MANY = 500;
    private static final long LARGE = 128 << 10;

    public ServedList {
        Objects.requireNonNull(type);
        Objects.requireNonNull(continueToken);
        Objects.requireNonNull(remaining);
        items = List.copyOf(items);
    }

    /** Whether no answer should hold it as a whole: it is longer than the chunks that clients ask for, or its objects are large. */
    public boolean isLarge() {
        long size = 0;
        for (int i = 0; i < items.size() && i < MANY && size <= LARGE; i++) {
            size += items.get(i).storedSize();
        }
        return items.size() > MANY || size > LARGE;
    }

    /** The bytes that are stored of its objects. */
    public long storedSize() {
        return items.stream().mapToLong(ServedObject::storedSize).sum();
    }

    /** The largest estimate of its objects, made of the bytes that are stored of each. */
    public long most(ToLongFunction<byte[]> estimate) {
        long most = 0;
        for (ServedObject object : items) {
            most = Math.max(most, object.estimate(estimate));
        }
        return most;
    }

    /** This list, with the number of objects that are still to come. */
    public ServedList remaining(long count) {
        return new ServedList(type, revision, continueToken, OptionalLong.of(count), items);
    }
}
