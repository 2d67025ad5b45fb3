package io.plat.engine.abac;

import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;

/**
 * A line and where it stands, prepared for comparing.
 *
 * @param position its position among the lines of the file, from 0
 * @param line the line
 * @param apiGroup the canonical name of the group that it covers
 */
record PlacedLine(int position, AbacLine line, String apiGroup) implements Lines {
    static PlacedLine of(int position, AbacLine line) {
        return new PlacedLine(position, line, ApiGroups.canonical(line.apiGroup()));
    }

    @Override
    public int first(ResourceAttributes request, String canonicalGroup, boolean reads) {
        boolean covers = (reads || !line.readonly())
                && !line.resource().isEmpty()
                && covers(line.resource(), request.resource())
                && covers(line.namespace(), request.namespace())
                && covers(apiGroup, canonicalGroup);
        return covers ? position : FirstLine.NONE;
    }

    private static boolean covers(String pattern, String value) {
        return pattern.equals(value) || pattern.equals(AbacLine.ANY);
    }

    @Override
    public int first(NonResourceAttributes request, boolean reads) {
        String pattern = line.nonResourcePath();
        String path = request.path();
        boolean covers = (reads || !line.readonly())
                && !pattern.isEmpty()
                && (pattern.endsWith(AbacLine.ANY)
                        ? path.regionMatches(0, pattern, 0, pattern.length() - 1)
                        : pattern.equals(path));
        return covers ? position : FirstLine.NONE;
    }
}
