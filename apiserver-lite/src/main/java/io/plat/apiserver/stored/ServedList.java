package io.plat.apiserver.stored;

import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

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
    private static final int LONG = 500;

    public ServedList {
        Objects.requireNonNull(type);
        Objects.requireNonNull(continueToken);
        Objects.requireNonNull(remaining);
        items = List.copyOf(items);
    }

    /** Whether it is so long that no answer should hold it as a whole: longer than the chunks that clients ask for. */
    public boolean isLong() {
        return items.size() > LONG;
    }

    /** This list, with the number of objects that are still to come. */
    public ServedList remaining(long count) {
        return new ServedList(type, revision, continueToken, OptionalLong.of(count), items);
    }
}
