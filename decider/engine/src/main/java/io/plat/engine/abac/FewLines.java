package io.plat.engine.abac;

import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;

/**
 * A few lines, in the order of the file, as most subjects have: looking at each costs less than any table, in time and in memory. How
 * many is bounded, so the cost of a decision is too.
 */
final class FewLines implements Lines {
    /** So many are looked at one by one. */
    static final int MOST = 4;

    private final PlacedLine[] lines;

    FewLines(PlacedLine[] lines) {
        this.lines = lines;
    }

    @Override
    public int first(ResourceAttributes request, String apiGroup, boolean reads) {
        for (PlacedLine line : lines) {
            int position = line.first(request, apiGroup, reads);
            if (position != FirstLine.NONE) {
                return position;
            }
        }
        return FirstLine.NONE;
    }

    @Override
    public int first(NonResourceAttributes request, boolean reads) {
        for (PlacedLine line : lines) {
            int position = line.first(request, reads);
            if (position != FirstLine.NONE) {
                return position;
            }
        }
        return FirstLine.NONE;
    }
}
