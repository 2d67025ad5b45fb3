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
            all = merged(withoutCovered(all));
        } while (all.size() < before);
        return all;
    }

    /** Returns the boxes, with those merged that differ in one side only. */
    static List<Box> merged(List<Box> boxes) {
        List<Box> all = boxes;
        for (Box.Side side : Box.Side.ALL.reversed()) {
            all = merged(all, side);
        }
        return all;
    }

    private static List<Box> merged(List<Box> boxes, Box.Side side) {
        Map<Box, List<Values>> merged = new LinkedHashMap<>();
        for (Box box : boxes) {
            merged.computeIfAbsent(box.with(side, Values.NONE), rest -> new ArrayList<>(1))
                    .add(box.side(side));
        }
        List<Box> all = new ArrayList<>(merged.size());
        merged.forEach((rest, values) -> all.add(rest.with(side, Values.union(values))));
        return all;
    }

    private static List<Box> withoutCovered(List<Box> boxes) {
        if (boxes.size() > FEW) {
            return boxes;
        }
        List<Box> retained = new ArrayList<>(boxes);
        for (int i = retained.size() - 1; i >= 0; i--) {
            Box one = retained.get(i);
            for (int j = 0; j < retained.size(); j++) {
                if (j != i && retained.get(j).covers(one)) {
                    retained.remove(i);
                    break;
                }
            }
        }
        return retained;
    }
}
