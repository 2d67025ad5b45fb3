package io.plat.apiserver.stored;

import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * List, or a chunk of one (specification, "Object and list shapes").
 *
 * @param continueToken continue token, {@code ""} at the end
 * @param items objects in the order of their keys
 */
public record ServedList(
        ResourceType type, long revision, String continueToken, OptionalLong remaining, List<ServedObject> items) {
    private static final int MANY = 500;
    private static final long LARGE = 128 << 10;

    public ServedList {
        items = List.copyOf(items);
    }

    /** Returns whether a response should be streamed: the list is longer than usual chunks, or its objects are large. */
    public boolean isLarge() {
        long size = 0;
        for (int i = 0; i < items.size() && i < MANY && size <= LARGE; i++) {
            size += items.get(i).storedSize();
        }
        return items.size() > MANY || size > LARGE;
    }

    public long storedSize() {
        return items.stream().mapToLong(ServedObject::storedSize).sum();
    }

    public long most(ToLongFunction<byte[]> estimate) {
        long max = 0;
        for (ServedObject object : items) {
            max = Math.max(max, object.estimate(estimate));
        }
        return max;
    }

    public ServedList remaining(long count) {
        return new ServedList(type, revision, continueToken, OptionalLong.of(count), items);
    }
}
