package io.plat.engine.access;

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
    private record Index(Map<String, List<Shape>> at, List<Box> wide) {}

    private Index index() {
        Index built = index;
        if (built == null) {
            built = new Index(new HashMap<>(), new ArrayList<>());
            for (Box box : boxes) {
                if (box.namespaces().isWide()) {
                    built.wide().add(box);
                } else {
                    for (String namespace : box.namespaces().unsorted()) {
                        built.at()
                                .computeIfAbsent(namespace, one -> new ArrayList<>())
                                .add(box.shape());
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

    Set<Box> boxes() {
        return boxes;
    }

    boolean contains(Box one) {
        return boxes.stream().anyMatch(box -> box.contains(one));
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
                for (Box beyond : beyondWide(box, other.index().wide(), effort)) {
                    addBeyondPlaced(beyond, other.index().at(), remaining, effort);
                }
            }
        }
        return of(remaining);
    }

    private static List<Box> beyondWide(Box box, List<Box> wide, ComplexityLimit effort) {
        List<Box> remaining = List.of(box);
        for (Box cut : wide) {
            effort.spend(remaining.size());
            if (remaining.isEmpty()) {
                break;
            }
            List<Box> next = new ArrayList<>(remaining.size());
            for (Box piece : remaining) {
                addBeyond(piece, cut, next);
            }
            remaining = next;
        }
        return remaining;
    }

    private static void addBeyond(Box box, Box cut, List<Box> remaining) {
        Values shared = box.namespaces().and(cut.namespaces());
        if (shared.isEmpty() || !box.shape().intersects(cut.shape())) {
            remaining.add(box);
            return;
        }
        Values elsewhere = box.namespaces().minus(cut.namespaces());
        if (!elsewhere.isEmpty()) {
            remaining.add(new Box(box.shape(), elsewhere));
        }
        List<Shape> pieces = new ArrayList<>();
        box.shape().cutBy(cut.shape(), pieces);
        pieces.forEach(piece -> remaining.add(new Box(piece, shared)));
    }

    /** Subtracts boxes of single namespaces: the box is split in these, and remains whole elsewhere. */
    private static void addBeyondPlaced(
            Box box, Map<String, List<Shape>> at, List<Box> remaining, ComplexityLimit effort) {
        Values namespaces = box.namespaces();
        Collection<String> candidates = namespaces.isWide() ? at.keySet() : namespaces.unsorted();
        Set<String> cut = new HashSet<>();
        Map<Shape, List<String>> pieces = new LinkedHashMap<>();
        for (String namespace : candidates) {
            List<Shape> there = namespaces.contains(namespace) ? at.get(namespace) : null;
            if (there == null) {
                continue;
            }
            effort.spend(there.size());
            if (there.stream().anyMatch(box.shape()::intersects)) {
                cut.add(namespace);
                for (Shape piece : beyond(box.shape(), there, effort)) {
                    pieces.computeIfAbsent(piece, one -> new ArrayList<>()).add(namespace);
                }
            }
        }
        Values whole = cut.isEmpty() ? namespaces : namespaces.minus(Values.of(cut));
        if (!whole.isEmpty()) {
            remaining.add(new Box(box.shape(), whole));
        }
        pieces.forEach((piece, where) -> remaining.add(new Box(piece, Values.of(where))));
    }

    private static List<Shape> beyond(Shape shape, List<Shape> cuts, ComplexityLimit effort) {
        List<Shape> remaining = List.of(shape);
        for (Shape cut : cuts) {
            effort.spend(remaining.size());
            List<Shape> next = new ArrayList<>(remaining.size());
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
