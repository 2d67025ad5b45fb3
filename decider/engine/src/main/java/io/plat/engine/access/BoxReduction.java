package io.plat.engine.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Reduction of boxes: merges those that differ in one side only, and drops those contained in another. */
final class BoxReduction {
    /** Maximum number of boxes that are compared pairwise. */
    private static final int FEW = 400;

    private BoxReduction() {}

    static List<Box> boxes(Collection<Box> boxes) {
        List<Box> all = new ArrayList<>(new LinkedHashSet<>(boxes));
        int before;
        do {
            before = all.size();
            all = withoutCovered(all);
            for (Shape.Side side : Shape.Side.ALL.reversed()) {
                all = merged(all, side);
            }
            all = mergedNamespaces(all);
        } while (all.size() < before);
        return all;
    }

    private static List<Box> merged(List<Box> boxes, Shape.Side side) {
        Map<Box, Values> merged = new LinkedHashMap<>();
        for (Box box : boxes) {
            Box rest = new Box(box.shape().with(side, Values.NONE), box.namespaces());
            merged.merge(rest, box.shape().side(side), Values::or);
        }
        List<Box> all = new ArrayList<>(merged.size());
        merged.forEach((rest, values) -> all.add(new Box(rest.shape().with(side, values), rest.namespaces())));
        return all;
    }

    private static List<Box> mergedNamespaces(List<Box> boxes) {
        Map<Shape, List<Values>> where = new LinkedHashMap<>();
        boxes.forEach(box ->
                where.computeIfAbsent(box.shape(), one -> new ArrayList<>()).add(box.namespaces()));
        List<Box> all = new ArrayList<>(where.size());
        where.forEach((shape, namespaces) -> all.add(new Box(shape, union(namespaces))));
        return all;
    }

    /** Returns the union of many sets; adding them one by one would be quadratic. */
    private static Values union(List<Values> many) {
        List<String> finite = new ArrayList<>();
        Values wide = Values.NONE;
        for (Values some : many) {
            if (some.isWide()) {
                wide = wide.or(some);
            } else {
                finite.addAll(some.unsorted());
            }
        }
        Values placed = Values.of(finite);
        return wide.isEmpty() ? placed : wide.or(placed);
    }

    private static List<Box> withoutCovered(List<Box> boxes) {
        if (boxes.size() > FEW) {
            return boxes;
        }
        List<Box> retained = new ArrayList<>(boxes);
        for (int i = retained.size() - 1; i >= 0; i--) {
            Box one = retained.get(i);
            for (int j = 0; j < retained.size(); j++) {
                if (j != i && retained.get(j).contains(one)) {
                    retained.remove(i);
                    break;
                }
            }
        }
        return retained;
    }
}
