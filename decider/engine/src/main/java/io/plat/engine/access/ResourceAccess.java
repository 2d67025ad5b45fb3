package io.plat.engine.access;

import io.plat.engine.access.Box.Side;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of accesses to resources: a union of boxes. Most boxes of a policy have one namespace each, so a difference looks up the boxes of a
 * namespace and compares no others. Immutable.
 */
final class ResourceAccess {
    static final ResourceAccess NONE = new ResourceAccess(Set.of());

    private final Set<Box> boxes;
    /** Created lazily; a race may create it twice, with the same content. */
    private volatile @Nullable Index index;

    private ResourceAccess(Set<Box> boxes) {
        this.boxes = boxes;
    }

    static ResourceAccess of(Collection<Box> boxes) {
        return boxes.isEmpty() ? NONE : new ResourceAccess(new LinkedHashSet<>(boxes));
    }

    /**
     * The boxes by namespace.
     *
     * @param at those in finitely many namespaces, by namespace
     * @param wide all others
     */
    private record Index(Map<String, List<Box>> at, List<Box> wide) {}

    private Index index() {
        Index built = index;
        if (built == null) {
            built = new Index(new HashMap<>(), new ArrayList<>());
            for (Box box : boxes) {
                Values namespaces = box.side(Side.NAMESPACES);
                if (namespaces.isWide()) {
                    built.wide().add(box);
                } else {
                    for (String namespace : namespaces.unsorted()) {
                        built.at()
                                .computeIfAbsent(namespace, one -> new ArrayList<>())
                                .add(box);
                    }
                }
            }
            index = built;
        }
        return built;
    }

    boolean isEmpty() {
        return boxes.isEmpty();
    }

    boolean contains(Box one) {
        return boxes.stream().anyMatch(box -> box.covers(one));
    }

    boolean intersects(Box one) {
        return boxes.stream().anyMatch(box -> box.intersects(one));
    }

    ResourceAccess or(ResourceAccess other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        Set<Box> all = new LinkedHashSet<>(boxes);
        all.addAll(other.boxes);
        return new ResourceAccess(all);
    }

    ResourceAccess minus(ResourceAccess other, ComplexityLimit effort) {
        if (isEmpty() || other.isEmpty()) {
            return this;
        }
        List<Box> remaining = new ArrayList<>();
        for (Box box : boxes) {
            if (!other.boxes.contains(box)) {
                for (Box beyond : beyond(box, other.index().wide(), effort)) {
                    addBeyondPlaced(beyond, other.index().at(), remaining, effort);
                }
            }
        }
        return of(remaining);
    }

    /** Subtracts boxes of single namespaces: the box is split in these, and remains whole elsewhere. */
    private static void addBeyondPlaced(
            Box box, Map<String, List<Box>> at, List<Box> remaining, ComplexityLimit effort) {
        Values namespaces = box.side(Side.NAMESPACES);
        Collection<String> candidates = namespaces.isWide() ? at.keySet() : namespaces.unsorted();
        Set<String> cut = new HashSet<>();
        Map<Box, List<String>> pieces = new LinkedHashMap<>();
        for (String namespace : candidates) {
            List<Box> there = namespaces.contains(namespace) ? at.get(namespace) : null;
            if (there == null) {
                continue;
            }
            effort.spend(there.size());
            if (there.stream().anyMatch(box::intersects)) {
                cut.add(namespace);
                for (Box piece : beyond(box.in(Values.of(namespace)), there, effort)) {
                    pieces.computeIfAbsent(piece.in(Values.NONE), one -> new ArrayList<>())
                            .add(namespace);
                }
            }
        }
        Values whole = cut.isEmpty() ? namespaces : namespaces.minus(Values.of(cut));
        if (!whole.isEmpty()) {
            remaining.add(box.in(whole));
        }
        pieces.forEach((piece, where) -> remaining.add(piece.in(Values.of(where))));
    }

    private static List<Box> beyond(Box box, List<Box> cuts, ComplexityLimit effort) {
        List<Box> remaining = List.of(box);
        for (Box cut : cuts) {
            effort.spend(remaining.size());
            if (remaining.isEmpty()) {
                break;
            }
            List<Box> next = new ArrayList<>(remaining.size());
            remaining.forEach(piece -> piece.cutBy(cut, next));
            remaining = next;
        }
        return remaining;
    }

    List<AccessRow> rows() {
        return BoxReduction.boxes(boxes).stream().map(AccessRow::onResources).toList();
    }

    @Override
    public String toString() {
        return boxes.toString();
    }
}
