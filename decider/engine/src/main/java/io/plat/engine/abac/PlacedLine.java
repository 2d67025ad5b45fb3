package io.plat.engine.abac;

import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;

/**
 * A line and where it stands, prepared for comparing: what every decision compares stands here, not one step further away.
 *
 * @param position its position among the lines of the file, from 0
 * @param readonly whether only verbs that read are covered
 * @param resource the resource, {@code *} for all; {@code ""} covers none
 * @param namespace the namespace, {@code *} for all
 * @param apiGroup the canonical name of the group
 * @param line the line
 */
record PlacedLine(int position, boolean readonly, String resource, String namespace, String apiGroup, AbacLine line)
        implements Lines {
    static PlacedLine of(int position, AbacLine line) {
        return new PlacedLine(
                position,
                line.readonly(),
                line.resource(),
                line.namespace(),
                ApiGroups.canonical(line.apiGroup()),
                line);
    }

    @Override
    public int first(ResourceAttributes request, String canonicalGroup, boolean reads) {
        boolean covers = (reads || !readonly)
                && !resource.isEmpty()
                && covers(resource, request.resource())
                && covers(namespace, request.namespace())
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
        boolean covers = (reads || !readonly)
                && !pattern.isEmpty()
                && (pattern.endsWith(AbacLine.ANY)
                        ? path.regionMatches(0, pattern, 0, pattern.length() - 1)
                        : pattern.equals(path));
        return covers ? position : FirstLine.NONE;
    }
}
