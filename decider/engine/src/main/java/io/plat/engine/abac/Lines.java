package io.plat.engine.abac;

import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.List;

/** The lines of one subject, compiled for finding the first that covers a request. */
sealed interface Lines permits PlacedLine, FewLines, LineTable {
    /**
     * The position of the first line that covers a resource request, or {@link FirstLine#NONE}.
     *
     * @param apiGroup the canonical name of the group
     * @param reads whether the verb is one that only reads
     */
    int first(ResourceAttributes request, String apiGroup, boolean reads);

    /** The position of the first line that covers a path, or {@link FirstLine#NONE}. */
    int first(NonResourceAttributes request, boolean reads);

    /** Collects the lines of one subject. */
    static final class Builder {
        private final List<PlacedLine> lines = new ArrayList<>();

        /** Adds a line that stands behind all those added before. */
        void add(int position, AbacLine line) {
            lines.add(PlacedLine.of(position, line));
        }

        Lines build() {
            if (lines.size() == 1) {
                return lines.getFirst();
            }
            return lines.size() <= FewLines.MOST ? new FewLines(lines.toArray(PlacedLine[]::new)) : LineTable.of(lines);
        }
    }
}
